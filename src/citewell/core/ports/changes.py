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
    """Give the document the ACL that the rules give it, unless its access is pinned. Nothing is embedded again."""

    source: str
    path: str
    acl: Acl


@dataclass(frozen=True, slots=True, kw_only=True)
class PinAccess:
    """Give the document an ACL of its own, which neither rules nor a later Replace change; None releases it.

    A released document keeps its ACL until a SetAccess or Replace gives it another.
    """

    source: str
    path: str
    acl: Acl | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Write a file into the ledger that has no document: it was skipped, or failed.

    An earlier document of that path stays.
    """

    source: str
    entry: LedgerEntry


Change = Replace | Remove | SetAccess | PinAccess | Note


@dataclass(frozen=True, slots=True)
class Recorded:
    """A ledger entry as stored, with the ACL of the document it led to (None where there is none), pinned or by the rules."""

    entry: LedgerEntry
    acl: Acl | None
    pinned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceState:
    """What the store knows of a source. ``complete`` is false when it could not be listed or the sync did not end.

    ``access`` is the stamp of the policy that its documents' ACLs follow.
    """

    name: str
    collection: str
    repository: str = ""
    commit: str = ""
    synced_at: str = ""
    complete: bool = True
    access: str = ""


@dataclass(frozen=True, slots=True)
class SourceCount:
    """A source with the number of its documents and chunks that the asker may read.

    ``outdated`` counts those of these documents whose file failed when it was last read.
    """

    state: SourceState
    documents: int
    chunks: int
    outdated: int = 0
