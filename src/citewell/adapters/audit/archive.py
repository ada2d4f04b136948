"""Reading the audit: whether it is whole, who saw what, what somebody did; and blanking questions."""

from __future__ import annotations

import json
import mmap
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from citewell.adapters.audit.anchors import Anchors
from citewell.adapters.audit.checking import Checked, check_file
from citewell.adapters.audit.lines import NO_SALT, Line, parse_line
from citewell.adapters.audit.log_folder import ENDING, LogFolder
from citewell.core.errors import AuditFailed
from citewell.core.ports import AuditCheck, AuditEvent, AuditFinding, Sighting

_NEWLINE: Final = b"\n"


@dataclass(frozen=True, slots=True)
class LogArchive:
    """Implements ``AuditArchive`` for the files of ``folder``; what is done to them is written into ``log``."""

    folder: Path
    key: bytes
    anchors: Path
    log: LogFolder

    def check(self) -> AuditCheck:
        """Check every file against its chain, its anchor, and the erasures that were written down."""
        anchors = Anchors(self.anchors)
        checked = [check_file(path.stem, path.read_bytes(), self.key, anchors.read(path.stem)) for path in self._files()]
        findings = [finding for file in checked for finding in file.findings]
        findings += self._missing(anchors, checked)
        findings += _unexplained(checked)
        return AuditCheck(
            files=len(checked),
            lines=sum(file.lines for file in checked),
            findings=tuple(sorted(findings, key=lambda found: (found.file, found.line))),
            unanchored=tuple(file.name for file in checked if not file.anchored),
        )

    def sightings(self, document_id: str) -> list[Sighting]:
        """Return who was shown passages of the document."""
        inner = json.dumps(document_id, ensure_ascii=False)[:-1].encode("utf-8", "backslashreplace")
        found: dict[tuple[str, str], Sighting] = {}
        for path in self._files():
            for data in _lines_with(path, inner, followed_by=b':"'):
                fields = parse_line(data).fields
                if _shows(fields, document_id):
                    _sight(found, fields)
        return [found[key] for key in sorted(found)]

    def events(self, who: str) -> list[dict[str, Any]]:
        """Return what ``who`` did."""
        return [_event(line) for _, _, line in self._of(who)]

    def erase(self, who: str) -> int:
        """Blank the questions of ``who`` in place: another process may be writing the same file."""
        erased: list[str] = []
        for path, offset, line in self._of(who):
            if line.query is not None and not line.erased:
                _blank(path, offset, line)
                erased.append(f"{path.stem}:{line.fields['seq']}")
        event = AuditEvent(
            action="erase", who=who, kind="user", groups=(), via="audit", outcome="ok", target=who, shown=tuple(erased)
        )
        self.log.append(event)
        return len(erased)

    def _of(self, who: str) -> Iterator[tuple[Path, int, Line]]:
        needle = b'"who":' + json.dumps(who, ensure_ascii=False).encode("utf-8", "backslashreplace")
        for path in self._files():
            with _mapped(path) as data:
                for begin, end in _spans_with(data, needle):
                    line = parse_line(data[begin:end])
                    if line.fields.get("who") == who:
                        yield path, begin, line

    def _files(self) -> list[Path]:
        if not self.folder.is_dir():
            raise AuditFailed(f"There is no audit at {self.folder}.")
        return sorted(self.folder.glob(f"*{ENDING}"))

    def _missing(self, anchors: Anchors, checked: list[Checked]) -> Iterator[AuditFinding]:
        there = {file.name for file in checked}
        for name in anchors.names():
            if name not in there:
                yield AuditFinding(name, 0, "the file is gone")


def _unexplained(checked: list[Checked]) -> Iterator[AuditFinding]:
    """Yield a finding for every blanked question that no erasure accounts for."""
    explained = {place for file in checked for place in file.erasures}
    for file in checked:
        for number, place in file.erased:
            if place not in explained:
                yield AuditFinding(file.name, number, "the question was blanked, and no erasure says so")


def _shows(fields: dict[str, Any], document_id: str) -> bool:
    """Whether the event showed the document: lines of it, or passages, whose ids end in a number."""
    shown = fields.get("shown", ()) if fields.get("action") != "erase" else ()
    return any(document_id in (name, name.rpartition(":")[0]) for name in shown)


def _sight(found: dict[tuple[str, str], Sighting], fields: dict[str, Any]) -> None:
    key = fields["who"], fields["via"]
    before = found.get(key)
    first = before.first if before else fields["time"]
    found[key] = Sighting(*key, (before.times if before else 0) + 1, first, fields["time"])


def _event(line: Line) -> dict[str, Any]:
    fields = {name: value for name, value in line.fields.items() if name not in ("seq", "question")}
    return fields | ({} if line.query is None else {"query": line.question})


def _blank(path: Path, offset: int, line: Line) -> None:
    blanked = Line(line.record, line.mac, b" " * len(line.query or b""), NO_SALT).dump()
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.pwrite(descriptor, blanked, offset)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _mapped(path: Path) -> Iterator[mmap.mmap | bytes]:
    with path.open("rb") as file:
        if not os.fstat(file.fileno()).st_size:
            yield b""
            return
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            yield data


def _lines_with(path: Path, needle: bytes, followed_by: bytes) -> Iterator[bytes]:
    with _mapped(path) as data:
        for begin, end in _spans_with(data, needle, followed_by):
            yield data[begin:end]


def _spans_with(data: mmap.mmap | bytes, needle: bytes, followed_by: bytes = b"") -> Iterator[tuple[int, int]]:
    """Yield begin and end of every whole line that holds ``needle``, once each."""
    position = data.find(needle)
    while position >= 0:
        after = data[position + len(needle) : position + len(needle) + 1]
        if followed_by and after not in (followed_by[:1], followed_by[1:]):
            position = data.find(needle, position + 1)
            continue
        end = data.find(_NEWLINE, position) + 1
        if not end:
            return
        yield data.rfind(_NEWLINE, 0, position) + 1, end
        position = data.find(needle, end)
