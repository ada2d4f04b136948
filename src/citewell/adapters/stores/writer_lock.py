"""The lock that keeps a store to one writing process."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Final

from citewell.adapters.locking import try_lock
from citewell.core.errors import StoreBusy

PATIENCE: Final = 0.5
"""Seconds to wait for a process that has the lock for a moment only, such as one that keeps the index when it ends."""


class WriterLock:
    """An advisory lock on a file. The system releases it when the process ends, however it ends."""

    def __init__(self, path: Path) -> None:
        """Prepare the lock; nothing is taken yet."""
        self._path = path
        self._descriptor: int | None = None

    @property
    def held(self) -> bool:
        """Whether this process has it."""
        return self._descriptor is not None

    def acquire(self) -> None:
        """Take the lock, unless it is held already. Raises StoreBusy when another process keeps it for itself."""
        if self._descriptor is not None:
            return
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        deadline = time.monotonic() + PATIENCE
        while not try_lock(descriptor):
            if time.monotonic() > deadline:
                os.close(descriptor)
                raise StoreBusy("Another process is writing to the store. Try again when it has finished.")
            time.sleep(0.01)
        self._descriptor = descriptor

    def release(self) -> None:
        """Give the lock back; does nothing when it is not held."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
