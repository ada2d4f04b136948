"""One file of the audit, as the process has it that writes it."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import anyio

from citewell.adapters.audit.anchors import Anchor, Anchors, Reach
from citewell.adapters.audit.lines import VERSION, Line, chain, parse_line, write_record
from citewell.adapters.audit.locking import try_lock
from citewell.core.errors import AuditFailed

ENDING: Final = ".jsonl"
_TAIL_BYTES: Final = 250_000
_DAY_DIGITS: Final = 8


@dataclass(slots=True)
class LogFile:
    """A file that this process alone appends to. After an OSError it must be closed: what is there of a line is no line."""

    path: Path
    key: bytes
    descriptor: int
    reach: Reach
    anchor: Anchor | None

    @classmethod
    def begin(cls, folder: Path, key: bytes, anchors: Anchors, now: datetime, continues: str = "") -> LogFile:
        """Return a new file with its first line, the successor of ``continues``. Raises OSError, and leaves nothing then."""
        name = f"{now:%Y%m%dT%H%M%S%f}-{secrets.token_hex(4)}"
        path = folder / f"{name}{ENDING}"
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o600)
        try_lock(descriptor)
        file = cls(path, key, descriptor, Reach(-1, name), anchors.open(name))
        header = {"file": name, "version": VERSION, "pid": os.getpid()}
        try:
            file.write(header | ({"continues": continues} if continues else {}), now)
        except OSError:
            file.close()
            path.unlink()
            anchors.forget(name)
            raise
        return file

    @classmethod
    def resume(cls, path: Path, key: bytes, anchors: Anchors) -> LogFile | None:
        """Return a file to go on with, None where another process has it or its end is not the one that was written."""
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND)
        reach = _end(path.stem, descriptor, key, anchors) if try_lock(descriptor) else None
        if reach is None:
            os.close(descriptor)
            return None
        return cls(path, key, descriptor, reach, anchors.open(path.stem))

    @property
    def day(self) -> str:
        """The day on which the file was begun, as in its name."""
        return self.path.stem[:_DAY_DIGITS]

    @property
    def size(self) -> int:
        """Bytes so far; -1 for a file that somebody deleted, so that nothing more may be written to it."""
        status = os.fstat(self.descriptor)
        return status.st_size if status.st_nlink else -1

    def write(self, fields: Mapping[str, Any], now: datetime, query: str | None = None) -> None:
        """Append one line and hand it to the system. Raises OSError."""
        numbered = {"seq": self.reach.number + 1, "time": stamp(now), **fields}
        line = write_record(numbered, self.reach.mac, self.key, query)
        data = line.dump()
        written = os.write(self.descriptor, data)
        if written != len(data):
            os.ftruncate(self.descriptor, os.fstat(self.descriptor).st_size - written)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.reach = Reach(self.reach.number + 1, line.mac)
        if self.anchor is not None:
            self.anchor.move(self.reach)

    async def sync(self) -> None:
        """Return when all lines are on the disk. Raises OSError. The file may be closed meanwhile."""
        await anyio.to_thread.run_sync(_sync, os.dup(self.descriptor))

    def close(self) -> None:
        """Let another process go on with the file."""
        os.close(self.descriptor)
        if self.anchor is not None:
            self.anchor.close()


def stamp(now: datetime) -> str:
    """Return a time as lines carry it."""
    return now.isoformat(timespec="milliseconds")


def last_lines(descriptor: int) -> list[Line]:
    """Return the last line of a file and the one before it; fewer, or none, where the end is not whole."""
    size = os.fstat(descriptor).st_size
    begin = max(size - _TAIL_BYTES, 0)
    lines = os.pread(descriptor, size - begin, begin).splitlines(keepends=True)
    found: list[Line] = []
    with suppress(ValueError):
        for raw in reversed(lines[-2:]):
            found.insert(0, parse_line(raw))
    return found


def _end(name: str, descriptor: int, key: bytes, anchors: Anchors) -> Reach | None:
    """Return how far the file goes, None unless its last line is chained with our key and its anchor agrees.

    A process that is killed between line and anchor leaves an anchor that is one line behind.
    """
    lines = last_lines(descriptor)
    try:
        number = lines[-1].fields["seq"]
        anchor = anchors.read(name)
    except (AuditFailed, IndexError, KeyError, ValueError):
        return None
    last, before = lines[-1], lines[-2].mac if len(lines) > 1 else name
    if chain(key, before, last.record) != last.mac or not isinstance(number, int):
        return None
    reach = Reach(number, last.mac)
    return reach if anchor in (None, reach, Reach(number - 1, before)) else None


def _sync(descriptor: int) -> None:
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
