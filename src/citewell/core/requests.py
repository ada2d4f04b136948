"""What may be asked of the service, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from citewell.core.model import NO_METADATA, LedgerEntry, Lines, StoredChunk

Mode = Literal["auto", "hybrid", "bm25", "dense"]

MAX_RESULTS: Final = 50
RRF_K: Final = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009)."""

MAX_QUERY_CHARACTERS: Final = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Narrows a search to documents that match every field given; within a field, any value will do.

    ``paths`` holds globs in which ``**`` crosses folders. ``fields`` pairs names of `citewell.core.fields` with values:
    one of them must be the chunk's own field, or else its document's, as a whole or as an item of its list. So it is with
    ``versions``. An empty field admits everything.
    """

    collections: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    fields: tuple[tuple[str, tuple[str, ...]], ...] = ()


NO_FILTERS: Final = Filters()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """A question to be answered with passages."""

    query: str
    k: int = 8
    mode: Mode = "auto"
    filters: Filters = NO_FILTERS
    cursor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval:
    """How a question was searched for, and why so."""

    intent: str
    mode: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One passage found. ``score`` is 0..1, higher is better; ``ranks`` tells the place in each list, from 1.

    ``snippet`` is an exact part of the chunk, at ``snippet_lines`` of the document: the lines that match best.
    """

    stored: StoredChunk
    score: float
    ranks: Mapping[str, int]
    snippet: str
    snippet_lines: Lines

    @property
    def rrf(self) -> float:
        """The plain sum of reciprocal ranks, k = 60: what a tool whose contract says "RRF score" returns."""
        return sum(1 / (RRF_K + rank) for rank in self.ranks.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """Passages, best first. ``degraded`` names what did not take part; ``cursor`` continues the list."""

    hits: tuple[Hit, ...]
    retrieval: Retrieval
    degraded: tuple[str, ...] = ()
    cursor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRequest:
    """A question to be answered in words, from ``filters.collections`` or all."""

    question: str
    filters: Filters = NO_FILTERS


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """Where a label of an answer leads: to the chunk shown as ``passage``. ``quote`` is an exact part of it, at ``lines``."""

    id: str
    passage: str
    url: str
    title: str
    path: str
    lines: Lines
    section: str
    version: str | None
    score: float
    quote: str


DeclineReason = Literal["no_evidence", "low_support"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer whose every sentence carries a label, or an honest refusal with its ``reason``.

    A refusal has an empty ``text``; its citations are the nearest passages, which do not support an answer.
    """

    answerable: bool
    text: str
    citations: tuple[Citation, ...]
    retrieval: Retrieval
    reason: DeclineReason | None = None
    degraded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRequest:
    """A document, or the chunk ``doc_id:ordinal``, to be read from ``start_line`` to ``end_line``, both included."""

    id: str
    start_line: int = 1
    end_line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentView:
    """Lines of a document. ``next_start_line`` continues where the reader's limit cut it."""

    id: str
    title: str
    text: str
    url: str
    lines: Lines
    metadata: Mapping[str, str] = field(default_factory=lambda: NO_METADATA)
    next_start_line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListRequest:
    """Page ``page`` (from 1) of the documents in ``filters``, ``size`` to a page."""

    page: int = 1
    size: int = 20
    filters: Filters = NO_FILTERS


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentList:
    """Documents, whole, in the order of source and path; ``total`` counts what the caller may read on all pages."""

    items: tuple[DocumentView, ...]
    page: int
    size: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentText:
    """A document to be written: what people call it, and its whole text."""

    title: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceInfo:
    """A source as the caller sees it: the counts are of what he may read.

    ``last_sync`` is ISO 8601 in UTC, empty before the first. ``stale`` says that the last try did not succeed wholly.
    """

    name: str
    collection: str
    repository: str
    commit: str
    last_sync: str
    stale: bool
    documents: int
    chunks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncRequest:
    """Bring the index up to date with its sources: those named, or all. Without ``embed``, vectors wait in the queue."""

    sources: tuple[str, ...] = ()
    embed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a long call has come. ``total`` is 0 where it is not known yet."""

    stage: Literal["listing", "indexing", "embedding"]
    source: str
    done: int
    total: int


@dataclass(frozen=True, slots=True, order=True)
class FoundSecret:
    """Where something secret or personal stands, and what it is; never the thing itself."""

    path: str
    line: int
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceReport:
    """What became of every file of one source: ``entries`` and ``excluded`` (by the globs) add up to its tree.

    ``removed`` counts documents whose file is gone. ``error`` is the code of a failure of the source as a whole. ``findings``
    are the secrets and personal data in what was read this time.
    """

    source: str
    entries: tuple[LedgerEntry, ...] = ()
    excluded: int = 0
    removed: int = 0
    findings: tuple[FoundSecret, ...] = ()
    error: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncReport:
    """The outcome of a sync. ``embedding_error`` is the code of the model's failure, empty without one."""

    sources: tuple[SourceReport, ...]
    embedded: int = 0
    pending: int = 0
    embedding_error: str = ""
    message: str = ""

    @property
    def complete(self) -> bool:
        """Whether nothing failed: no source, no file, no vector."""
        failed = any(report.error or any(e.outcome == "failed" for e in report.entries) for report in self.sources)
        return not failed and not self.embedding_error
