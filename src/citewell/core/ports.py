"""What citewell needs of the world outside, as protocols. Every one has a double in ``citewell.testing``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from citewell.core.access import Acl, Tokens
from citewell.core.model import Chunk, ChunkId, Document, LedgerEntry, PassageHash, StoredChunk
from citewell.core.requests import Filters

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

Role = Literal["query", "passage"]


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into unit vectors whose dot product is their similarity.

    ``name`` identifies the vector space: equal names mean comparable vectors. A vector depends on its text and role
    alone, to the last bit, whatever else is in the call.
    """

    @property
    def name(self) -> str:
        """The identity of the vector space."""
        ...

    @property
    def degraded(self) -> tuple[str, ...]:
        """Reasons in lower_snake why this embedder is weaker than configured; usually none."""
        ...

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """Return float32 unit rows in the order of ``texts``, shape (len(texts), dimension).

        Raises EmbeddingFailed; never returns NaN, zero or missing rows.
        """
        ...


@dataclass(frozen=True, slots=True)
class LexicalQuery:
    """A query for BM25: the words as typed, for engines with an analyzer of their own, and our analyzed, weighted terms."""

    text: str
    terms: Mapping[str, float]


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

    ``coverage`` is the share (by inverse document frequency) of the query's terms that occur in visible chunks, 0..1; None
    where the leg cannot tell. ``ceiling`` is the largest BM25 score that the query could reach. ``pending`` says that
    visible chunks within the filters still wait for their vectors.
    """

    hits: tuple[Ranked, ...] = ()
    coverage: float | None = None
    ceiling: float | None = None
    pending: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceState:
    """What the store knows of a source. ``complete`` is false when a file failed or the sync did not end."""

    name: str
    collection: str
    repository: str = ""
    commit: str = ""
    synced_at: str = ""
    complete: bool = True


@dataclass(frozen=True, slots=True)
class SourceCount:
    """A source with the number of its documents and chunks that the asker may read."""

    state: SourceState
    documents: int
    chunks: int


class Reader(Protocol):
    """The reading side of a store. ``visible`` is never optional: what it does not admit does not exist.

    ``exact_isolation`` says whether scores and order, too, depend on visible chunks alone.
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

    async def sources(self, *, visible: Tokens) -> tuple[SourceCount, ...]:
        """Return the sources that hold a visible document, by name."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Replace:
    """Store this document and these chunks in place of whatever the document was."""

    document: Document
    chunks: tuple[Chunk, ...]
    entry: LedgerEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class Remove:
    """Take the document away, with its ledger entry or with ``entry`` in its place."""

    source: str
    path: str
    entry: LedgerEntry | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAccess:
    """Give the document another ACL. Nothing is embedded again."""

    source: str
    path: str
    acl: Acl


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Write a file into the ledger that has no document: it was skipped, or failed.

    An earlier document of that path stays.
    """

    source: str
    entry: LedgerEntry


Change = Replace | Remove | SetAccess | Note


@dataclass(frozen=True, slots=True)
class Recorded:
    """A ledger entry as stored, with the ACL of the document it led to (None where there is none)."""

    entry: LedgerEntry
    acl: Acl | None


class Writer(Protocol):
    """The writing side of a store; one process at a time holds it."""

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


@dataclass(frozen=True, slots=True)
class Passage:
    """A text that waits for its vector."""

    hash: PassageHash
    text: str


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


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A file of a snapshot. With ``skip`` set it is only accounted for, never read."""

    path: str
    fingerprint: str
    size: int
    skip: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A source at one moment: every file of its tree that lies within the globs, in the order of paths.

    ``excluded`` counts files outside the globs. ``permalink`` holds ``{path}``, and may hold ``{start}`` and ``{end}``; it is
    empty where the source has no address of its own. ``repository`` and ``commit`` are empty for a folder.
    """

    files: tuple[SourceFile, ...]
    excluded: int = 0
    repository: str = ""
    commit: str = ""
    permalink: str = ""


@dataclass(frozen=True, slots=True)
class Contents:
    """What reading a file gave: its bytes, or the reason why there are none."""

    file: SourceFile
    data: bytes = b""
    failure: str = ""


class Source(Protocol):
    """Where documents come from. Blocking; the caller runs it in a thread."""

    @property
    def name(self) -> str:
        """The name the configuration gives the source."""
        ...

    def snapshot(self) -> Snapshot:
        """List the source. Raises SourceRefused or SourceUnreachable."""
        ...

    def read(self, files: Sequence[SourceFile]) -> Iterator[Contents]:
        """Yield the contents of ``files`` of the last snapshot, in order, one for each."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A span that a chunker proposes: character offsets into the text it was given."""

    start: int
    end: int
    breadcrumb: tuple[str, ...] = ()
    symbol: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """What a chunker found: pieces in order that do not overlap and together hold every character that is not blank.

    ``title`` is the one the text gives itself; ``metadata`` comes from its front matter.
    """

    pieces: tuple[Piece, ...]
    title: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])


class Chunker(Protocol):
    """Cuts a text along its structure into pieces of at most ``limit`` characters. Pure; never fails on any text."""

    def __call__(self, text: str, path: str, limit: int) -> Outline:
        """Return the pieces of ``text``, which came from ``path``."""
        ...
