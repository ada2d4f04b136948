"""One writer at a time for a file, where the system can tell."""

from __future__ import annotations

import sys

if sys.platform == "win32":

    def try_lock(descriptor: int) -> bool:
        """Say that the file may be somebody else's: each process then begins one of its own."""
        return False

    def in_use(descriptor: int) -> bool:
        """Say that nobody writes the file: the system itself refuses to delete one that is open."""
        return False

else:
    import fcntl

    def try_lock(descriptor: int) -> bool:
        """Take the file for this process; say whether nobody else has it. Closing it gives it back."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def in_use(descriptor: int) -> bool:
        """Say whether a process writes the file; if none does, it is ours until it is closed."""
        return not try_lock(descriptor)
