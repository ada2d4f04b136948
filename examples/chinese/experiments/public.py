"""Asks public Chinese questions of the example's configuration: what the reranker is worth, and what a threshold refuses.

python examples/chinese/experiments/public.py FOLDER [--questions 80]

FOLDER holds data sets in BEIR layout (corpus.jsonl, queries.jsonl, qrels.tsv), those named in SETS. Each set's questions are
asked of its own corpus, which answers them, and of the other one, which does not. Nothing of the data is kept.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path

import anyio
from run import configured

from citewell.core.requests import SearchRequest, SyncRequest
from citewell.wiring import build_service, local_principal

SETS = ("cmrc2018-trial", "xquad-zh")
THRESHOLDS = (0.1, 0.15, 0.2, 0.3, 0.5)
SEED = 7

Questions = list[tuple[str, set[str]]]
Found = list[tuple[list[str], float]]


def load_questions(folder: Path, count: int) -> Questions:
    """Return ``count`` questions drawn from the data set in ``folder``, each with the documents that answer it."""
    gold: dict[str, set[str]] = {}
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query, document, _ = line.split("\t")
        gold.setdefault(query, set()).add(document)
    lines = (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [(query["text"], gold.get(query["_id"], set())) for query in map(json.loads, lines)]
    return random.Random(SEED).sample([one for one in asked if one[0].strip() and one[1]], count)  # noqa: S311


def write_texts(folder: Path, texts: Path) -> list[str]:
    """Write the corpus in ``folder`` as files named by their place; return the documents' own ids, by place."""
    texts.mkdir()
    ids = []
    for place, line in enumerate((folder / "corpus.jsonl").read_text(encoding="utf-8").splitlines()):
        document = json.loads(line)
        (texts / f"{place}.txt").write_text(document["text"], encoding="utf-8")
        ids.append(document["_id"])
    return ids


async def search_all(place: Path, ids: Sequence[str], reranker: str, questions: Sequence[str]) -> Found:
    """Return for each question the documents that the example finds among the texts at ``place``, and the best score."""
    config = configured({"settings": {"reranker": reranker}}, place / "index")
    source = config.sources[0].model_copy(update={"address": f"folder:{place}/texts"})
    config = config.model_copy(update={"sources": (source,)})
    service, principal = build_service(config), local_principal(config, "experiment")
    try:
        await service.sync(principal, SyncRequest(), lambda progress: None)
        results = [await service.search(principal, SearchRequest(query=question, k=10)) for question in questions]
    finally:
        await service.close()
    return [([ids[int(hit.stored.info.id)] for hit in result.hits], result.hits[0].score) for result in results]


def ranking(questions: Questions, found: Found) -> str:
    """Return Hit@1 and MRR@10 in words."""
    pairs = [(list(dict.fromkeys(documents)), gold) for (documents, _), (_, gold) in zip(found, questions, strict=True)]
    ranks = [next((1 / place for place, name in enumerate(names, 1) if name in gold), 0.0) for names, gold in pairs]
    return f"Hit@1 {statistics.fmean(rank == 1 for rank in ranks):.3f}, MRR@10 {statistics.fmean(ranks):.3f}"


def refused(found: Found) -> str:
    """Return the share that each threshold refuses, in words."""
    shares = {threshold: statistics.fmean(score < threshold for _, score in found) for threshold in THRESHOLDS}
    return ", ".join(f"{threshold}: {share:.3f}" for threshold, share in shares.items())


async def main(folder: Path, count: int) -> None:
    """Print a few lines for each set."""
    drawn = {name: load_questions(folder / name, count) for name in SETS}
    texts = {name: [question for question, _ in questions] for name, questions in drawn.items()}
    for name, other in (SETS, SETS[::-1]):
        with tempfile.TemporaryDirectory() as temporary:
            place = Path(temporary)
            ids = write_texts(folder / name, place / "texts")
            dense, late = [await search_all(place, ids, reranker, texts[name]) for reranker in ("none:", "late:")]
            foreign = await search_all(place, ids, "late:", texts[other])
        print(f"{name}, {count} questions: dense only {ranking(drawn[name], dense)}; reranked {ranking(drawn[name], late)}")
        print(f"  refused of its own questions, by threshold: {refused(late)}")
        print(f"  refused of those of {other}, which it does not answer: {refused(foreign)}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=int, default=80)
    given = parser.parse_args()
    anyio.run(main, given.folder, given.questions)
