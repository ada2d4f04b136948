"""Retrieval quality on judged questions: BM25, vectors, plain reciprocal rank fusion, and citewell's own fusion.

Usage: python scripts/bench_quality.py FOLDER [NAME ...] [--embedder bundled:] [--json FILE]

FOLDER holds one BEIR folder (corpus.jsonl, queries.jsonl, qrels.tsv) per data set. Exit status 1 when auto misses a floor.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import anyio
import ir_measures
from ir_measures import RR, Success, nDCG

from citewell.core.ports import StoreSetup
from citewell.evaluation.benchmark import RememberingEmbedder, System, index_dataset, run_system
from citewell.evaluation.dataset import Dataset, load_dataset
from citewell.registry import open_embedder, open_store

SYSTEMS: tuple[System, ...] = ("bm25", "dense", "rrf", "auto")
MEASURES = {"ndcg": nDCG @ 10, "hit1": Success @ 1, "hit5": Success @ 5, "mrr": RR @ 10}
FLOORS = {
    "xquad-en": 0.975,
    "xquad-tr": 0.95,
    "xquad-zh": 0.965,
    "xquad-tr-en": 0.85,
    "xquad-zh-en": 0.83,
    "cmrc2018-trial": 0.98,
    "cosqa-dev": 0.50,
    "sweqa-requests": 0.80,
    "commit2file-httpx": 0.50,
    "tldr-de-en": 0.60,
    "tldr-en": 0.0,
    "clapnq-dev": 0.0,
}
BELOW_BETTER_LEG = 0.01


@dataclass(frozen=True)
class Score:
    """Measures of one system on one data set, rounded to four places, and milliseconds a question."""

    measures: dict[str, float]
    milliseconds: float


def measure(dataset: Dataset, rankings: dict[str, list[str]]) -> dict[str, float]:
    """Return each measure's mean over the judged questions."""
    run = {query: {doc: float(-rank) for rank, doc in enumerate(docs)} for query, docs in rankings.items()}
    judged = {query: dict(documents) for query, documents in dataset.judgements.items()}
    means = ir_measures.calc_aggregate(list(MEASURES.values()), judged, run)
    return {name: round(float(means[value]), 4) for name, value in MEASURES.items()}


async def evaluate(folder: Path, embedder_address: str) -> dict[str, Score]:
    """Index the data set at ``folder`` (kept under .bench for the next run) and ask its questions of every system."""
    dataset = load_dataset(folder)
    embedder = RememberingEmbedder(open_embedder(embedder_address, {}))
    store = open_store("embedded:.bench/quality", StoreSetup())
    try:
        await index_dataset(dataset, store, embedder)
        scores: dict[str, Score] = {}
        for system in SYSTEMS:
            run = await run_system(system, dataset, store, embedder)
            scores[system] = Score(measure(dataset, run.rankings), round(run.seconds * 1000 / len(run.rankings), 2))
        return scores
    finally:
        await store.close()


def verdict(name: str, scores: dict[str, Score]) -> list[str]:
    """Return what is wrong with the scores of ``auto``; nothing is well."""
    auto = scores["auto"].measures["ndcg"]
    better = max(scores["bm25"].measures["ndcg"], scores["dense"].measures["ndcg"])
    problems = []
    if auto < FLOORS[name]:
        problems.append(f"below the floor {FLOORS[name]:.3f}")
    if auto < better - BELOW_BETTER_LEG:
        problems.append(f"{better - auto:.3f} below the better leg")
    return problems


def main() -> int:
    """Print a row per data set and system; write the figures where asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--embedder", default="bundled:")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    names = arguments.names or [name for name in FLOORS if (arguments.folder / name / "qrels.tsv").exists()]
    missed = False
    results: dict[str, dict[str, dict[str, float]]] = {}
    print(f"{'data set':18} {'system':6} {'nDCG@10':>8} {'Hit@1':>7} {'Hit@5':>7} {'MRR@10':>7} {'ms':>7}")
    for name in names:
        scores = anyio.run(evaluate, arguments.folder / name, arguments.embedder)
        for system, score in scores.items():
            row = "".join(f" {value:>7.4f}" for value in score.measures.values())
            print(f"{name:18} {system:6} {row} {score.milliseconds:>7.2f}", flush=True)
        problems = verdict(name, scores)
        print(f"{name:18} {'; '.join(problems) or 'ok'}", flush=True)
        missed = missed or bool(problems)
        results[name] = {system: score.measures for system, score in scores.items()}
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
