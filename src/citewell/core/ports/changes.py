"""What is written to a store, and what it knows of its sources."""

from __future__ import annotations

from dataclasses import dataclass

from citewell.core.access import Acl
from citewell.core.model import Chunk, Document, LedgerEntry


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
