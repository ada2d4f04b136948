"""A store that keeps everything in memory and works everything out anew for each question.

It is the double of ``Store`` in tests and the oracle other stores are compared with: statistics are counted over the visible
chunks themselves, so there is nothing that could leak.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import TYPE_CHECKING

import numpy as np

from citewell.adapters.stores.bm25 import inverse_document_frequency, measure_reach
from citewell.adapters.stores.vetting import vet_vector, vet_vectors
from citewell.core.access import Acl, Tokens, may_read
from citewell.core.errors import BadLimit, DocumentNotFound
from citewell.core.model import Chunk, ChunkId, Document, DocumentInfo, LedgerEntry, PassageHash, StoredChunk, passage_hash
from citewell.core.ports import (
    Candidates,
    Change,
    DenseQuery,
    DocumentPage,
    LexicalQuery,
    Note,
    Passage,
    PinAccess,
    Recorded,
    Remove,
    Replace,
    SetAccess,
    SourceCount,
    SourceState,
    Store,
    StoreSetup,
)
from citewell.core.requests import Filters
from citewell.testing.memory_ranking import bm25, matches, matches_fields, rank
from citewell.text.terms import TermVector, index_terms

if TYPE_CHECKING:
    from citewell.core.ports import Vectors

Analyze = Callable[[Chunk, DocumentInfo], TermVector]


class MemoryStore:
    """Implements ``Store`` by brute force; not durable, for one process, for small corpora."""

    exact_isolation = True

    def __init__(self, analyze: Analyze = index_terms) -> None:
        """Create an empty store that takes the terms of chunks from ``analyze``."""
        self._analyze = analyze
        self._documents: dict[tuple[str, str], Replace] = {}
        self._pinned: set[tuple[str, str]] = set()
        self._ledgers: dict[str, dict[str, LedgerEntry]] = {}
        self._states: dict[str, SourceState] = {}
        self._passages: dict[PassageHash, str] = {}
        self._vectors: dict[str, dict[PassageHash, Vectors]] = {}

    async def lexical(self, query: LexicalQuery, *, visible: Tokens, filters: Filters, limit: int) -> Candidates:
        """Rank by BM25 over the visible chunks."""
        _check_limit(limit)
        corpus = [(stored, self._analyze(stored.chunk, stored.info)) for stored in self._chunks(visible)]
        containing = Counter(term for _, vector in corpus for term in vector.frequencies)
        average = math.fsum(vector.length for _, vector in corpus) / len(corpus) if corpus else 0.0
        worth = {
            term: weight * inverse_document_frequency(len(corpus), containing[term])
            for term, weight in sorted(query.terms.items())
        }
        coverage, ceiling = measure_reach(query, worth, {term for term in worth if containing[term]})
        scores = (
            (stored.chunk.id, bm25(worth, vector, average))
            for stored, vector in corpus
            if matches(stored.info, filters) and matches_fields(stored.field, filters)
        )
        return Candidates(
            hits=rank((pair for pair in scores if pair[1] > 0), limit),
            coverage=coverage,
            ceiling=ceiling,
        )

    async def dense(self, query: DenseQuery, *, visible: Tokens, filters: Filters, limit: int) -> Candidates:
        """Rank by the dot product with each chunk's best window."""
        _check_limit(limit)
        vectors = self._vectors.get(query.model, {})
        vector = vet_vector(query.vector, _dimension(vectors))
        scores: list[tuple[ChunkId, float]] = []
        pending = False
        for stored in self._chunks(visible):
            if matches(stored.info, filters) and matches_fields(stored.field, filters):
                hashes = [name for name, _ in _passages(stored.chunk, stored.info)]
                pending = pending or any(name not in vectors for name in hashes)
                scores += [(stored.chunk.id, float(np.dot(vectors[name], vector))) for name in hashes if name in vectors]
        return Candidates(hits=rank(scores, limit), pending=pending)

    async def chunks(self, ids: Sequence[ChunkId], *, visible: Tokens) -> dict[ChunkId, StoredChunk]:
        """Return the visible chunks among ``ids``."""
        found: dict[ChunkId, StoredChunk] = {}
        for stored in self._chunks(visible):
            found.setdefault(stored.chunk.id, stored)
        return {name: found[name] for name in ids if name in found}

    async def document(self, document_id: str, *, visible: Tokens) -> Document:
        """Return the first visible document of that id."""
        return self._find(document_id, visible).document

    async def outline(self, document_id: str, *, visible: Tokens) -> tuple[StoredChunk, ...]:
        """Return the chunks of the first visible document of that id."""
        found = self._find(document_id, visible)
        return tuple(StoredChunk(chunk, found.document.info) for chunk in found.chunks)

    async def documents(self, *, visible: Tokens, filters: Filters, offset: int, limit: int) -> DocumentPage:
        """List what is visible within ``filters``."""
        infos = [replace.document.info for replace in self._visible(visible)]
        chosen = [info for info in infos if matches(info, filters) and matches_fields(info.field, filters)]
        chosen.sort(key=lambda info: (info.source, info.path))
        return DocumentPage(tuple(chosen[offset : offset + limit]), len(chosen))

    async def sources(self, *, visible: Tokens) -> tuple[SourceCount, ...]:
        """Count what is visible of each source."""
        held: dict[str, list[Replace]] = {}
        for replace in self._visible(visible):
            held.setdefault(replace.document.info.source, []).append(replace)
        return tuple(
            SourceCount(
                self._state(name, some),
                documents=len(some),
                chunks=sum(len(replace.chunks) for replace in some),
                outdated=sum(self._ledgers[name][held.document.info.path].outcome == "failed" for held in some),
            )
            for name, some in sorted(held.items())
        )

    def writing(self) -> AbstractAsyncContextManager[None]:
        """Return a block that means nothing: there is no other process."""
        return nullcontext()

    async def apply(self, changes: Sequence[Change]) -> None:
        """Apply ``changes`` in order."""
        for change in changes:
            self._apply(change)
            self._settle_queue()

    async def ledger(self, source: str) -> dict[str, Recorded]:
        """Return the ledger of a source; the ACL is that of the document that is kept for the path now."""
        held = {path: replace.document.acl for (name, path), replace in self._documents.items() if name == source}
        entries = self._ledgers.get(source, {}).items()
        return {path: Recorded(entry, held.get(path), (source, path) in self._pinned) for path, entry in entries}

    async def set_state(self, state: SourceState) -> None:
        """Keep ``state``."""
        self._states[state.name] = state

    async def drop_source(self, source: str) -> None:
        """Forget the source."""
        self._documents = {key: value for key, value in self._documents.items() if key[0] != source}
        self._pinned = {key for key in self._pinned if key[0] != source}
        self._ledgers.pop(source, None)
        self._states.pop(source, None)
        self._settle_queue()

    async def states(self) -> tuple[SourceState, ...]:
        """Return the state of every source with a document, a ledger entry or a state of its own."""
        held: dict[str, list[Replace]] = {name: [] for name in [*self._states, *filter(self._ledgers.get, self._ledgers)]}
        for (name, _), replace in sorted(self._documents.items(), key=_first):
            held.setdefault(name, []).append(replace)
        return tuple(self._state(name, some) for name, some in sorted(held.items()))

    async def pending(self, model: str, limit: int) -> list[Passage]:
        """Return passages that wait for a vector of ``model``."""
        _check_limit(limit)
        wanted, vectors = self._wanted(), self._vectors.get(model, {})
        waiting = (name for name in self._passages if name in wanted and name not in vectors)
        return [Passage(name, wanted[name]) for name, _ in zip(waiting, range(limit), strict=False)]

    async def put_vectors(self, model: str, vectors: Mapping[PassageHash, Vectors]) -> None:
        """Keep the vectors of known passages that have none yet."""
        held = self._vectors.get(model, {})
        vetted = vet_vectors(vectors, _dimension(held))
        known = {name: vector.copy() for name, vector in vetted.items() if name in self._passages}
        if known:
            self._vectors[model] = known | held

    async def progress(self, model: str) -> tuple[int, int]:
        """Count the passages with a vector of ``model``, and all."""
        wanted = self._wanted()
        return sum(name in self._vectors.get(model, {}) for name in wanted), len(wanted)

    async def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _state(self, name: str, documents: Sequence[Replace]) -> SourceState:
        collection = min((held.document.info.collection for held in documents), default="")
        return self._states.get(name) or SourceState(name=name, collection=collection, complete=False)

    def _apply(self, change: Change) -> None:
        match change:
            case Replace():
                self._replace(change)
            case Remove(source=source, path=path, entry=entry):
                self._documents.pop((source, path), None)
                self._pinned.discard((source, path))
                self._ledgers.get(source, {}).pop(path, None)
                if entry is not None:
                    self._ledgers.setdefault(source, {})[entry.path] = entry
            case SetAccess(source=source, path=path, acl=acl):
                if (source, path) not in self._pinned:
                    self._set_acl((source, path), acl)
            case PinAccess():
                self._pin(change)
            case Note(source=source, entry=entry):
                self._ledgers.setdefault(source, {})[entry.path] = entry

    def _replace(self, change: Replace) -> None:
        key = change.document.info.source, change.document.info.path
        own = self._documents[key].document.acl if key in self._pinned else None
        self._documents[key] = change
        if own is not None:
            self._set_acl(key, own)
        self._ledgers.setdefault(key[0], {})[change.entry.path] = change.entry

    def _pin(self, change: PinAccess) -> None:
        key = change.source, change.path
        if change.acl is None:
            self._pinned.discard(key)
        elif key in self._documents:
            self._pinned.add(key)
            self._set_acl(key, change.acl)

    def _set_acl(self, key: tuple[str, str], acl: Acl) -> None:
        held = self._documents.get(key)
        if held:
            document = Document(info=held.document.info, text=held.document.text, acl=acl)
            self._documents[key] = Replace(document=document, chunks=held.chunks, entry=held.entry)

    def _settle_queue(self) -> None:
        """Queue new passages at the end; forget those that nothing refers to and no vector belongs to."""
        wanted = self._wanted()
        cached = {name for held in self._vectors.values() for name in held}
        kept = {name: text for name, text in self._passages.items() if name in wanted or name in cached}
        self._passages = kept | wanted

    def _wanted(self) -> dict[PassageHash, str]:
        return {
            name: text
            for replace in self._documents.values()
            for chunk in replace.chunks
            for name, text in _passages(chunk, replace.document.info)
        }

    def _visible(self, visible: Tokens) -> Iterator[Replace]:
        return (held for _, held in sorted(self._documents.items(), key=_first) if may_read(held.document.acl, visible))

    def _chunks(self, visible: Tokens) -> Iterator[StoredChunk]:
        return (StoredChunk(chunk, held.document.info) for held in self._visible(visible) for chunk in held.chunks)

    def _find(self, document_id: str, visible: Tokens) -> Replace:
        for replace in self._visible(visible):
            if replace.document.info.id == document_id:
                return replace
        raise DocumentNotFound


def open_store(rest: str, setup: StoreSetup) -> Store:
    """Return an empty store. Neither ``rest`` nor ``setup`` has a meaning."""
    return MemoryStore()


def _first(item: tuple[tuple[str, str], Replace]) -> tuple[str, str]:
    return item[0]


def _check_limit(limit: int) -> None:
    if limit < 1:
        raise BadLimit("The limit must be at least 1.")


def _dimension(vectors: Mapping[PassageHash, Vectors]) -> int | None:
    return next((vector.size for vector in vectors.values()), None)


def _passages(chunk: Chunk, info: DocumentInfo) -> Iterator[tuple[PassageHash, str]]:
    texts = (chunk.passage(window, info.title) for window in chunk.windows)
    return ((passage_hash(text), text) for text in texts)
