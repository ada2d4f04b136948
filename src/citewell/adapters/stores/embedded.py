"""The embedded store: a folder on this machine, exact for every reader, fast without a server."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from anyio import CancelScope
from anyio.to_thread import run_sync

from citewell.adapters.stores import documents, ledger, queue
from citewell.adapters.stores.changes import apply_changes, erase_source
from citewell.adapters.stores.database import Database
from citewell.adapters.stores.index import Index
from citewell.adapters.stores.ranking import rank_terms, rank_vectors
from citewell.adapters.stores.renewal import Analyze, renew_facets, renew_terms
from citewell.adapters.stores.vectors import VectorSpace
from citewell.adapters.stores.vetting import vet_vector
from citewell.core.access import Tokens
from citewell.core.errors import BadLimit, ConfigurationError, StoreError
from citewell.core.model import ChunkId, Document, PassageHash, StoredChunk
from citewell.core.ports import (
    Candidates,
    Change,
    DenseQuery,
    DocumentPage,
    LexicalQuery,
    Passage,
    Recorded,
    SourceCount,
    SourceState,
    Store,
    StoreSetup,
)
from citewell.core.requests import Filters
from citewell.text.terms import ANALYZER_VERSION, index_terms

if TYPE_CHECKING:
    from citewell.core.ports import Vectors

T = TypeVar("T")

NO_SETUP: Final = StoreSetup()

_LOG: Final = logging.getLogger(__name__)

SAVE_AFTER: Final = 5_000
"""New documents or vectors after which a running sync considers to write the index to files."""

SAVE_AT_CLOSE: Final = 200
"""The same when the store is closed. Fewer are read again from the tables at the next start, in milliseconds."""


class EmbeddedStore:
    """Implements ``Store``. Any number of tasks may call it at the same time; every call works in a thread of its own."""

    exact_isolation = True

    def __init__(self, folder: Path, analyze: Analyze = index_terms, version: str = ANALYZER_VERSION) -> None:
        """Open the store in ``folder``; ``analyze`` gives the terms of chunks and changes only with ``version``.

        Raises StoreCorrupt for a store that is damaged, foreign or from a later version, StoreError for one out of reach.
        """
        self._analyze = analyze
        self._database = Database(folder)
        renew_terms(self._database, analyze, version)
        renew_facets(self._database)
        self._index = Index(self._database)
        self._documents_written = 0
        self._vectors_written = 0
        self._models_written: set[str] = set()
        self._blocks = 0

    async def lexical(self, query: LexicalQuery, *, visible: Tokens, filters: Filters, limit: int) -> Candidates:
        """Rank by BM25 over the visible chunks."""
        return await run_sync(self._lexical, query, visible, filters, limit)

    async def dense(self, query: DenseQuery, *, visible: Tokens, filters: Filters, limit: int) -> Candidates:
        """Rank by the best window's dot product."""
        return await run_sync(self._dense, query, visible, filters, limit)

    async def chunks(self, ids: Sequence[ChunkId], *, visible: Tokens) -> dict[ChunkId, StoredChunk]:
        """Return the visible chunks among ``ids``."""
        return await self._read(lambda connection: documents.read_chunks(connection, ids, visible))

    async def document(self, document_id: str, *, visible: Tokens) -> Document:
        """Return the first visible document of that id."""
        return (await self._read(lambda connection: documents.read_document(connection, document_id, visible)))[1]

    async def outline(self, document_id: str, *, visible: Tokens) -> tuple[StoredChunk, ...]:
        """Return the chunks of that document in order."""
        return await self._read(lambda connection: documents.read_outline(connection, document_id, visible))

    async def documents(self, *, visible: Tokens, filters: Filters, offset: int, limit: int) -> DocumentPage:
        """List what is visible within ``filters``."""
        return await run_sync(self._documents, visible, filters, offset, limit)

    async def sources(self, *, visible: Tokens) -> tuple[SourceCount, ...]:
        """Return the sources that hold a visible document."""
        counts = (await run_sync(self._index.current)).counts(visible)
        states = await self._read(ledger.read_states)
        outdated = await self._read(lambda connection: ledger.count_outdated(connection, visible))
        return tuple(
            SourceCount(states.get(name) or ledger.unfinished(name, collection), held, chunks, outdated.get(name, 0))
            for name, (collection, held, chunks) in sorted(counts.items())
        )

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[None]:
        """Keep other processes from writing between the changes of the block, and not for longer."""
        self._blocks += 1
        try:
            yield
        finally:
            self._blocks -= 1
            if not self._blocks:
                with CancelScope(shield=True):
                    await run_sync(self._database.let_go)

    async def apply(self, changes: Sequence[Change]) -> None:
        """Apply ``changes``, each whole or not at all."""
        await run_sync(self._apply, changes)

    async def ledger(self, source: str) -> dict[str, Recorded]:
        """Return the ledger of a source; the ACL is that of the document that is kept for the path now."""
        return await self._read(lambda connection: ledger.read_ledger(connection, source))

    async def set_state(self, state: SourceState) -> None:
        """Record ``state``."""
        await self._write(lambda connection: ledger.write_state(connection, state))

    async def drop_source(self, source: str) -> None:
        """Take a source away, in one transaction."""
        await self._write(lambda connection: erase_source(connection, source))

    async def states(self) -> tuple[SourceState, ...]:
        """Return the states of all sources."""
        return await self._read(ledger.read_all_states)

    async def pending(self, model: str, limit: int) -> list[Passage]:
        """Return passages that wait for a vector of ``model``."""
        _check_limit(limit)
        return await self._read(lambda connection: queue.read_pending(connection, model, limit))

    async def put_vectors(self, model: str, vectors: Mapping[PassageHash, Vectors]) -> None:
        """Store ``vectors``, in one transaction."""
        await run_sync(self._put_vectors, model, vectors)

    async def progress(self, model: str) -> tuple[int, int]:
        """Count the passages with a vector of ``model``, and all."""
        return await self._read(lambda connection: queue.read_progress(connection, model))

    async def close(self) -> None:
        """Release files and the lock; keep the index in files where that makes the next start quicker."""
        await run_sync(self._close)

    async def _read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        def read() -> T:
            with self._database.reading() as connection:
                return query(connection)

        return await run_sync(read)

    async def _write(self, change: Callable[[sqlite3.Connection], None]) -> None:
        def write() -> None:
            with self._database.writing() as connection:
                change(connection)

        await run_sync(write)

    def _lexical(self, query: LexicalQuery, visible: Tokens, filters: Filters, limit: int) -> Candidates:
        _check_limit(limit)
        snapshot = self._index.current()
        audience, scope = snapshot.audience(visible), snapshot.scope(visible, filters)
        return rank_terms(snapshot.parts, audience, scope, query, limit)

    def _dense(self, query: DenseQuery, visible: Tokens, filters: Filters, limit: int) -> Candidates:
        _check_limit(limit)
        snapshot = self._index.current(query.model)
        space = snapshot.spaces.get(query.model)
        vector = vet_vector(query.vector, space.dimension if space else None)
        space = space or VectorSpace(model=0, dimension=vector.size)
        return rank_vectors(snapshot.parts, snapshot.vectors(visible, filters, space), space, vector, limit)

    def _documents(self, visible: Tokens, filters: Filters, offset: int, limit: int) -> DocumentPage:
        rows = self._index.current().listed(visible, filters)
        with self._database.reading() as connection:
            found = documents.read_infos(connection, rows[offset : offset + limit].tolist(), visible)
            return DocumentPage(tuple(found), len(rows))

    def _apply(self, changes: Sequence[Change]) -> None:
        with self._database.exclusively():
            apply_changes(self._database, self._analyze, changes)
            self._documents_written += len(changes)
            if self._documents_written >= SAVE_AFTER:
                self._documents_written = 0
                self._save(SAVE_AFTER, share=0.5)

    def _put_vectors(self, model: str, vectors: Mapping[PassageHash, Vectors]) -> None:
        with self._database.exclusively():
            with self._database.writing() as connection:
                queue.write_vectors(connection, model, vectors)
            self._models_written.add(model)
            self._vectors_written += len(vectors)
            if self._vectors_written >= SAVE_AFTER:
                self._vectors_written = 0
                self._save(SAVE_AFTER, share=0.5)

    def _save(self, least: int, share: float) -> None:
        """Drop spare vectors; keep the index in files where ``least`` changes, and a ``share`` of all, are not in them."""
        try:
            if self._database.wrote:
                with self._database.writing() as connection:
                    queue.drop_spare_vectors(connection)
            for name in self._index.outdated(self._models_written, least, share):
                with self._database.exclusively():
                    self._index.save(name)
        except StoreError as error:
            # What was written is safe in the tables; the files can be made at any later time.
            _LOG.info("The index could not be kept in files: %s %s", error.message, error.detail)

    def _close(self) -> None:
        if not self._database.open:
            return
        if self._database.writable and (self._database.wrote or self._index.used):
            self._save(SAVE_AT_CLOSE, share=0.02)
        self._database.close()


def open_store(rest: str, setup: StoreSetup = NO_SETUP) -> Store:
    """Return the store in the folder ``rest``, which is created when missing.

    Raises ConfigurationError for foreign collections: nobody else fills it.
    """
    if setup.foreign:
        raise ConfigurationError(f"The collection {setup.foreign[0].name!r} cannot be foreign: the store is our own.")
    return EmbeddedStore(Path(rest).expanduser())


def _check_limit(limit: int) -> None:
    if limit < 1:
        raise BadLimit("The limit must be at least 1.")
