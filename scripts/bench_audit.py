"""The audit at a million lines: what a line costs, who saw a document, and whether all is as it was written.

The peers read the same files in the same run: grep, which finds lines and knows nothing of them, and a plain loop over JSON.
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio

from citewell.adapters.audit.archive import LogArchive
from citewell.adapters.audit.lines import event_fields
from citewell.adapters.audit.log_folder import LogFolder
from citewell.core.ports import AuditEvent

RESULTS = Path(__file__).resolve().parents[1] / "docs" / "benchmarks" / "audit.json"
KEY = b"k" * 32
DOCUMENTS, USERS, SHOWN = 5_000, 200, 8


def event(number: int) -> AuditEvent:
    shown = (*(f"docs/{(number * 7 + place) % DOCUMENTS}.md:{place}" for place in range(SHOWN - 1)), everywhere(number))
    return AuditEvent(
        action="search",
        who=f"user{number % USERS}",
        kind="user",
        groups=("engineering",),
        via="mcp-http",
        outcome="ok",
        query=f"how do I rotate key {number}",
        plan={"intent": "general", "mode": "hybrid", "reason": "both lists"},
        shown=shown,
        milliseconds=12.3,
        stages=(("bm25", 1.2), ("dense", 3.4)),
    )


def everywhere(number: int) -> str:
    """Return a passage of the document that nine of ten searches show, or of the one that the tenth does."""
    return "docs/tenth.md:0" if number % 10 == 0 else "docs/everywhere.md:1"


def seconds(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def scan(folder: Path, document: str) -> int:
    found = 0
    for file in sorted(folder.glob("*.jsonl")):
        with file.open(encoding="utf-8") as lines:
            found += sum(
                any(s.startswith(f"{document}:") for s in json.loads(line)["record"].get("shown", ())) for line in lines
            )
    return found


def write(log: LogFolder, lines: int) -> None:
    for number in range(lines):
        asked = event(number)
        log.append(event_fields(asked), asked.query)


async def synced_cost(folder: Path, count: int) -> float:
    log = LogFolder(folder / "synced", KEY, folder / "synced-anchors", required=True)
    began = time.perf_counter()
    for number in range(count):
        await log.record(event(number))
    spent = time.perf_counter() - began
    await log.close()
    return spent / count


def measure(lines: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log = LogFolder(folder / "audit", KEY, folder / "anchors", required=False)
        archive = LogArchive(folder / "audit", KEY, folder / "anchors", log)
        writing = seconds(lambda: write(log, lines))
        grep = ["grep", "-c", '"docs/77.md:', *map(str, sorted((folder / "audit").glob("*.jsonl")))]
        found = {
            "lines": lines,
            "megabytes": round(sum(file.stat().st_size for file in (folder / "audit").iterdir()) / 1e6, 1),
            "microseconds_a_line": round(writing / lines * 1e6, 1),
            "microseconds_a_line_with_fsync": round(anyio.run(synced_cost, folder, 1_000) * 1e6, 1),
            "who_saw_a_document_seconds": round(seconds(lambda: archive.sightings("docs/77.md")), 3),
            "who_saw_a_document_of_a_tenth_of_all_lines_seconds": round(
                seconds(lambda: archive.sightings("docs/tenth.md")), 3
            ),
            "who_saw_a_document_of_nine_tenths_seconds": round(seconds(lambda: archive.sightings("docs/everywhere.md")), 3),
            "who_saw_no_document_seconds": round(seconds(lambda: archive.sightings("docs/none.md")), 3),
            "what_a_user_did_seconds": round(seconds(lambda: archive.events("user7")), 3),
            "grep_seconds": round(seconds(lambda: subprocess.run(grep, check=False, capture_output=True)), 3),
            "json_loop_seconds": round(seconds(lambda: scan(folder / "audit", "docs/77.md")), 3),
            "check_lines_a_second": round(lines / seconds(archive.check)),
        }
    found["who_against_json_loop"] = round(found["json_loop_seconds"] / found["who_saw_a_document_seconds"], 1)
    return {"machine": f"{platform.machine()}, Python {platform.python_version()}", **found}


if __name__ == "__main__":
    results = measure(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(results, indent=1))
