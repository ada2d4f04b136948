"""The command that shows what redaction does: ``redact``."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from citewell.cli.exits import INCOMPLETE
from citewell.cli.options import AsJson, Assignments, ConfigPath
from citewell.cli.session import open_config
from citewell.cli.streams import emit_json, note, one_line, out
from citewell.core.errors import FileRejected, InvalidRequest

if TYPE_CHECKING:
    from citewell.text.redaction import Redaction, Redactor

Files = Annotated[list[str], typer.Argument(metavar="FILE...", help="Files to look at; `-` is standard input.")]


def redact(
    files: Files,
    text: Annotated[bool, typer.Option("--text", help="Print the text as it would be indexed, and nothing else.")] = False,
    as_json: AsJson = False,
    config_path: ConfigPath = None,
    assignments: Assignments = None,
) -> None:
    """Show which secrets and personal data would be taken out of files; the values themselves are never printed."""
    if text and as_json:
        raise InvalidRequest("--text and --json are two outputs; choose one.")
    redactor = _redactor(config_path, assignments)
    found: list[dict[str, Any]] = []
    for name in files:
        source = _read(name)
        redaction = redactor.redact(source)
        if text:
            sys.stdout.write(redaction.text)
        found += _findings(name, source, redaction, redactor)
    if as_json:
        emit_json({"findings": found})
    elif not text:
        for finding in found:
            place = f"{finding['file']}:{finding['line']}"
            out().print(f"{one_line(place)}  {finding['placeholder']}  {one_line(finding['context'])}", soft_wrap=True)
        note(f"{len(found)} found in {len(files)} {'file' if len(files) == 1 else 'files'}.")
    if found:
        raise typer.Exit(INCOMPLETE)


def _redactor(config_path: Path | None, assignments: list[str] | None) -> Redactor:
    """Return the redactor of the configuration; where there is none, one of its own with a key for this once."""
    from citewell.config import find_config
    from citewell.text.redaction import Redactor
    from citewell.wiring import build_redactor

    if config_path is None and not assignments and find_config() is None:
        return Redactor(secrets.token_bytes(32))
    return build_redactor(open_config(config_path, assignments))


def _read(name: str) -> str:
    from citewell.ingest.decoding import decode

    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return decode(data, name).text
    except OSError as error:
        raise InvalidRequest(f"{name} cannot be read: {error.strerror}") from error
    except FileRejected as error:
        raise InvalidRequest(error.message) from error


def _findings(name: str, source: str, redaction: Redaction, redactor: Redactor) -> list[dict[str, Any]]:
    from citewell.ingest.disguise import redact_path
    from citewell.text.lines import LineIndex

    shown, index, lines = redact_path(name, redactor), LineIndex(source), redaction.text.split("\n")
    return [
        {
            "file": shown,
            "line": (line := index.lines(found.start, found.end).start),
            "kind": found.kind,
            "placeholder": redactor.placeholder(found.kind, source[found.start : found.end]),
            "context": lines[line - 1].strip()[:120],
        }
        for found in redaction.findings
    ]
