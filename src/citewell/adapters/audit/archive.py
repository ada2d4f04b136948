"""Reading the audit: whether it is whole, who saw what, what somebody did; and blanking questions."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from citewell.adapters.audit.anchors import Anchors
from citewell.adapters.audit.checking import Checked, check_file
from citewell.adapters.audit.lines import NO_SALT, Line, parse_line
from citewell.adapters.audit.log_file import ENDING
from citewell.adapters.audit.log_folder import LogFolder
from citewell.adapters.audit.searching import encode, find_sightings, mapped, spans_with
from citewell.core.errors import AuditFailed
from citewell.core.ports import AuditCheck, AuditFinding, Sighting

logger = logging.getLogger(__name__)

_AT_ONCE: Final = 500
"""Questions that one line of an erasure names."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A line where it stands, taken apart."""

    path: Path
    offset: int
    line: Line
    fields: dict[str, Any]
    question: str | None

    @property
    def event(self) -> dict[str, Any]:
        """What happened, without what only the chain needs; a question that was erased is None."""
        fields = {name: value for name, value in self.fields.items() if name not in ("seq", "question")}
        return fields | ({} if self.line.query is None else {"query": self.question})


@dataclass(frozen=True, slots=True)
class LogArchive:
    """Implements ``AuditArchive`` for the files of ``folder``; what is done to them is written into ``log``."""

    folder: Path
    key: bytes
    anchors: Path
    log: LogFolder

    def check(self) -> AuditCheck:
        """Check every file against its chain, its anchor, and the erasures that were written down."""
        with _readable():
            anchors = Anchors(self.anchors, self.key)
            checked = [self._settled(path, anchors) for path in self._files()]
            findings = [finding for file in checked for finding in file.findings]
            findings += _missing(anchors, checked)
            findings += _unexplained(checked)
            return AuditCheck(
                files=tuple(file.name for file in checked),
                lines=sum(file.lines for file in checked),
                findings=tuple(sorted(findings, key=lambda found: (found.file, found.line))),
                unanchored=tuple(file.name for file in checked if not file.anchored),
            )

    def sightings(self, document_id: str) -> list[Sighting]:
        """Return who was shown passages of the document."""
        with _readable():
            return find_sightings(self._files(), document_id)

    def events(self, who: str) -> list[dict[str, Any]]:
        """Return what ``who`` did."""
        with _readable():
            return sorted((place.event for place in self._of(who)), key=lambda event: str(event["time"]))

    def erase(self, who: str) -> int:
        """Blank the questions of ``who`` in place: another process may be writing the same file.

        That they are erased is written first, so that no blank is ever unexplained.
        """
        with _readable():
            asked = [place for place in self._of(who) if place.question is not None]
            for some in (asked[begin : begin + _AT_ONCE] for begin in range(0, len(asked), _AT_ONCE)):
                questions = [f"{place.path.stem}:{place.fields['seq']}" for place in some]
                self.log.append({"action": "erase", "target": who, "questions": questions})
                _blank(some)
            return len(asked)

    def _settled(self, path: Path, anchors: Anchors) -> Checked:
        """Return what is found in a file; what looks torn is looked at again, for it may just be being written."""
        checked = self._check(path, anchors)
        return self._check(path, anchors) if checked.torn else checked

    def _check(self, path: Path, anchors: Anchors) -> Checked:
        # The anchor first: while a process writes, the file may go further than its anchor, and never less far.
        try:
            anchor, problem = anchors.read(path.stem), ""
        except AuditFailed as error:
            anchor, problem = None, error.message
        with mapped(path) as data:
            lines = data.splitlines(keepends=True) if isinstance(data, bytes) else iter(data.readline, b"")
            checked = check_file(path.stem, lines, self.key, anchor)
        if problem:
            checked.note(problem)
        return checked

    def _of(self, who: str) -> Iterator[_Place]:
        needle = b'"who":"' + encode(who) + b'"'
        for path in self._files():
            with mapped(path) as data:
                for begin, end in spans_with(data, needle):
                    place = _parsed(data[begin:end], path, begin)
                    if place is not None and place.fields.get("who") == who:
                        yield place

    def _files(self) -> list[Path]:
        if not self.folder.is_dir():
            raise AuditFailed(f"There is no audit at {self.folder}.")
        return sorted(path for path in self.folder.iterdir() if path.suffix == ENDING)


def _missing(anchors: Anchors, checked: Sequence[Checked]) -> Iterator[AuditFinding]:
    accounted = {file.name for file in checked}.union(*(file.retired for file in checked))
    for name in anchors.names():
        if name not in accounted:
            yield AuditFinding(name, 0, "the file is gone")


def _unexplained(checked: Sequence[Checked]) -> Iterator[AuditFinding]:
    """Yield a finding for every blanked question that no erasure accounts for."""
    explained = set[str]().union(*(file.explained for file in checked))
    for file in checked:
        for number, place in file.erased:
            if place not in explained:
                yield AuditFinding(file.name, number, "the question was blanked, and no erasure says so")


def _parsed(data: bytes, path: Path, offset: int) -> _Place | None:
    """Return the line; None for one that is damaged, which hides nothing of the others."""
    try:
        line = parse_line(data)
        return _Place(path, offset, line, line.fields, line.question)
    except ValueError:
        logger.warning("%s holds a line that is no line of an audit; `citewell audit verify` says which.", path)
        return None


def _blank(places: Sequence[_Place]) -> None:
    for path in dict.fromkeys(place.path for place in places):
        descriptor = os.open(path, os.O_RDWR)
        try:
            for place in places:
                if place.path == path:
                    os.pwrite(descriptor, _blanked(place.line).dump(), place.offset)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _blanked(line: Line) -> Line:
    return Line(line.record, line.mac, b" " * len(line.query or b""), NO_SALT)


@contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise AuditFailed("The audit cannot be read, or not be written to.", detail=str(error)) from error
