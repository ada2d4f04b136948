"""Where documents, chunks and vectors are kept and found."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from citewell.core.access import Acl, Tokens
from citewell.core.model import ChunkId, Document, DocumentInfo, PassageHash, StoredChunk
from citewell.core.ports.changes import Change, Recorded, SourceCount, SourceState
from citewell.core.requests import Filters

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class LexicalQuery:
    """A query for BM25: the words as typed, for engines with an analyzer of their own, and our analyzed, weighted terms.

    ``words`` groups terms that stand for one word of the query, such as its stems in several languages; a term that is in no
    group is a word of its own. Scores are sums over terms; coverage counts words.
    """

    text: str
    terms: Mapping[str, float]
    words: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class DenseQuery:
    """A query for the vector leg: a float32 unit vector of the space ``model``."""

    model: str
    vector: Vectors


@dataclass(frozen=True, slots=True)
class Ranked:
    """A chunk and its score in one leg, higher is better."""

    chunk: ChunkId
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """What one leg found: best first, ties by chunk id, no chunk twice, no score of zero or less from BM25.

    ``coverage`` is the share (by inverse document frequency) of the query's words that occur in visible chunks, 0..1; None
    where the leg cannot tell. No BM25 score of the query reaches ``ceiling``. ``pending`` says that visible chunks within
    the filters still wait for their vectors. ``absent`` says in words why the store has no such leg for what was searched.
    """

    hits: tuple[Ranked, ...] = ()
    coverage: float | None = None
    ceiling: float | None = None
    pending: bool = False
    absent: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignCollection:
    """A collection that somebody else filled and that is only read. ``remote`` is its name in the engine.

    Everything in it may be read by ``acl``.
    """

    name: str
    remote: str
    acl: Acl


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreSetup:
    """What a store is opened with beside its address.

    ``secrets`` are those of the environment. ``dimension`` returns that of the configured embedder's vectors, which may load
    the model; it raises EmbeddingFailed.
    """

    secrets: Mapping[str, str] = field(default_factory=dict[str, str])
    foreign: tuple[ForeignCollection, ...] = ()
    dimension: Callable[[], Awaitable[int]] | None = None


@dataclass(frozen=True, slots=True)
class DocumentPage:
    """Some documents of a list, and how many there are on all its pages."""

    items: tuple[DocumentInfo, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A text that waits for its vector."""

    hash: PassageHash
    text: str


class Reader(Protocol):
    """The reading side of a store. ``visible`` is never optional: what it does not admit does not exist.

    ``exact_isolation`` says whether scores and order, too, depend on visible chunks alone. Every method raises
    StoreUnavailable where an engine that it needs does not answer.
    """

    @property
    def exact_isolation(self) -> bool:
        """Whether hidden documents leave no trace in scores and order either."""
        ...

    async def lexical(self, query: LexicalQuery, *, visible: Tokens, filters: Filters, limit: int) -> Candidates:
        """Rank by BM25 with the statistics of visible chunks. Filters narrow the list and leave the statistics alone."""
        ...

    async def dense(self, query: DenseQuery, *, visible: Tokens, filters: Filters, limit: int) -> Candidates:
        """Rank by the best window's dot product; exact under any filter.

        Raises WrongDimension when the vector does not fit the index.
        """
        ...

    async def chunks(self, ids: Sequence[ChunkId], *, visible: Tokens) -> dict[ChunkId, StoredChunk]:
        """Return the visible chunks among ``ids``."""
        ...

    async def document(self, document_id: str, *, visible: Tokens) -> Document:
        """Return the first visible document of that id, in the order of source names. Raises DocumentNotFound."""
        ...

    async def outline(self, document_id: str, *, visible: Tokens) -> tuple[StoredChunk, ...]:
        """Return the chunks of that document in order. Raises DocumentNotFound."""
        ...

    async def documents(self, *, visible: Tokens, filters: Filters, offset: int, limit: int) -> DocumentPage:
        """Return visible documents within ``filters`` (whose ``fields`` look at documents alone), by source and path."""
        ...

    async def sources(self, *, visible: Tokens) -> tuple[SourceCount, ...]:
        """Return the sources that hold a visible document, by name."""
        ...


class Writer(Protocol):
    """The writing side of a store. One process at a time holds it: from its first change on, until it lets go or ends."""

    def writing(self) -> AbstractAsyncContextManager[None]:
        """Return a block of changes that belong together: when the last one that is open ends, other processes may write."""
        ...

    async def apply(self, changes: Sequence[Change]) -> None:
        """Apply ``changes`` in order, each whole or not at all, durable on return.

        Raises StoreBusy when another process writes, StoreFull when the disk is full.
        """
        ...

    async def ledger(self, source: str) -> dict[str, Recorded]:
        """Return the ledger of a source by path."""
        ...

    async def set_state(self, state: SourceState) -> None:
        """Record when and at which commit a source was last synchronised."""
        ...

    async def drop_source(self, source: str) -> None:
        """Take a source away with all its documents, ledger and state."""
        ...

    async def states(self) -> tuple[SourceState, ...]:
        """Return the states of all sources by name, whoever asks: for the operator's side only."""
        ...


class EmbeddingQueue(Protocol):
    """The durable queue between the text, which is searchable at once, and its vectors, which follow."""

    async def pending(self, model: str, limit: int) -> list[Passage]:
        """Return passages without a vector of ``model``, oldest first, each hash once."""
        ...

    async def put_vectors(self, model: str, vectors: Mapping[PassageHash, Vectors]) -> None:
        """Store vectors, durable on return.

        Raises WrongDimension, or EmbeddingFailed for vectors that are zero, constant or not finite; nothing is stored then.
        """
        ...

    async def progress(self, model: str) -> tuple[int, int]:
        """Return how many distinct passages have a vector of ``model``, and how many there are."""
        ...


class Store(Reader, Writer, EmbeddingQueue, Protocol):
    """Everything that is kept."""

    async def close(self) -> None:
        """Release files and the writer's lock. May be called twice."""
        ...
