"""The store over two engines: Elasticsearch or OpenSearch for texts, Qdrant for vectors."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

import anyio

from citewell.adapters.stores.elastic_qdrant.address import Address, parse_address
from citewell.adapters.stores.elastic_qdrant.catalogue import Catalogue
from citewell.adapters.stores.elastic_qdrant.foreign_reader import PREFIX, ForeignReader
from citewell.adapters.stores.elastic_qdrant.layout import Names
from citewell.adapters.stores.elastic_qdrant.native_reader import NativeReader
from citewell.adapters.stores.elastic_qdrant.native_writer import NativeWriter
from citewell.adapters.stores.elastic_qdrant.passages import PassageQueue
from citewell.adapters.stores.elastic_qdrant.text_engine import TextEngine
from citewell.adapters.stores.elastic_qdrant.vector_engine import VectorEngine
from citewell.adapters.stores.together import together
from citewell.adapters.stores.versions import Analyze
from citewell.adapters.stores.vetting import vet_vector
from citewell.core.access import Tokens
from citewell.core.errors import BadLimit, DocumentNotFound, StoreError, StoreUnavailable
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

STATE_SECONDS: Final = 1.0
"""How long a search waits at most to hear whether the index has changed hands."""


class ElasticQdrantStore:
    """Implements ``Store``. Both engines are asked at the same time; where one is away, the other's answer is complete."""

    exact_isolation = False

    def __init__(self, address: Address, setup: StoreSetup, analyze: Analyze = index_terms) -> None:
        """Connect to nothing yet. ``analyze`` gives the terms of chunks."""
        names = Names(address.prefix)
        self._text = TextEngine(address, setup.secrets)
        self._vectors = VectorEngine(address, setup.secrets)
        self._native = NativeReader(self._text, self._vectors, names)
        self._foreign = tuple(ForeignReader(self._text, self._vectors, foreign) for foreign in setup.foreign)
        self._writer = NativeWriter(self._text, self._vectors, names, analyze)
        self._queue = PassageQueue(self._text, names)
        self._catalogue = Catalogue(self._text, names)
        self._patience = min(address.timeout, STATE_SECONDS)
        self._states: tuple[SourceState, ...] | None = None
        self._closed_to_readers = False

    async def lexical(self, query: LexicalQuery, *, visible: Tokens, filters: Filters, limit: int) -> Candidates:
        """Rank by BM25 in the text engine."""
        _check_limit(limit)
        asked = [partial(part.lexical, query, visible, filters, limit) for part in self._parts(filters)]
        return _merged(await together(asked), limit)

    async def dense(self, query: DenseQuery, *, visible: Tokens, filters: Filters, limit: int) -> Candidates:
        """Rank by vectors in Qdrant."""
        _check_limit(limit)
        vet_vector(query.vector, None)
        parts = [part for part in self._parts(filters) if not (self._closed_to_readers and part is self._native)]
        return _merged(await together([partial(part.dense, query, visible, filters, limit) for part in parts]), limit)

    async def chunks(self, ids: Sequence[ChunkId], *, visible: Tokens) -> dict[ChunkId, StoredChunk]:
        """Return the visible chunks among ``ids``: from the text engine, or else as the vector engine knows them."""
        ours = [name for name in ids if not name.startswith(PREFIX)]
        readers: list[tuple[Part, list[ChunkId]]] = [(self._native, ours)] if ours else []
        theirs = [name for name in ids if name.startswith(PREFIX)]
        readers += [(part, theirs) for part in self._foreign if theirs]
        try:
            found: list[dict[ChunkId, StoredChunk]] = await together(
                [partial(part.chunks, some, visible) for part, some in readers]
            )
        except StoreUnavailable:
            left = [(part, some) for part, some in readers if not (self._closed_to_readers and part is self._native)]
            found = await together([partial(part.chunks_of_points, some, visible) for part, some in left])
        known = {name: stored for part in found for name, stored in part.items()}
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
        parts: list[Catalogue | ForeignReader] = [self._catalogue, *self._foreign]
        asked = [partial(part.sources, visible) for part in parts]
        counts = [count for some in await together(asked) for count in some]
        return tuple(sorted(counts, key=lambda count: count.state.name))

    def writing(self) -> AbstractAsyncContextManager[None]:
        """Return a block of changes that belong together."""
        return self._writer.writing()

    async def apply(self, changes: Sequence[Change]) -> None:
        """Apply ``changes`` in order; what they write is found on return. Raises StoreError for a foreign collection."""
        foreign = {part.name for part in self._foreign}
        for change in changes:
            if isinstance(change, Replace) and change.document.info.collection in foreign:
                raise StoreError(
                    f"The collection {change.document.info.collection!r} is filled by others and only read here."
                )
        await self._writer.apply(changes)

    async def ledger(self, source: str) -> dict[str, Recorded]:
        """Return the ledger of a source by path."""
        return await self._catalogue.ledger(source)

    async def set_state(self, state: SourceState) -> None:
        """Keep ``state``."""
        await self._writer.set_state(state)

    async def drop_source(self, source: str) -> None:
        """Take a source away."""
        await self._writer.drop_source(source)

    async def states(self) -> tuple[SourceState, ...]:
        """Return the states of all sources of ours. While the text engine is away: as they were last.

        What was never read cannot be known to follow the rules: until it can, only foreign collections are searched, and
        where there are none, StoreUnavailable is raised.
        """
        try:
            with anyio.fail_after(self._patience):
                self._states = await self._catalogue.states()
        except (TimeoutError, StoreUnavailable) as error:
            if self._states is None and not self._foreign:
                raise StoreUnavailable("The text engine does not answer.") from error
            self._closed_to_readers = self._states is None
            return self._states or ()
        self._closed_to_readers = False
        return self._states

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
        """Release the connections."""
        await self._text.close()
        await self._vectors.close()

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
    """Return the store at ``rest``: the addresses of both engines, joined by a comma, and options. Connects when first used.

    Raises ConfigurationError.
    """
    return ElasticQdrantStore(parse_address(rest), setup)


def _merged(found: Sequence[Candidates], limit: int) -> Candidates:
    """Return several lists as one, by score."""
    hits = sorted((hit for part in found for hit in part.hits), key=lambda hit: (-hit.score, hit.chunk))
    known = [part for part in found if part.coverage is not None]
    return Candidates(
        hits=tuple(hits[:limit]),
        coverage=max((part.coverage or 0.0 for part in known), default=None),
        ceiling=max((part.ceiling or 0.0 for part in known), default=None),
        pending=any(part.pending for part in found),
    )


def _check_limit(limit: int) -> None:
    if limit < 1:
        raise BadLimit("The limit must be at least 1.")
