"""Whether one file of the audit is as it was written."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from typing import Any

from citewell.adapters.audit.lines import Line, chain, commitment, parse_line
from citewell.core.ports import AuditFinding


@dataclass(slots=True)
class Checked:
    """What a file holds. ``erased`` are its blanked questions by line; ``erasures`` those that its own events account for."""

    name: str
    anchored: bool
    lines: int = 0
    findings: list[AuditFinding] = field(default_factory=list[AuditFinding])
    erased: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    erasures: set[str] = field(default_factory=set[str])

    def note(self, problem: str, line: int = 0) -> None:
        """Take down a problem."""
        self.findings.append(AuditFinding(self.name, line, problem))


def check_file(name: str, data: bytes, key: bytes, anchor: tuple[int, str] | None) -> Checked:
    """Return what is found in the file ``name``; the first break of the chain ends the check."""
    checked = Checked(name, anchor is not None)
    previous, at_anchor = name, anchor is None
    for number, raw in enumerate(data.splitlines(keepends=True), start=1):
        line, problem = _check_line(raw, number, name, previous, key)
        if line is None:
            _note_break(checked, number, problem, raw, anchor)
            break
        previous = line.mac
        at_anchor = at_anchor or (anchor is not None and anchor == (number - 1, line.mac))
        checked.lines = number
        _take_erasures(checked, line, number)
    if not at_anchor and not checked.findings:
        checked.note("lines are missing at the end")
    if not checked.lines and not checked.findings:
        checked.note("the file is empty")
    return checked


def _check_line(raw: bytes, number: int, name: str, previous: str, key: bytes) -> tuple[Line | None, str]:
    try:
        line = parse_line(raw)
        fields = line.fields
    except ValueError:
        return None, "not a line of an audit"
    if not hmac.compare_digest(line.mac, chain(key, previous, line.record)):
        return None, "the line, or one before it, was changed, moved or taken away"
    problem = _check_fields(line, fields, number, name)
    return (None, problem) if problem else (line, "")


def _check_fields(line: Line, fields: dict[str, Any], number: int, name: str) -> str:
    if fields.get("seq") != number - 1 or (number == 1 and fields.get("file") != name):
        return "the line belongs elsewhere"
    if ("question" in fields) != (line.query is not None):
        return "the question was taken away or added"
    if line.query is not None and not line.erased and fields["question"] != commitment(line.salt, line.query):
        return "the question was changed"
    return ""


def _note_break(checked: Checked, number: int, problem: str, raw: bytes, anchor: tuple[int, str] | None) -> None:
    """Take down where the chain breaks. A last line without its end was never acknowledged, if the anchor is before it."""
    torn = not raw.endswith(b"\n") and (anchor is None or anchor[0] < number - 1)
    checked.note("the process ended in the middle of this line" if torn else problem, number)


def _take_erasures(checked: Checked, line: Line, number: int) -> None:
    fields = line.fields
    if line.erased:
        checked.erased.append((number, f"{checked.name}:{fields['seq']}"))
    if fields.get("action") == "erase":
        checked.erasures.update(fields.get("shown", ()))
