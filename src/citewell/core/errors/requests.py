"""What may be wrong with a request, or with who makes it."""

from __future__ import annotations

from citewell.core.errors.base import CitewellError


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


class Forbidden(CitewellError):
    """The caller may not perform this kind of action, whatever its object."""

    code = "FORBIDDEN"
    exit_status = 77
