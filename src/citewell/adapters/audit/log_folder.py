"""The audit on disk: a folder of JSON Lines files, each written by one process at a time."""

from __future__ import annotations

import errno
import logging
import os
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import anyio

from citewell.adapters.audit.anchors import Anchor, Anchors
from citewell.adapters.audit.lines import VERSION, Line, event_fields, parse_line, write_record
from citewell.adapters.audit.locking import try_lock
from citewell.core.errors import AuditFailed
from citewell.core.ports import AuditEvent

logger = logging.getLogger(__name__)

ENDING: Final = ".jsonl"
_MEGABYTE: Final = 1_000_000
_DAY: Final = 86_400
_TAIL_BYTES: Final = 1_000_000


@dataclass(slots=True)
class _Open:
    """The file that this process writes: how far it goes, and its last mac."""

    path: Path
    descriptor: int
    number: int
    mac: str
    anchor: Anchor | None


class LogFolder:
    """Implements ``AuditLog``. A process goes on with the last file if no other has it, so that commands share one."""

    def __init__(
        self,
        folder: Path,
        key: bytes,
        anchors: Path,
        *,
        required: bool,
        rotate_mb: int = 64,
        retention_days: int | None = None,
    ) -> None:
        self._folder = folder
        self._key = key
        self._anchors = Anchors(anchors)
        self._required = required
        self._limit = rotate_mb * _MEGABYTE
        self._retention = retention_days
        self._open: _Open | None = None
        self._warned = False

    async def record(self, event: AuditEvent) -> None:
        """Append ``event``; durable on return where the log is required, else handed to the system."""
        try:
            opened = self.append(event)
            if self._required:
                await anyio.to_thread.run_sync(os.fsync, opened.descriptor)
        except OSError as error:
            self._fail(error)

    async def close(self) -> None:
        """Close the file, and let another process go on with it."""
        self._release()

    def _release(self) -> None:
        opened, self._open = self._open, None
        if opened is not None:
            os.close(opened.descriptor)
            if opened.anchor is not None:
                opened.anchor.close()

    def _fail(self, error: OSError) -> None:
        if self._required:
            raise AuditFailed("The audit cannot be written, and nothing may happen without it.", detail=str(error)) from error
        if not self._warned:
            self._warned = True
            logger.warning(
                "The audit in %s cannot be written (%s); citewell goes on without it.", self._folder, error.strerror
            )

    def append(self, event: AuditEvent) -> _Open:
        """Write ``event`` and hand it to the system. Raises OSError."""
        opened = self._current()
        fields = event_fields(event, opened.number + 1, _now())
        self._write(opened, write_record(fields, opened.mac, self._key, event.query))
        return opened

    def _write(self, opened: _Open, line: Line) -> None:
        data = line.dump()
        if os.write(opened.descriptor, data) != len(data):
            # What is there of it is no line: no other may follow in this file.
            self._release()
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        opened.number += 1
        opened.mac = line.mac
        if opened.anchor is not None:
            opened.anchor.move(opened.number, line.mac)

    def _current(self) -> _Open:
        if self._open is not None and os.fstat(self._open.descriptor).st_size < self._limit:
            return self._open
        finished = self._open
        self._release()
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._open = (None if finished else self._continued()) or self._begun(finished)
        return self._open

    def _continued(self) -> _Open | None:
        """Return the newest file, if it can be gone on with: nobody has it, it is whole and not full."""
        newest = max(self._folder.glob(f"*{ENDING}"), default=None)
        if newest is None or newest.stat().st_size >= self._limit:
            return None
        descriptor = os.open(newest, os.O_RDWR | os.O_APPEND)
        last = _last_line(descriptor) if try_lock(descriptor) else None
        if last is None:
            os.close(descriptor)
            return None
        return _Open(newest, descriptor, last.fields["seq"], last.mac, self._anchors.open(newest.stem))

    def _begun(self, finished: _Open | None) -> _Open:
        name = f"{datetime.now(UTC):%Y%m%dT%H%M%S%f}-{secrets.token_hex(4)}"
        path = self._folder / f"{name}{ENDING}"
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o600)
        try_lock(descriptor)
        opened = _Open(path, descriptor, -1, name, self._anchors.open(name))
        header = {"seq": 0, "time": _now(), "file": name, "version": VERSION, "pid": os.getpid()}
        if finished is not None:
            header["continues"] = finished.path.stem
        self._write(opened, write_record(header, opened.mac, self._key))
        for old in self._outlived(path):
            fields = {"seq": opened.number + 1, "time": _now(), "action": "retention", "target": old.stem}
            self._write(opened, write_record(fields, opened.mac, self._key))
            old.unlink(missing_ok=True)
            self._anchors.forget(old.stem)
        return opened

    def _outlived(self, current: Path) -> list[Path]:
        if self._retention is None:
            return []
        before = time.time() - self._retention * _DAY
        return sorted(path for path in self._folder.glob(f"*{ENDING}") if path != current and path.stat().st_mtime < before)


def _last_line(descriptor: int) -> Line | None:
    """Return the last line of a file, None where it ends in the middle of one or is damaged there."""
    size = os.fstat(descriptor).st_size
    begin = max(size - _TAIL_BYTES, 0)
    tail = os.pread(descriptor, size - begin, begin)
    lines = tail.splitlines(keepends=True)
    with suppress(ValueError, KeyError):
        line = parse_line(lines[-1] if lines else b"")
        return line if isinstance(line.fields["seq"], int) else None
    return None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
