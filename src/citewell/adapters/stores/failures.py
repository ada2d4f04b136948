"""From the failures of SQLite and of the file system to the errors citewell speaks of."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from citewell.core.errors import StoreBusy, StoreCorrupt, StoreError, StoreFull

NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})

_FULL: Final = "There is no room left where the store is kept. Free some space and try again; what was stored is intact."
_CORRUPT: Final = "The store is damaged, or is not a citewell store. Restore it from a backup, or delete it and sync again."
_BUSY: Final = "Another process is writing to the store. Try again when it has finished."
_FAILED: Final = "The store cannot be read or written. Check that its folder exists and that you may write there."

_BY_CODE: Final[dict[int, tuple[type[StoreError], str]]] = {
    sqlite3.SQLITE_FULL: (StoreFull, _FULL),
    # A quota or a limit on file sizes reaches SQLite as a failed write, not as a full disk.
    sqlite3.SQLITE_IOERR_WRITE: (StoreFull, _FULL),
    sqlite3.SQLITE_CORRUPT: (StoreCorrupt, _CORRUPT),
    sqlite3.SQLITE_NOTADB: (StoreCorrupt, _CORRUPT),
    sqlite3.SQLITE_BUSY: (StoreBusy, _BUSY),
    sqlite3.SQLITE_LOCKED: (StoreBusy, _BUSY),
}


@contextmanager
def store_errors() -> Iterator[None]:
    """Raise StoreFull, StoreBusy, StoreCorrupt or StoreError for what goes wrong inside."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0)
        kind, message = _BY_CODE.get(code) or _BY_CODE.get(code & 0xFF) or (StoreError, _FAILED)
        raise kind(message, detail=str(error)) from error
    except OSError as error:
        if error.errno in NO_ROOM:
            raise StoreFull(_FULL, detail=str(error)) from error
        raise StoreError(_FAILED, detail=str(error)) from error
