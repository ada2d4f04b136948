"""One writer at a time for a file, where the system can tell."""

from __future__ import annotations

import sys

if sys.platform == "win32":

    def try_lock(descriptor: int) -> bool:
        """Say that the file may be somebody else's: each process then begins one of its own."""
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
