"""The store over Milvus: a collection of chunks for each of ours, found by vectors and by BM25, and records beside them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from citewell.adapters.stores.milvus.address import Address, parse_address
from citewell.adapters.stores.milvus.engine import Engine
from citewell.adapters.stores.milvus.foreign_reader import PREFIX, ForeignReader
from citewell.adapters.stores.milvus.layout import Names
from citewell.adapters.stores.milvus.native_reader import NativeReader
from citewell.adapters.stores.milvus.native_writer import NativeWriter
from citewell.adapters.stores.milvus.passages import PassageQueue
from citewell.adapters.stores.milvus.record_book import RecordBook
from citewell.adapters.stores.milvus.shelves import Shelves
from citewell.adapters.stores.together import together
from citewell.adapters.stores.versions import Analyze
from citewell.adapters.stores.vetting import vet_vector
from citewell.core.access import Tokens
from citewell.core.errors import BadLimit, DocumentNotFound, StoreError
from citewell.core.model import ChunkId, Document, DocumentInfo, PassageHash, StoredChunk
from citewell.core.ports import (
    Candidates,
    Change,
    DenseQuery,
    DocumentPage,
    LexicalQuery,
    Passage,
    Recorded,
    Replace,
    SourceCount,
    SourceState,
    Store,
    StoreSetup,
)
from citewell.core.requests import Filters
from citewell.text.terms import index_terms

if TYPE_CHECKING:
    from citewell.core.ports import Vectors

T = TypeVar("T")
Part = NativeReader | ForeignReader


class MilvusStore:
    """Implements ``Store``. What is hidden is never returned; statistics of BM25 are those of a whole collection."""

    exact_isolation = False

    def __init__(self, address: Address, setup: StoreSetup, analyze: Analyze = index_terms) -> None:
        """Connect to nothing yet. ``analyze`` gives the terms of chunks."""
        names = Names(address.prefix)
        self._engine = Engine(address, setup.secrets)
        self._records = RecordBook(self._engine, names)
        self._shelves = Shelves(self._engine, names, self._records, setup.dimension)
        self._native = NativeReader(self._engine, self._records, self._shelves)
        self._foreign = tuple(ForeignReader(self._engine, foreign) for foreign in setup.foreign)
        self._queue = PassageQueue(self._records)
        self._writer = NativeWriter(self._engine, self._records, self._shelves, self._queue, analyze)

    async def lexical(self, query: LexicalQuery, *, visible: Tokens, filters: Filters, limit: int) -> Candidates:
        """Rank by Milvus' BM25."""
        _check_limit(limit)
        asked = [partial(part.lexical, query, visible, filters, limit) for part in self._parts(filters)]
        return _merged(await together(asked), limit)

    async def dense(self, query: DenseQuery, *, visible: Tokens, filters: Filters, limit: int) -> Candidates:
        """Rank by vectors."""
        _check_limit(limit)
        vet_vector(query.vector, None)
        asked = [partial(part.dense, query, visible, filters, limit) for part in self._parts(filters)]
        return _merged(await together(asked), limit)

    async def chunks(self, ids: Sequence[ChunkId], *, visible: Tokens) -> dict[ChunkId, StoredChunk]:
        """Return the visible chunks among ``ids``."""
        theirs = [name for name in ids if name.startswith(PREFIX)]
        asked: list[Callable[[], Awaitable[dict[ChunkId, StoredChunk]]]] = [
            partial(part.chunks, theirs, visible) for part in self._foreign if theirs
        ]
        ours = [name for name in ids if not name.startswith(PREFIX)]
        if ours:
            asked.append(partial(self._native.chunks, ours, visible))
        known = {name: stored for some in await together(asked) for name, stored in some.items()}
        return {name: known[name] for name in ids if name in known}

    async def document(self, document_id: str, *, visible: Tokens) -> Document:
        """Return the document of ours, or else of a foreign collection."""
        return await self._first(lambda part: part.document(document_id, visible))

    async def outline(self, document_id: str, *, visible: Tokens) -> tuple[StoredChunk, ...]:
        """Return the chunks of that document in order."""
        return await self._first(lambda part: part.outline(document_id, visible))

    async def documents(self, *, visible: Tokens, filters: Filters, offset: int, limit: int) -> DocumentPage:
        """Return a page of documents: ours first, then those of each foreign collection."""
        found: list[DocumentInfo] = []
        total = 0
        for part in self._parts(filters):
            rest = limit - len(found)
            page = await part.documents(visible, filters, max(offset - total, 0), max(rest, 1))
            found += page.items[: max(rest, 0)]
            total += page.total
        return DocumentPage(tuple(found), total)

    async def sources(self, *, visible: Tokens) -> tuple[SourceCount, ...]:
        """Return the sources that hold a visible document."""
        parts: list[Part] = [self._native, *self._foreign]
        counts = [count for some in await together([partial(part.sources, visible) for part in parts]) for count in some]
        return tuple(sorted(counts, key=lambda count: count.state.name))

    def writing(self) -> AbstractAsyncContextManager[None]:
        """Return a block of changes that belong together."""
        return self._writer.writing()

    async def apply(self, changes: Sequence[Change]) -> None:
        """Apply ``changes`` in order; what they write is found on return. Raises StoreError for a foreign collection."""
        for change in changes:
            if isinstance(change, Replace) and change.document.info.collection in {part.name for part in self._foreign}:
                raise StoreError(
                    f"The collection {change.document.info.collection!r} is filled by others and only read here."
                )
        await self._writer.apply(changes)

    async def ledger(self, source: str) -> dict[str, Recorded]:
        """Return the ledger of a source by path."""
        return await self._records.ledger(source)

    async def set_state(self, state: SourceState) -> None:
        """Keep ``state``."""
        await self._writer.set_state(state)

    async def drop_source(self, source: str) -> None:
        """Take a source away."""
        await self._writer.drop_source(source)

    async def states(self) -> tuple[SourceState, ...]:
        """Return the states of all sources of ours, and look again which collections there are."""
        states = await self._records.states()
        await self._shelves.refresh()
        return states

    async def pending(self, model: str, limit: int) -> list[Passage]:
        """Return passages that wait for a vector of ``model``."""
        return await self._queue.pending(model, limit)

    async def put_vectors(self, model: str, vectors: Mapping[PassageHash, Vectors]) -> None:
        """Keep vectors, found on return."""
        await self._writer.put_vectors(model, vectors)

    async def progress(self, model: str) -> tuple[int, int]:
        """Count the passages with a vector of ``model``, and all."""
        return await self._queue.progress(model)

    async def close(self) -> None:
        """Release the connection."""
        await self._engine.close()

    def _parts(self, filters: Filters) -> list[Part]:
        """Return what ``filters`` leave to be searched."""
        names = {part.name for part in self._foreign}
        ours = not filters.collections or not names.issuperset(filters.collections)
        theirs = [part for part in self._foreign if not filters.collections or part.name in filters.collections]
        return [*([self._native] if ours else []), *theirs]

    async def _first(self, ask: Callable[[Part], Awaitable[T]]) -> T:
        parts: list[Part] = [self._native, *self._foreign]
        for part in parts:
            try:
                return await ask(part)
            except DocumentNotFound:
                continue
        raise DocumentNotFound


def open_store(rest: str, setup: StoreSetup) -> Store:
    """Return the store at ``rest``: the address of a server or a file, and options. Connects when first used.

    Raises ConfigurationError.
    """
    return MilvusStore(parse_address(rest), setup)


def _merged(found: Sequence[Candidates], limit: int) -> Candidates:
    """Return several lists as one, by score. A leg is absent where no part found anything and one does not have it."""
    hits = sorted((hit for part in found for hit in part.hits), key=lambda hit: (-hit.score, hit.chunk))
    known = [part for part in found if part.coverage is not None]
    return Candidates(
        hits=tuple(hits[:limit]),
        coverage=max((part.coverage or 0.0 for part in known), default=None),
        ceiling=max((part.ceiling or 0.0 for part in known), default=None),
        pending=any(part.pending for part in found),
        absent="" if hits else next((part.absent for part in found if part.absent), ""),
    )


def _check_limit(limit: int) -> None:
    if limit < 1:
        raise BadLimit("The limit must be at least 1.")
