"""What may go wrong at work: configuration, sources, stores, models and the audit."""

from __future__ import annotations

from citewell.core.errors.base import CitewellError


class AuditFailed(CitewellError):
    """The audit log is required and cannot be written, or cannot be trusted."""

    code = "AUDIT_FAILED"
    exit_status = 73


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
