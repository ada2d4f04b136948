"""The commands that read the audit: ``audit verify|who|show|erase``."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from citewell.cli.options import AsJson, Assignments, ConfigPath
from citewell.cli.session import open_config, with_desk
from citewell.cli.streams import emit_json, note, one_line, out
from citewell.core.errors import AuditFailed
from citewell.core.ports import AuditCheck

audit = typer.Typer(help="Who asked what, and who saw which document.", no_args_is_help=True)

User = Annotated[str, typer.Argument(metavar="USER", help="A user, as the audit names him; the command line is `local`.")]


@audit.command()
def verify(as_json: AsJson = False, config_path: ConfigPath = None, assignments: Assignments = None) -> None:
    """Look for every change that was made to the audit after the fact."""
    from citewell.wiring import build_audit_desk

    found = with_desk(open_config(config_path, assignments), build_audit_desk, lambda desk, me: desk.check(me))
    if as_json:
        emit_json(asdict(found))
    else:
        _print_check(found)
    if found.findings:
        raise typer.Exit(AuditFailed.exit_status)


@audit.command()
def who(
    document: Annotated[str, typer.Argument(metavar="DOC", help="A document's id.")],
    as_json: AsJson = False,
    config_path: ConfigPath = None,
    assignments: Assignments = None,
) -> None:
    """Say who was shown passages of a document, how often, and when."""
    from rich.table import Table

    from citewell.wiring import build_audit_desk

    config = open_config(config_path, assignments)
    found = with_desk(config, build_audit_desk, lambda desk, me: desk.sightings(me, document))
    if as_json:
        emit_json({"document": document, "seen_by": [asdict(sighting) for sighting in found]})
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("who", "surface", "times", "first", "last"):
        table.add_column(heading, overflow="fold")
    for sighting in found:
        cells = (sighting.who, sighting.via, f"{sighting.times:,}", sighting.first, sighting.last)
        table.add_row(*map(one_line, cells))
    out().print(table if found else "Nobody.")


@audit.command()
def show(user: User, as_json: AsJson = False, config_path: ConfigPath = None, assignments: Assignments = None) -> None:
    """Show what a user did, oldest first."""
    from citewell.wiring import build_audit_desk

    events = with_desk(open_config(config_path, assignments), build_audit_desk, lambda desk, me: desk.events(me, user))
    if as_json:
        emit_json({"user": user, "events": events})
        return
    for event in events:
        out().print(_line(event), soft_wrap=True)


@audit.command()
def erase(user: User, as_json: AsJson = False, config_path: ConfigPath = None, assignments: Assignments = None) -> None:
    """Erase the questions of a user; that he asked, and what he saw, stays."""
    from citewell.wiring import build_audit_desk

    count = with_desk(open_config(config_path, assignments), build_audit_desk, lambda desk, me: desk.erase(me, user))
    if as_json:
        emit_json({"user": user, "erased": count})
    else:
        out().print(f"Questions erased: {count:,}")


def _print_check(found: AuditCheck) -> None:
    for name in sorted({*found.files} - {finding.file for finding in found.findings}):
        out().print(f"{one_line(name)}  ok", soft_wrap=True)
    for finding in found.findings:
        place = f"{finding.file}:{finding.line}" if finding.line else finding.file
        out().print(f"{one_line(place)}  {finding.problem}", style="bold red", soft_wrap=True)
    for name in found.unanchored:
        note(f"{name}: how far it went is not known; whether lines are missing at its end cannot be told")
    out().print(f"{len(found.files):,} files, {found.lines:,} lines, {len(found.findings):,} problems")


def _line(event: dict[str, Any]) -> str:
    """Return one line for an event; a question that was erased is said to be."""
    question = event.get("query", "") if event.get("query", "") is not None else "(erased)"
    ended = " ".join(filter(None, (event["action"], event.get("outcome"), event.get("code"))))
    seen = f"saw {', '.join(event['shown'])}" if event.get("shown") else ""
    parts = (event["time"], event.get("via", ""), ended, question or event.get("target", ""), seen)
    return "  ".join(one_line(part) for part in parts if part)
