"""The one tree of errors.

    CitewellError
    ├── InvalidRequest            the caller asked for something that cannot be
    │   ├── EmptyQuery
    │   ├── EmptyTitle
    │   ├── EmptyDocument
    │   ├── BadPagination
    │   ├── UnsupportedFileType
    │   ├── BadLimit
    │   ├── BadCursor
    │   ├── BadFilter
    │   └── UnknownCollection
    ├── NotFound                  absent, or not for this caller: never told apart
    │   ├── DocumentNotFound
    │   ├── KnowledgeBaseNotFound no document at all that the caller may read
    │   └── NoRelevantResult      nothing reaches the configured threshold
    ├── DocumentReadOnly          its source does not let us write
    ├── Unauthenticated           nobody knows who the caller is
    ├── Forbidden                 the caller may not perform this kind of action at all
    ├── AuditFailed               the audit is required and cannot be written
    ├── ConfigurationError        citewell.yaml, environment or command line
    │   ├── UnknownKey
    │   ├── UnknownAdapter
    │   └── MissingExtra
    ├── SourceError               a source as a whole cannot be read
    │   ├── SourceRefused         it is not safe to read
    │   └── SourceUnreachable
    ├── FileRejected              one file cannot be indexed; the others go on
    ├── StoreError
    │   ├── StoreBusy             another process is writing
    │   ├── StoreFull             the disk is full
    │   ├── StoreCorrupt
    │   └── StoreUnavailable      an engine does not answer
    ├── VectorSearchFailed        vector search or reranking failed
    ├── RetrievalFailed           anything else that went wrong in a tool
    │   └── ToolTimeout
    └── EmbeddingFailed           the embedding model failed
        └── WrongDimension

Each class has a stable ``code``, the exit status the command line ends with and a message that is safe to show to anyone.
"""

from citewell.core.errors.base import CitewellError
from citewell.core.errors.operation import (
    AuditFailed,
    ConfigurationError,
    EmbeddingFailed,
    FileRejected,
    MissingExtra,
    RetrievalFailed,
    SourceError,
    SourceRefused,
    SourceUnreachable,
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreFull,
    StoreUnavailable,
    ToolTimeout,
    UnknownAdapter,
    UnknownKey,
    VectorSearchFailed,
    WrongDimension,
)
from citewell.core.errors.requests import (
    BadCursor,
    BadFilter,
    BadLimit,
    BadPagination,
    DocumentNotFound,
    DocumentReadOnly,
    EmptyDocument,
    EmptyQuery,
    EmptyTitle,
    Forbidden,
    InvalidRequest,
    KnowledgeBaseNotFound,
    NoRelevantResult,
    NotFound,
    Unauthenticated,
    UnknownCollection,
    UnsupportedFileType,
)

__all__ = [
    "AuditFailed",
    "BadCursor",
    "BadFilter",
    "BadLimit",
    "BadPagination",
    "CitewellError",
    "ConfigurationError",
    "DocumentNotFound",
    "DocumentReadOnly",
    "EmbeddingFailed",
    "EmptyDocument",
    "EmptyQuery",
    "EmptyTitle",
    "FileRejected",
    "Forbidden",
    "InvalidRequest",
    "KnowledgeBaseNotFound",
    "MissingExtra",
    "NoRelevantResult",
    "NotFound",
    "RetrievalFailed",
    "SourceError",
    "SourceRefused",
    "SourceUnreachable",
    "StoreBusy",
    "StoreCorrupt",
    "StoreError",
    "StoreFull",
    "StoreUnavailable",
    "ToolTimeout",
    "Unauthenticated",
    "UnknownAdapter",
    "UnknownCollection",
    "UnknownKey",
    "UnsupportedFileType",
    "VectorSearchFailed",
    "WrongDimension",
]
