"""Write the committed results of benchmarks into the README, or with --check say where it differs.

Usage: python scripts/write_figures.py [--check]
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
RESULTS = ROOT / "docs" / "benchmarks"
SYSTEMS = ("bm25", "dense", "rrf", "auto")


def quality_table() -> str:
    """Return nDCG@10 of every system on every data set, and the Hit@1, Hit@5 and MRR@10 of auto."""
    results = json.loads((RESULTS / "quality.json").read_text(encoding="utf-8"))
    lines = [
        "| data set | BM25 | vectors | plain RRF | **auto** | Hit@1 | Hit@5 | MRR@10 |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, systems in results.items():
        ndcg = [f"{systems[system]['ndcg']:.3f}" for system in SYSTEMS]
        auto = [f"{systems['auto'][measure]:.3f}" for measure in ("hit1", "hit5", "mrr")]
        lines.append(f"| {name} | {' | '.join(ndcg[:3])} | **{ndcg[3]}** | {' | '.join(auto)} |")
    return "\n".join(lines)


def speed_table() -> str:
    """Return CPU milliseconds a query of every leg, recall, and how many times as much LanceDB takes, by share visible."""
    runs = json.loads((RESULTS / "speed.json").read_text(encoding="utf-8"))["runs"]
    lines = [
        "| chunks | visible | BM25 | vectors | hybrid p50 (p95) | recall | LanceDB hybrid |",
        "|---|---|---|---|---|---|---|",
    ]
    for run in runs:
        for share in ("100 %", "10 %", "1 %"):
            legs = run[share]
            bm25, dense = legs["bm25"]["cpu_p50"], legs["dense"]["cpu_p50"]
            hybrid = f"{legs['hybrid']['cpu_p50']:.1f} ({legs['hybrid']['cpu_p95']:.1f})"
            ratio = run["lancedb"][share]["cpu_p50"] / legs["hybrid"]["cpu_p50"]
            row = f"{share} | {bm25:.1f} | {dense:.1f} | {hybrid} | {legs['dense']['recall']:.3f} | {ratio:.0f} × as much"
            lines.append(f"| {run['chunks']:,} | {row} |")
    return "\n".join(["Milliseconds of CPU a query, without the embedding of the query:", "", *lines, "", *map(_facts, runs)])


def _facts(run: dict[str, Any]) -> str:
    start = run["start"]
    size = f"{start['disk_mb']:,.0f} MB on disk, {start['rss_anon_mb']:.0f} MB of memory beside the files"
    first = (
        f"{start['first_bm25_ms']:.0f} ms from start to the first BM25 answer, {start['first_dense_ms']:.0f} more to vectors"
    )
    floor = f"reading the bytes of the scan once takes the same machine {run['floor_ms']:.1f} ms"
    return f"{run['chunks']:,} chunks: {size}; {first}; {floor}.\n"


def demo_screen() -> str:
    """Return the recorded output of the demo."""
    recorded = (RESULTS / "demo.txt").read_text(encoding="utf-8").rstrip()
    return f"```console\n{recorded}\n```"


BLOCKS = {"quality": quality_table, "speed": speed_table, "demo": demo_screen}


def written(text: str) -> str:
    """Return ``text`` with every marked block replaced by its figures."""
    for name, figures in BLOCKS.items():
        block = f"<!-- {name} -->\n{figures()}\n<!-- /{name} -->"
        text = re.sub(rf"<!-- {name} -->.*?<!-- /{name} -->", lambda _, block=block: block, text, flags=re.DOTALL)
    return text


def main() -> int:
    """Write the README, or compare it."""
    before = README.read_text(encoding="utf-8")
    after = written(before)
    if "--check" in sys.argv:
        return int(before != after)
    README.write_text(after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
