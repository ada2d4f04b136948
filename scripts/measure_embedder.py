"""Measures an embedder: python scripts/measure_embedder.py [SCHEME:REST], by default bundled:.

Wall time depends on what else the machine does, CPU time of the process much less, so both are printed.
"""

from __future__ import annotations

import importlib
import os
import resource
import statistics
import sys
import time
from collections.abc import Sequence

import anyio

from citewell.core.ports import Embedder, Role

SCHEMES = {"bundled": "bundled", "hash": "hashed", "onnx": "onnx_folder", "openai": "openai", "tei": "tei"}
QUERY = "how do I set the timeout of a single request in {}?"
SENTENCES = (
    "Every client has a default timeout of five seconds, which applies to connecting, reading and writing alike ({}).",
    "Zaman aşımı her istek için ayrıca verilebilir; verilmezse istemcinin ayarı geçerlidir.",
    "如果服务器没有及时响应,客户端会引发超时异常。",
    "A pool keeps connections open between requests, so that later ones need no new handshake.",
    "When the deadline has passed, the pending work is cancelled and the error names the step that took too long.",
    "Retries wait longer each time, and honour the pause that the server asks for in its answer.",
    "Jede Antwort wird geprüft, bevor sie gespeichert wird, und im Zweifel verworfen.",
)


def build_embedder(address: str) -> Embedder:
    scheme, _, rest = address.partition(":")
    module = importlib.import_module(f"citewell.adapters.embedders.{SCHEMES[scheme]}")
    embedder: Embedder = module.open_embedder(rest, os.environ)
    return embedder


async def time_calls(embedder: Embedder, calls: Sequence[list[str]], role: Role) -> tuple[list[float], float]:
    """Return the wall seconds of each call and the CPU seconds of all."""
    seconds = []
    cpu = time.process_time()
    for texts in calls:
        start = time.perf_counter()
        await embedder.embed(texts, role)
        seconds.append(time.perf_counter() - start)
    return seconds, time.process_time() - cpu


async def measure(embedder: Embedder) -> None:
    print(f"load: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    (start,), cpu = await time_calls(embedder, [["first"]], "query")
    print(f"name: {embedder.name} {embedder.degraded}")
    print(f"dimension: {(await embedder.embed(['x'], 'query')).shape[1]}")
    print(f"first query, with loading: {start:.2f} s (CPU {cpu:.2f} s)")
    queries, cpu = await time_calls(embedder, [[QUERY.format(number)] for number in range(200)], "query")
    high = statistics.quantiles(queries, n=20)[-1]
    print(f"query of 12 words: p50 {statistics.median(queries) * 1e3:.1f} ms, p95 {high * 1e3:.1f} ms, CPU {cpu * 5:.1f} ms")
    passages = [" ".join(SENTENCES).format(number) for number in range(64)]
    (wall,), cpu = await time_calls(embedder, [passages], "passage")
    print(f"passages of about 200 tokens: {64 / wall:.1f}/s, CPU {cpu / 64 * 1e3:.1f} ms each")
    print(f"largest resident size: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    print(f"load: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    anyio.run(measure, build_embedder(sys.argv[1] if len(sys.argv) > 1 else "bundled:"))
