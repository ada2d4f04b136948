"""One writer at a time for a file of the audit, where a lock does not keep others from reading it, as on Windows it does."""

from __future__ import annotations

import sys

from citewell.adapters import locking


def try_lock(descriptor: int) -> bool:
    """Take the file for this process, and say whether nobody else has it; on Windows, each begins one of its own."""
    return sys.platform != "win32" and locking.try_lock(descriptor)


def in_use(descriptor: int) -> bool:
    """Say whether a process writes the file; if none does, it is ours until it is closed.

    On Windows that is never known: the system itself refuses to delete one that is open.
    """
    return sys.platform != "win32" and not locking.try_lock(descriptor)
