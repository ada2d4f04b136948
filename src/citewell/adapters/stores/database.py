"""The SQLite file of a store: connections, transactions, and the one writer."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from citewell.adapters.stores.failures import store_errors
from citewell.adapters.stores.schema import prepare
from citewell.adapters.stores.writer_lock import WriterLock
from citewell.core.errors import StoreError

FILE_NAME: Final = "citewell.db"

_BUSY_SECONDS: Final = 10.0
_PAGE_SIZE: Final = 8192
"""A page holds two half-precision vectors of 1,536 dimensions, or six of 640."""


class Database:
    """Hands out connections. Readers never wait for the writer, nor it for them."""

    def __init__(self, folder: Path) -> None:
        """Open the store in ``folder``, creating what is missing. Raises StoreCorrupt or StoreError."""
        self.folder = folder
        with store_errors():
            if not folder.is_dir():
                folder.mkdir(parents=True)
            self._path = folder.absolute() / FILE_NAME
            self.writable = _may_write(folder) and (not self._path.exists() or _may_write(self._path))
            self._idle: deque[sqlite3.Connection] = deque()
            self._writer: sqlite3.Connection | None = None
            self._writing = threading.RLock()
            self.lock = WriterLock(folder / "writer.lock")
            self._closed = False
            self.wrote = False
            connection = self._connect()
            try:
                prepare(connection, writable=self.writable)
            finally:
                connection.close()

    @property
    def open(self) -> bool:
        """Whether ``close`` has not been called."""
        return not self._closed

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection inside one read transaction: what it sees does not change meanwhile."""
        with store_errors():
            connection = self._borrow()
            try:
                connection.execute("BEGIN")
                yield connection
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                self._give_back(connection)

    @contextmanager
    def exclusively(self) -> Iterator[None]:
        """Be the writer, in this process and among all. Raises StoreBusy."""
        with self._writing, store_errors():
            if self._closed:
                raise StoreError("The store is closed.")
            self.lock.acquire()
            self.wrote = True
            yield

    def let_go(self) -> None:
        """Let other processes write until this one does so again."""
        with self._writing:
            self.lock.release()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Lend the writer's connection inside one transaction: committed at the end, rolled back when anything goes wrong."""
        with self.exclusively():
            if self._writer is None:
                self._writer = self._connect()
                self._writer.execute("PRAGMA secure_delete = ON")
            connection = self._writer
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close every connection and release the lock. May be called twice."""
        with self._writing, store_errors():
            self._closed = True
            if self._writer is not None:
                self._writer.close()
                self._writer = None
            while self._idle:
                self._idle.pop().close()
            self.lock.release()

    def _borrow(self) -> sqlite3.Connection:
        if self._closed:
            raise StoreError("The store is closed.")
        try:
            return self._idle.pop()
        except IndexError:
            return self._connect()

    def _give_back(self, connection: sqlite3.Connection) -> None:
        if self._closed:
            connection.close()
        else:
            self._idle.append(connection)

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._address(), uri=True, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        if self.writable:
            connection.execute(f"PRAGMA page_size = {_PAGE_SIZE}")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA cache_size = -16384")
        return connection

    def _address(self) -> str:
        if self.writable:
            return f"{self._path.as_uri()}?mode=rwc"
        # Without a log to replay, a file that nobody can write is read without the lock files that cannot be created.
        log = self._path.with_name(f"{FILE_NAME}-wal")
        return f"{self._path.as_uri()}?mode=ro" + ("" if log.exists() else "&immutable=1")


def _may_write(path: Path) -> bool:
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)
