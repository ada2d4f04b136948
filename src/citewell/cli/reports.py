"""What a sync did, as a table and as JSON: every file is accounted for."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rich.console import Console
from rich.table import Table

from citewell.cli.streams import one_line
from citewell.core.requests import SourceReport, SyncReport

COLUMNS = ("indexed", "unchanged", "skipped", "failed", "excluded", "in tree", "removed")


def show_report(console: Console, report: SyncReport) -> None:
    """Print the report: a row for each source, then what was skipped and what failed, and why."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("source", overflow="fold")
    for column in COLUMNS:
        table.add_column(column, justify="right")
    for source in report.sources:
        table.add_row(one_line(source.source), *(f"{count:,}" for count in counts(source).values()))
    console.print(table)
    for source in report.sources:
        _show_reasons(console, source)
    _show_vectors(console, report)


def report_payload(report: SyncReport) -> dict[str, Any]:
    """Return the report as a JSON object."""
    payload: dict[str, Any] = {
        "sources": [_source_payload(source) for source in report.sources],
        "embedded": report.embedded,
        "pending": report.pending,
        "complete": report.complete,
    }
    if report.embedding_error:
        payload["error"] = {"code": report.embedding_error, "message": report.message}
    return payload


def counts(source: SourceReport) -> dict[str, int]:
    """Return the number of files by outcome. The first five add up to ``in tree``; ``removed`` are gone from it."""
    outcomes = Counter(entry.outcome for entry in source.entries)
    tree = len(source.entries) + source.excluded
    numbers = (outcomes["indexed"], outcomes["unchanged"], outcomes["skipped"], outcomes["failed"])
    return dict(zip(COLUMNS, (*numbers, source.excluded, tree, source.removed), strict=True))


def skipped(source: SourceReport) -> dict[str, int]:
    """Return how many files were skipped for each reason, the most frequent first."""
    return dict(Counter(entry.reason for entry in source.entries if entry.outcome == "skipped").most_common())


def failed(source: SourceReport) -> list[tuple[str, str]]:
    """Return the path of every file that failed with the reason, by path."""
    return sorted((entry.path, entry.reason) for entry in source.entries if entry.outcome == "failed")


def _source_payload(source: SourceReport) -> dict[str, Any]:
    numbers = counts(source)
    payload: dict[str, Any] = {
        "name": source.source,
        "indexed": numbers["indexed"],
        "unchanged": numbers["unchanged"],
        "skipped": skipped(source),
        "failed": [{"path": path, "reason": reason} for path, reason in failed(source)],
        "excluded": source.excluded,
        "tree": numbers["in tree"],
        "removed": source.removed,
        "found": [{"path": found.path, "line": found.line, "kind": found.kind} for found in source.findings],
    }
    if source.error:
        payload["error"] = {"code": source.error, "message": source.message}
    return payload


def _show_reasons(console: Console, source: SourceReport) -> None:
    name = one_line(source.source)
    if source.error:
        console.print(f"{name}: {source.error}: {one_line(source.message)}", style="red", soft_wrap=True)
    if reasons := skipped(source):
        listed = ", ".join(f"{reason} {count:,}" for reason, count in reasons.items())
        console.print(f"{name}: skipped: {listed}", soft_wrap=True)
    if source.findings:
        kinds = Counter(found.kind for found in source.findings)
        listed = ", ".join(f"{kind} {count:,}" for kind, count in sorted(kinds.items()))
        console.print(f"{name}: secrets and personal data: {listed} (where: --json)", style="yellow", soft_wrap=True)
    for path, reason in failed(source):
        console.print(f"{name}: failed: {one_line(path)}: {reason}", style="red", soft_wrap=True)


def _show_vectors(console: Console, report: SyncReport) -> None:
    if report.embedded:
        console.print(f"{report.embedded:,} passages embedded.")
    if report.embedding_error:
        console.print(f"{report.embedding_error}: {one_line(report.message)}", style="red", soft_wrap=True)
    if report.pending:
        console.print(f"{report.pending:,} passages wait for their vectors; until `citewell sync`, words alone find them.")
