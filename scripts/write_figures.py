"""Write the committed results of benchmarks into the README, or with --check say where it differs.

Usage: python scripts/write_figures.py [--check]
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

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
    """Return the table that the speed benchmark wrote."""
    return (RESULTS / "speed.md").read_text(encoding="utf-8").strip()


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
