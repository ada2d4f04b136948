"""What it costs to search only what a reader may see, beside a reader who may see everything, on the same data in one run.

    python scripts/bench_masking.py --json docs/benchmarks/masking.json

The corpus is that of `bench_speed.py`. Four readers may see all of it, half, a tenth and a hundredth. They ask the same
questions in turn, so that whatever else the machine does concerns all of them alike. A reader is known when he has asked
before: which chunks are his is worked out at his first question after a change, and kept. CPU time counts all threads.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

import anyio
import numpy as np
from bench_speed import GROUPS, LIMIT, MODEL, Corpus, make_corpus, write

from citewell.adapters.stores.embedded import EmbeddedStore
from citewell.core.access import Tokens
from citewell.core.ports import DenseQuery, LexicalQuery
from citewell.core.requests import NO_FILTERS
from citewell.testing.store_samples import count_words

SHARES = {"100 %": GROUPS, "50 %": GROUPS // 2, "10 %": GROUPS // 10, "1 %": GROUPS // 100}
LEGS = ("bm25", "dense", "hybrid")
AT_MOST = 2.0
"""What a known reader's search may cost of one that sees everything."""


def reader(groups: int) -> Tokens:
    return frozenset(f"group:{number}" for number in range(groups))


async def search(store: EmbeddedStore, corpus: Corpus, number: int, leg: str, visible: Tokens) -> None:
    lexical = LexicalQuery("", corpus.terms[number])
    if leg in ("bm25", "hybrid"):
        await store.lexical(lexical, visible=visible, filters=NO_FILTERS, limit=LIMIT)
    if leg in ("dense", "hybrid"):
        dense = DenseQuery(MODEL, corpus.queries[number])
        await store.dense(dense, visible=visible, filters=NO_FILTERS, limit=LIMIT)


async def measure(store: EmbeddedStore, corpus: Corpus, leg: str, *, known: bool) -> dict[str, float]:
    """Return the median CPU milliseconds of a search by share."""
    times: dict[str, list[float]] = {share: [] for share in SHARES}
    for number in range(-3, len(corpus.terms)):
        for share, groups in SHARES.items():
            visible = reader(groups) if known else reader(groups) | {f"user:{leg}{number}"}
            began = time.process_time()
            await search(store, corpus, number, leg, visible)
            if number >= 0:
                times[share].append(time.process_time() - began)
    return {share: float(np.median(spent) * 1000) for share, spent in times.items()}


async def bench(chunks: int, dimension: int, queries: int) -> dict[str, Any]:
    corpus = make_corpus(chunks, dimension, queries)
    folder = Path(tempfile.mkdtemp(prefix="citewell-bench-"))
    store = EmbeddedStore(folder, analyze=count_words, version="words")
    try:
        await write(store, corpus)
        figures: dict[str, Any] = {"chunks": chunks, "dimension": dimension, "queries": queries}
        for name, known in (("known", True), ("first", False)):
            figures[name] = {leg: with_ratios(await measure(store, corpus, leg, known=known)) for leg in LEGS}
        return figures | {"load": os.getloadavg()[0]}
    finally:
        await store.close()
        shutil.rmtree(folder)


def with_ratios(times: dict[str, float]) -> dict[str, dict[str, float]]:
    whole = times["100 %"]
    return {share: {"cpu_p50_ms": round(spent, 3), "ratio": round(spent / whole, 3)} for share, spent in times.items()}


def report(figures: dict[str, Any]) -> str:
    lines = [f"\n{figures['chunks']:,} chunks, dimension {figures['dimension']}: CPU ms, and times that of seeing everything"]
    for name, text in (("known", "a reader who asked before"), ("first", "his first question")):
        lines.append(f"{text:26}" + "".join(f"{share:>16}" for share in SHARES))
        for leg in LEGS:
            cells = (f"{cell['cpu_p50_ms']:9.2f} x{cell['ratio']:5.2f}" for cell in figures[name][leg].values())
            lines.append(f"  {leg:24}" + "".join(f"{cell:>16}" for cell in cells))
    return "\n".join(lines)


def worst(runs: list[dict[str, Any]]) -> float:
    return max(cell["ratio"] for run in runs for leg in LEGS for cell in run["known"][leg].values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--dimension", type=int, default=896)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    runs = []
    for chunks in options.chunks:
        runs.append(anyio.run(bench, chunks, options.dimension, options.queries))
        print(report(runs[-1]), flush=True)
    if options.json:
        figures = {"machine": platform.processor() or platform.machine(), "worst_ratio": worst(runs), "runs": runs}
        options.json.write_text(json.dumps(figures, indent=2) + "\n")
    if worst(runs) > AT_MOST:
        raise SystemExit(
            f"A search of a part costs {worst(runs):.2f} times that of the whole; at most {AT_MOST:g} is promised."
        )


if __name__ == "__main__":
    main()
