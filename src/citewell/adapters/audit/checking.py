"""Whether one file of the audit is as it was written."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from citewell.adapters.audit.anchors import Reach
from citewell.adapters.audit.lines import Line, chain, commitment, parse_line
from citewell.core.ports import AuditFinding

TORN: Final = "the process ended in the middle of this line"


@dataclass(slots=True)
class Checked:
    """What a file holds. ``erased`` are its blanked questions by line.

    ``explained`` are the questions, by file and number, that its own lines say were erased; ``retired`` the files that they
    say were deleted.
    """

    name: str
    anchored: bool
    lines: int = 0
    findings: list[AuditFinding] = field(default_factory=list[AuditFinding])
    erased: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    explained: set[str] = field(default_factory=set[str])
    retired: set[str] = field(default_factory=set[str])

    @property
    def torn(self) -> bool:
        """Whether the last line is not whole."""
        return any(finding.problem == TORN for finding in self.findings)

    def note(self, problem: str, line: int = 0) -> None:
        """Take down a problem."""
        self.findings.append(AuditFinding(self.name, line, problem))


def check_file(name: str, lines: Iterable[bytes], key: bytes, anchor: Reach | None) -> Checked:
    """Return what is found in the file ``name``; the first break of the chain ends the check."""
    checked = Checked(name, anchored=anchor is not None)
    previous, at_anchor = name, anchor is None
    for number, raw in enumerate(lines, start=1):
        try:
            line = _chained(raw, number, previous, key)
            fields = line.fields
            _check_fields(line, fields, number, name)
        except ValueError as broken:
            _note_break(checked, number, str(broken), raw, anchor)
            break
        previous = line.mac
        at_anchor = at_anchor or anchor == Reach(number - 1, line.mac)
        checked.lines = number
        _take_changes(checked, line, fields, number)
    if not at_anchor and not checked.findings:
        checked.note("lines are missing at the end")
    if not checked.lines and not checked.findings:
        checked.note("the file is empty")
    # Further than one line past its anchor, a file was written by a process that could not move it.
    checked.anchored = anchor is not None and checked.lines - 1 <= anchor.number + 1
    return checked


def _chained(raw: bytes, number: int, previous: str, key: bytes) -> Line:
    """Return the line that follows ``previous``. Raises ValueError that says what is wrong with any other."""
    try:
        line = parse_line(raw)
    except ValueError as error:
        raise ValueError("not a line of an audit") from error
    if not hmac.compare_digest(line.mac, chain(key, previous, line.record)):
        raise ValueError(_broken_at(number))
    return line


def _broken_at(number: int) -> str:
    if number == 1:
        return "the first line was changed or taken away, or the file was written with another key"
    return "the line, or one before it, was changed, moved or taken away"


def _check_fields(line: Line, fields: dict[str, Any], number: int, name: str) -> None:
    """Raise ValueError for a line that was written with our key, and stands elsewhere or beside another question."""
    if fields.get("seq") != number - 1 or (number == 1 and fields.get("file") != name):
        raise ValueError("the line belongs elsewhere")
    if ("question" in fields) != (line.query is not None):
        raise ValueError("the question was taken away or added")
    if line.query is not None and not line.erased and fields["question"] != commitment(line.salt, line.query):
        raise ValueError("the question was changed")


def _note_break(checked: Checked, number: int, problem: str, raw: bytes, anchor: Reach | None) -> None:
    """Take down where the chain breaks. A last line without its end was never acknowledged, if the anchor is before it."""
    torn = not raw.endswith(b"\n") and (anchor is None or anchor.number < number - 1)
    checked.note(TORN if torn else problem, number)


def _take_changes(checked: Checked, line: Line, fields: dict[str, Any], number: int) -> None:
    if line.erased:
        checked.erased.append((number, f"{checked.name}:{fields['seq']}"))
    if "who" in fields:
        return
    if fields.get("action") == "erase":
        checked.explained.update(fields["questions"])
    elif fields.get("action") == "retention":
        checked.retired.add(fields["target"])
