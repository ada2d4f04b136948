"""How fast the embedded store is, beside the limit of the machine and beside LanceDB, on the same data in the same run.

    python scripts/bench_speed.py --chunks 10000 100000 --dimension 896 --json speed.json

The corpus is made up: words by Zipf's law, unit vectors in clusters, ten chunks to a document, every document open to one of
a hundred groups. A reader holds 100, 10 or 1 of them. CPU time counts all threads of the process.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import numpy as np

from citewell.adapters.stores.embedded import EmbeddedStore
from citewell.core.access import Tokens
from citewell.core.model import passage_hash
from citewell.core.ports import Candidates, DenseQuery, LexicalQuery, Replace
from citewell.core.requests import NO_FILTERS
from citewell.testing.store_samples import count_words, sample

MODEL = "bench"
GROUPS = 100
CHUNKS_PER_DOCUMENT = 10
WORDS_PER_CHUNK = 120
VOCABULARY = 200_000
LIMIT = 50
SHARES = {"100 %": 100, "10 %": 10, "1 %": 1}


@dataclass(frozen=True)
class Corpus:
    """Texts and vectors, chunk by chunk, and queries with the vectors that belong to them."""

    texts: list[str]
    vectors: np.ndarray
    terms: list[dict[str, float]]
    queries: np.ndarray

    def group(self, chunk: int) -> int:
        """The group that the document of ``chunk`` is open to."""
        return (chunk // CHUNKS_PER_DOCUMENT) * 37 % GROUPS


def make_corpus(chunks: int, dimension: int, queries: int) -> Corpus:
    rng = np.random.default_rng(7)
    ranks = np.minimum(rng.zipf(1.15, size=(chunks, WORDS_PER_CHUNK)), VOCABULARY)
    texts = [f"c{n} " + " ".join(f"w{rank}" for rank in line) for n, line in enumerate(ranks.tolist())]
    centres = rng.standard_normal((max(chunks // 50, 1), dimension), dtype=np.float32)
    vectors = np.empty((chunks, dimension), dtype=np.float32)
    for start in range(0, chunks, 4096):
        part = vectors[start : start + 4096]
        part[:] = centres[rng.integers(0, len(centres), len(part))] + rng.standard_normal(part.shape, dtype=np.float32)
        part /= np.linalg.norm(part, axis=1, keepdims=True)
    chosen = rng.integers(0, chunks, queries)
    near = vectors[chosen] + 0.5 * rng.standard_normal((queries, dimension), dtype=np.float32) / np.sqrt(dimension)
    terms = [middle_words(ranks[chunk]) for chunk in chosen]
    return Corpus(texts, vectors, terms, (near / np.linalg.norm(near, axis=1, keepdims=True)).astype(np.float32))


def middle_words(ranks: np.ndarray) -> dict[str, float]:
    """Return five words of a chunk that are neither the commonest nor unique: what people search for."""
    middle = [rank for rank in dict.fromkeys(ranks.tolist()) if 30 < rank < 50_000]
    return {f"w{rank}": 1.0 for rank in middle[:5]}


def documents(corpus: Corpus) -> Iterator[Replace]:
    for start in range(0, len(corpus.texts), CHUNKS_PER_DOCUMENT):
        texts = corpus.texts[start : start + CHUNKS_PER_DOCUMENT]
        yield sample(
            f"d{start}", *texts, acl=[f"group:{corpus.group(start)}"], ids=[f"{start + n:024d}" for n in range(len(texts))]
        )


async def write(store: EmbeddedStore, corpus: Corpus) -> dict[str, float]:
    """Store everything; return documents and vectors per second."""
    batch: list[Replace] = []
    changes = list(documents(corpus))
    began = time.perf_counter()
    for change in changes:
        batch.append(change)
        if len(batch) == 64:
            await store.apply(batch)
            batch = []
    await store.apply(batch)
    texts_done = time.perf_counter()
    for start in range(0, len(corpus.texts), 1024):
        part = range(start, min(start + 1024, len(corpus.texts)))
        await store.put_vectors(MODEL, {passage_hash(corpus.texts[n]): corpus.vectors[n] for n in part})
    vectors_done = time.perf_counter()
    return {
        "documents_per_second": len(changes) / (texts_done - began),
        "vectors_per_second": len(corpus.texts) / (vectors_done - texts_done),
    }


async def measure(query: Callable[[int], Awaitable[Any]], count: int) -> dict[str, float]:
    """Return percentiles of wall and CPU milliseconds of ``count`` queries, after five to warm up."""
    for number in range(5):
        await query(number)
    walls, cpus = np.empty(count), np.empty(count)
    for number in range(count):
        wall, cpu = time.perf_counter(), time.process_time()
        await query(number)
        walls[number], cpus[number] = time.perf_counter() - wall, time.process_time() - cpu
    figures = {"wall": walls, "cpu": cpus}
    return {f"{name}_p{p}": float(np.percentile(times, p) * 1000) for name, times in figures.items() for p in (50, 95)}


async def measure_store(store: EmbeddedStore, corpus: Corpus, visible: Tokens) -> dict[str, dict[str, float]]:
    async def lexical(n: int) -> Candidates:
        return await store.lexical(LexicalQuery("", corpus.terms[n]), visible=visible, filters=NO_FILTERS, limit=LIMIT)

    async def dense(n: int) -> Candidates:
        return await store.dense(DenseQuery(MODEL, corpus.queries[n]), visible=visible, filters=NO_FILTERS, limit=LIMIT)

    async def hybrid(n: int) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(lexical, n)
            group.start_soon(dense, n)

    count = len(corpus.terms)
    legs = {"bm25": lexical, "dense": dense, "hybrid": hybrid}
    figures = {name: await measure(leg, count) for name, leg in legs.items()}
    figures["dense"]["recall"] = float(np.mean([recall(corpus, visible, n, await dense(n)) for n in range(min(count, 50))]))
    return figures


def recall(corpus: Corpus, visible: Tokens, number: int, found: Candidates) -> float:
    """Return the share of the true nearest chunks that were found. Equally near ones count as each other."""
    rows = np.array([n for n in range(len(corpus.texts)) if f"group:{corpus.group(n)}" in visible])
    scores = corpus.vectors[rows] @ corpus.queries[number]
    wanted = min(LIMIT, len(rows))
    last = np.partition(scores, len(scores) - wanted)[len(scores) - wanted]
    place = {int(row): score for row, score in zip(rows, scores, strict=True)}
    return sum(place[int(hit.chunk)] >= last - 1e-4 for hit in found.hits) / wanted


def floor(chunks: int, dimension: int) -> float:
    """Return the CPU milliseconds it takes this machine to read as many bytes as the scan does, once."""
    block = np.ones(chunks * dimension // 8, dtype=np.int64)
    times = []
    for _ in range(20):
        began = time.process_time()
        block.sum()
        times.append(time.process_time() - began)
    return float(np.median(times) * 1000)


def probe(folder: Path, dimension: int) -> dict[str, float]:
    """Return how long a new process takes to its first answers, and the memory it then holds for itself."""
    arguments = [sys.executable, __file__, "--probe", str(folder), "--dimension", str(dimension)]
    return dict(json.loads(subprocess.run(arguments, check=True, capture_output=True, text=True).stdout))


async def start_up(folder: Path, dimension: int) -> dict[str, float]:
    visible = frozenset(f"group:{n}" for n in range(GROUPS))
    before = private_memory()
    began = time.perf_counter()
    store = EmbeddedStore(folder, analyze=count_words, version="words")
    await store.lexical(LexicalQuery("", {"w50": 1.0}), visible=visible, filters=NO_FILTERS, limit=LIMIT)
    lexical = time.perf_counter()
    vector = np.random.default_rng(1).standard_normal(dimension, dtype=np.float32)
    await store.dense(DenseQuery(MODEL, vector), visible=visible, filters=NO_FILTERS, limit=LIMIT)
    dense = time.perf_counter()
    return {
        "first_bm25_ms": (lexical - began) * 1e3,
        "first_dense_ms": (dense - lexical) * 1e3,
        "rss_anon_mb": private_memory() - before,
    }


def private_memory() -> float:
    """Return the megabytes of memory of this process that are not pages of files."""
    status = Path("/proc/self/status").read_text() if Path("/proc/self/status").exists() else "RssAnon: 0"
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("RssAnon"))


def megabytes(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


async def measure_lancedb(folder: Path, corpus: Corpus) -> dict[str, dict[str, float]] | str:
    """Return the figures of LanceDB's hybrid search over the same chunks by share, or why there are none."""
    os.environ.setdefault("LANCEDB_LOG", "error")
    try:
        import lancedb
        from lancedb.index import FTS, LabelList
    except ImportError:
        return "lancedb is not installed"
    database = lancedb.connect(str(folder))
    rows = (
        {"id": f"{n:024d}", "text": text, "acl": [f"group:{corpus.group(n)}"], "vector": corpus.vectors[n]}
        for n, text in enumerate(corpus.texts)
    )
    first = [next(rows) for _ in range(1000)]
    table = database.create_table("chunks", data=first)
    while batch := [row for _, row in zip(range(5000), rows, strict=False)]:
        table.add(batch)
    table.create_index("text", config=FTS())
    table.create_index("acl", config=LabelList())
    table.optimize()
    return {name: await measure(lance_query(table, corpus, share), len(corpus.terms)) for name, share in SHARES.items()}


def lance_query(table: Any, corpus: Corpus, share: int) -> Callable[[int], Awaitable[Any]]:
    allowed = ", ".join(f"'group:{n}'" for n in range(share))

    async def query(n: int) -> None:
        search = table.search(query_type="hybrid").vector(corpus.queries[n]).text(" ".join(corpus.terms[n]))
        search.where(f"array_has_any(acl, [{allowed}])", prefilter=True).limit(LIMIT).select(["id"]).to_list()

    return query


async def bench(chunks: int, dimension: int, queries: int) -> dict[str, Any]:
    corpus = make_corpus(chunks, dimension, queries)
    folder = Path(tempfile.mkdtemp(prefix="citewell-bench-"))
    try:
        store = EmbeddedStore(folder / "store", analyze=count_words, version="words")
        figures: dict[str, Any] = {"chunks": chunks, "dimension": dimension, "write": await write(store, corpus)}
        await store.close()
        figures["start"] = probe(folder / "store", dimension) | {"disk_mb": megabytes(folder / "store")}
        store = EmbeddedStore(folder / "store", analyze=count_words, version="words")
        for name, share in SHARES.items():
            figures[name] = await measure_store(store, corpus, frozenset(f"group:{n}" for n in range(share)))
        await store.close()
        figures |= {"floor_ms": floor(chunks, dimension), "load": os.getloadavg()[0]}
        figures["lancedb"] = await measure_lancedb(folder / "lance", corpus)
    finally:
        shutil.rmtree(folder)
    return figures


def report(figures: dict[str, Any]) -> str:
    written, start, lance = figures["write"], figures["start"], figures["lancedb"]
    lines = [
        f"\n{figures['chunks']:,} chunks, dimension {figures['dimension']}",
        f"written a second: {written['documents_per_second']:,.0f} documents, {written['vectors_per_second']:,.0f} vectors",
        f"start: {start['first_bm25_ms']:.0f} ms to the first BM25 answer, {start['first_dense_ms']:.0f} more to a dense one",
        f"{start['rss_anon_mb']:.0f} MB of memory beside the files, {start['disk_mb']:.0f} MB on disk",
        f"reading the bytes of the scan once takes this machine {figures['floor_ms']:.2f} ms (load {figures['load']:.1f})",
        f"100 dimensions cost {figures['100 %']['dense']['cpu_p50'] / figures['dimension'] * 100:.2f} ms of CPU",
        f"{'visible':8} {'leg':7} {'wall p50':>9} {'p95':>7} {'cpu p50':>9} {'p95':>7}  milliseconds",
    ]
    for share in SHARES:
        for leg, row in figures[share].items():
            times = f"{row['wall_p50']:9.2f} {row['wall_p95']:7.2f} {row['cpu_p50']:9.2f} {row['cpu_p95']:7.2f}"
            note = f"  recall {row['recall']:.4f}" if "recall" in row else ""
            if leg == "hybrid" and not isinstance(lance, str):
                other = lance[share]["cpu_p50"]
                note = f"  LanceDB {other:.2f} ms of CPU, {other / row['cpu_p50']:.1f} times as much"
            lines.append(f"{share:8} {leg:7} {times}{note}")
    return "\n".join([*lines, f"no LanceDB figures: {lance}"] if isinstance(lance, str) else lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--dimension", type=int, default=896)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--probe", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.probe:
        print(json.dumps(anyio.run(start_up, options.probe, options.dimension)))
        return
    results = []
    for chunks in options.chunks:
        results.append(anyio.run(bench, chunks, options.dimension, options.queries))
        print(report(results[-1]), flush=True)
    if options.json:
        options.json.write_text(
            json.dumps({"machine": platform.processor() or platform.machine(), "runs": results}, indent=2)
        )


if __name__ == "__main__":
    main()
