"""Locks on files between processes. The system gives them back when the file is closed, or the process ends."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import msvcrt

    def _take(descriptor: int, *, wait: bool) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(descriptor: int, *, wait: bool) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def try_lock(descriptor: int) -> bool:
    """Take the file for this process, unless another has it; say whether it is ours."""
    try:
        _take(descriptor, wait=False)
    except OSError:
        return False
    return True


def wait_for_lock(descriptor: int) -> None:
    """Take the file for this process as soon as no other has it. Raises OSError where that cannot be waited for."""
    _take(descriptor, wait=True)
