"""What citewell needs of the world outside, as protocols. A double of each ships with it; a chunker needs none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citewell.core.ports.audit import (
    AuditArchive,
    AuditCheck,
    AuditEvent,
    AuditFinding,
    AuditLog,
    AuditOutcome,
    Sighting,
)
from citewell.core.ports.changes import (
    Change,
    Note,
    PinAccess,
    Recorded,
    Remove,
    Replace,
    SetAccess,
    SourceCount,
    SourceState,
)
from citewell.core.ports.chunker import Chunker, Outline, Piece
from citewell.core.ports.detection import Detector, Finding
from citewell.core.ports.embedding import Embedder, Role
from citewell.core.ports.identity import AccessToken, Authenticator, CurrentPolicy, TokenStore
from citewell.core.ports.reranking import Reranker
from citewell.core.ports.source import Contents, EditableSource, Snapshot, Source, SourceFile
from citewell.core.ports.store import (
    Candidates,
    DenseQuery,
    DocumentPage,
    EmbeddingQueue,
    ForeignCollection,
    LexicalQuery,
    Passage,
    Ranked,
    Reader,
    Store,
    StoreSetup,
    Writer,
)

if TYPE_CHECKING:
    from citewell.core.ports.store import Vectors

__all__ = [
    "AccessToken",
    "AuditArchive",
    "AuditCheck",
    "AuditEvent",
    "AuditFinding",
    "AuditLog",
    "AuditOutcome",
    "Authenticator",
    "Candidates",
    "Change",
    "Chunker",
    "Contents",
    "CurrentPolicy",
    "DenseQuery",
    "Detector",
    "DocumentPage",
    "EditableSource",
    "Embedder",
    "EmbeddingQueue",
    "Finding",
    "ForeignCollection",
    "LexicalQuery",
    "Note",
    "Outline",
    "Passage",
    "Piece",
    "PinAccess",
    "Ranked",
    "Reader",
    "Recorded",
    "Remove",
    "Replace",
    "Reranker",
    "Role",
    "SetAccess",
    "Sighting",
    "Snapshot",
    "Source",
    "SourceCount",
    "SourceFile",
    "SourceState",
    "Store",
    "StoreSetup",
    "TokenStore",
    "Vectors",
    "Writer",
]
