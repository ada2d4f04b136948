"""The audit on disk: a folder of JSON Lines files, each written by one process at a time."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import Any, Final

from citewell.adapters.audit.anchors import Anchors
from citewell.adapters.audit.lines import event_fields
from citewell.adapters.audit.locking import in_use
from citewell.adapters.audit.log_file import ENDING, LogFile, last_lines
from citewell.core.errors import AuditFailed
from citewell.core.ports import AuditEvent

logger = logging.getLogger(__name__)

_MEGABYTE: Final = 1_000_000


def utc_now() -> datetime:
    """Return what the time is."""
    return datetime.now(UTC)


class LogFolder:
    """Implements ``AuditLog``. A process goes on with the last file if no other has it, so that commands share one.

    Where lines are to be deleted after ``retention_days``, no file holds more than one day.
    """

    def __init__(
        self,
        folder: Path,
        key: bytes,
        anchors: Path,
        *,
        required: bool,
        rotate_mb: int = 64,
        retention_days: int | None = None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._folder = folder
        self._key = key
        self._anchors = Anchors(anchors, key)
        self._required = required
        self._limit = rotate_mb * _MEGABYTE
        self._retention = None if retention_days is None else timedelta(days=retention_days)
        self._clock = clock
        self._file: LogFile | None = None
        self._warned = False
        self._one_at_a_time = Lock()

    async def record(self, event: AuditEvent) -> None:
        """Append ``event``; durable on return where the log is required, else handed to the system."""
        try:
            file = self.append(event_fields(event), event.query)
            if self._required:
                await file.sync()
        except OSError as error:
            self._fail(error)

    async def close(self) -> None:
        """Close the file, and let another process go on with it."""
        self._release()

    def append(self, fields: dict[str, Any], query: str | None = None) -> LogFile:
        """Append one line, from any thread, and hand it to the system. Raises OSError."""
        with self._one_at_a_time:
            now = self._clock()
            try:
                file = self._current(now)
                file.write(fields, now, query)
            except OSError:
                self._release()
                raise
            return file

    def _release(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            file.close()

    def _fail(self, error: OSError) -> None:
        if self._required:
            raise AuditFailed("The audit cannot be written, and nothing may happen without it.", detail=str(error)) from error
        if not self._warned:
            self._warned = True
            logger.warning(
                "The audit in %s cannot be written (%s); citewell goes on without it.", self._folder, error.strerror
            )

    def _current(self, now: datetime) -> LogFile:
        finished = self._file
        if finished is not None and self._usable(finished, now):
            return finished
        self._release()
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        resumed = None if finished else self._resumed(now)
        if resumed is not None:
            self._file = resumed
            return resumed
        continues = finished.path.stem if finished else ""
        self._file = LogFile.begin(self._folder, self._key, self._anchors, now, continues)
        self._retire(self._file, now)
        return self._file

    def _usable(self, file: LogFile, now: datetime) -> bool:
        return 0 <= file.size < self._limit and (self._retention is None or file.day == f"{now:%Y%m%d}")

    def _resumed(self, now: datetime) -> LogFile | None:
        newest = max(self._folder.glob(f"*{ENDING}"), default=None)
        file = None if newest is None else LogFile.resume(newest, self._key, self._anchors)
        if file is None or self._usable(file, now):
            return file
        file.close()
        return None

    def _retire(self, file: LogFile, now: datetime) -> None:
        """Delete what has outlived its time; ``file`` says so first."""
        if self._retention is None:
            return
        for old in sorted(self._folder.glob(f"*{ENDING}")):
            if _ended_before(old, now - self._retention):
                file.write({"action": "retention", "target": old.stem}, now)
                self._anchors.forget(old.stem)
                _delete(old)


def _ended_before(path: Path, moment: datetime) -> bool:
    """Whether no process has the file, and its last line, or for want of a whole one the file itself, is older than that."""
    try:
        descriptor = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        return not in_use(descriptor) and _ended(descriptor) < moment
    finally:
        os.close(descriptor)


def _ended(descriptor: int) -> datetime:
    with suppress(IndexError, KeyError, TypeError, ValueError):
        return datetime.fromisoformat(last_lines(descriptor)[-1].fields["time"])
    return datetime.fromtimestamp(os.fstat(descriptor).st_mtime, UTC)


def _delete(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        logger.warning("%s has outlived its time and cannot be deleted: %s", path, error.strerror)
