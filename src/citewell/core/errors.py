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

from __future__ import annotations

from typing import ClassVar


class CitewellError(Exception):
    """Anything citewell refuses to do or cannot do.

    ``message`` is safe to show to the caller; ``detail`` is for the operator's log only.
    """

    code: ClassVar[str] = "CITEWELL_ERROR"
    exit_status: ClassVar[int] = 1

    def __init__(self, message: str, *, detail: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail


class InvalidRequest(CitewellError):
    """The request is malformed; the same request will fail again."""

    code = "INVALID_REQUEST"
    exit_status = 64


class EmptyQuery(InvalidRequest):
    """The query or question is blank."""

    code = "EMPTY_QUERY"


class EmptyTitle(InvalidRequest):
    """A document was given no title."""

    code = "EMPTY_TITLE"


class EmptyDocument(InvalidRequest):
    """A document was given no text."""

    code = "EMPTY_DOCUMENT"


class BadPagination(InvalidRequest):
    """There is no such page, or no page of that size."""

    code = "BAD_PAGINATION"


class UnsupportedFileType(InvalidRequest):
    """Files of that kind are not taken."""

    code = "UNSUPPORTED_FILE_TYPE"


class BadLimit(InvalidRequest):
    """A count, length or line number is out of range."""

    code = "BAD_LIMIT"


class BadCursor(InvalidRequest):
    """The cursor was not issued for this query."""

    code = "BAD_CURSOR"


class BadFilter(InvalidRequest):
    """A filter names a field or value that cannot exist."""

    code = "BAD_FILTER"


class UnknownCollection(InvalidRequest):
    """No collection of that name is configured."""

    code = "UNKNOWN_COLLECTION"


class NotFound(CitewellError):
    """Absent, or not readable by the caller: the two are the same answer."""

    code = "NOT_FOUND"
    exit_status = 66


class DocumentNotFound(NotFound):
    """No document with that id that the caller may read. The message is always the same, whatever the reason."""

    code = "DOCUMENT_NOT_FOUND"

    def __init__(self) -> None:
        super().__init__("There is no such document, or you may not read it.")


class KnowledgeBaseNotFound(NotFound):
    """There is no document that the caller may read in what was searched."""

    code = "KB_NOT_FOUND"

    def __init__(self) -> None:
        super().__init__("There is no knowledge base here that you may read.")


class NoRelevantResult(NotFound):
    """No passage scores as high as the configured threshold."""

    code = "NO_RELEVANT_RESULT"

    def __init__(self) -> None:
        super().__init__("Nothing relevant was found.")


class DocumentReadOnly(CitewellError):
    """The document belongs to a source that citewell only reads."""

    code = "DOCUMENT_READ_ONLY"
    exit_status = 73


class Unauthenticated(CitewellError):
    """The caller has shown nothing, or nothing valid, to say who he is. The message is always the same."""

    code = "UNAUTHENTICATED"
    exit_status = 77

    def __init__(self, *, detail: str = "") -> None:
        super().__init__("Say who you are: a valid access token is needed.", detail=detail)


class AuditFailed(CitewellError):
    """The audit log is required and cannot be written, or cannot be trusted."""

    code = "AUDIT_FAILED"
    exit_status = 73


class Forbidden(CitewellError):
    """The caller may not perform this kind of action, whatever its object."""

    code = "FORBIDDEN"
    exit_status = 77


class ConfigurationError(CitewellError):
    """The configuration cannot be used."""

    code = "BAD_CONFIGURATION"
    exit_status = 78


class UnknownKey(ConfigurationError):
    """The configuration has a key that means nothing."""

    code = "UNKNOWN_KEY"


class UnknownAdapter(ConfigurationError):
    """No adapter is registered under that scheme."""

    code = "UNKNOWN_ADAPTER"


class MissingExtra(ConfigurationError):
    """The adapter exists, but what it needs is not installed."""

    code = "MISSING_EXTRA"


class SourceError(CitewellError):
    """A source as a whole cannot be read."""

    code = "SOURCE_FAILED"
    exit_status = 69


class SourceRefused(SourceError):
    """The source is not safe to read: an option in place of an address, a forbidden protocol."""

    code = "SOURCE_REFUSED"


class SourceUnreachable(SourceError):
    """The source cannot be reached, or does not have the branch or commit."""

    code = "SOURCE_UNREACHABLE"


class FileRejected(CitewellError):
    """One file cannot be indexed. ``reason`` is a lower_snake word for the ledger."""

    code = "FILE_REJECTED"
    exit_status = 2

    def __init__(self, reason: str, message: str, *, detail: str = "") -> None:
        super().__init__(message, detail=detail)
        self.reason = reason


class StoreError(CitewellError):
    """The store cannot do what was asked."""

    code = "STORE_FAILED"
    exit_status = 74


class StoreBusy(StoreError):
    """Another process is writing to the store."""

    code = "STORE_BUSY"
    exit_status = 75


class StoreFull(StoreError):
    """There is no room left where the store is kept; what was committed is intact."""

    code = "STORE_FULL"


class StoreCorrupt(StoreError):
    """The store is damaged or was written by an incompatible version."""

    code = "STORE_CORRUPT"


class StoreUnavailable(StoreError):
    """An engine that holds the index does not answer."""

    code = "STORE_UNAVAILABLE"
    exit_status = 69


class VectorSearchFailed(CitewellError):
    """Vector search or reranking failed."""

    code = "VECTOR_SEARCH_FAILED"
    exit_status = 70


class RetrievalFailed(CitewellError):
    """Something went wrong while a tool worked; the log says what."""

    code = "RETRIEVAL_FAILED"
    exit_status = 70


class ToolTimeout(RetrievalFailed):
    """A tool ran out of time."""

    code = "TOOL_TIMEOUT"
    exit_status = 75


class EmbeddingFailed(CitewellError):
    """The embedding model failed or answered with unusable vectors."""

    code = "EMBEDDING_FAILED"
    exit_status = 70


class WrongDimension(EmbeddingFailed):
    """The vectors do not have the dimension of the index."""

    code = "WRONG_DIMENSION"
