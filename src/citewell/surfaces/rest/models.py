"""What is sent and answered over REST, as the OpenAPI document describes it."""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field

from citewell.core.citations import CitationVerdict
from citewell.core.requests import MAX_QUERY_CHARACTERS, MAX_RESULTS, Mode
from citewell.surfaces.statuses import STATUS

_WORDS: Final[dict[str, Any]] = {"minLength": 1, "maxLength": MAX_QUERY_CHARACTERS, "pattern": r"\S"}
_COUNT: Final[dict[str, Any]] = {"minimum": 1, "maximum": MAX_RESULTS}

Values = str | list[str] | None


def schema_of(model: type[BaseModel]) -> dict[str, str]:
    """Return what stands for the schema of ``model`` in the OpenAPI document, which has it once."""
    return {"$ref": f"#/components/schemas/{model.__name__}"}


class Sent(BaseModel):
    """What a caller sends: keys that mean nothing are refused, and no value is taken for one of another kind."""

    model_config = ConfigDict(extra="forbid", strict=True)


class FiltersBody(Sent):
    """Narrows a search to the documents that match every field given; of several values, any will do."""

    source: Values = None
    path: Values = None
    language: Values = None
    kind: Values = None
    version: Values = None
    release_date: Values = None
    doc_type: Values = None
    repo_name: Values = None
    issue_number: Values = None
    issue_state: Values = None
    issue_labels: Values = None
    resource_kind: Values = None
    resource_name: Values = None
    resource_namespace: Values = None
    file_type: Values = None


class SearchBody(Sent):
    """A question to be answered with passages."""

    query: Annotated[str, Field(json_schema_extra=_WORDS)] = ""
    top_k: Annotated[int | None, Field(json_schema_extra=_COUNT)] = None
    """How many results; the configuration says how many where it is left out."""
    k: Annotated[int | None, Field(json_schema_extra=_COUNT)] = None
    """Another name of ``top_k``."""
    collection: Values = None
    filters: FiltersBody | None = None
    mode: Mode = "auto"
    cursor: str | None = None


class AskBody(Sent):
    """A question to be answered in words."""

    question: Annotated[str, Field(json_schema_extra=_WORDS)] = ""
    collection: Values = None


class DocumentBody(Sent):
    """A document to be written."""

    title: Annotated[str, Field(json_schema_extra={"minLength": 1, "pattern": r"\S"})] = ""
    content: Annotated[str, Field(json_schema_extra={"minLength": 1, "pattern": r"\S"})] = ""


class QuotedBody(BaseModel):
    """A citation as it was given; what else stands in it is not looked at.

    ``passage`` is the id of a passage (``doc_id:ordinal``) or document. Without it ``path`` names the document, and without
    both ``id`` names the passage; else ``id`` is the label by which an answer names the citation, such as ``c1``.
    """

    model_config = ConfigDict(strict=True)
    id: str = ""
    passage: str = ""
    path: str = ""
    quote: str = ""


class VerifyBody(Sent):
    """Citations to be checked, and the answer whose labels they are."""

    citations: Annotated[list[QuotedBody], Field(json_schema_extra={"maxItems": 100})]
    answer: str = ""


class RetrievalModel(BaseModel):
    """How a question was searched for, and why so."""

    intent: str
    mode: str
    reason: str


class SearchItem(BaseModel):
    """One passage. ``snippet`` is its lines that match best, ``text`` all of it; ``id`` and ``chunk_id`` are the same."""

    id: str
    doc_id: str
    chunk_id: str
    title: str
    snippet: str
    text: str
    path: str
    lines: str
    section: str
    version: str | None
    url: str
    score: float
    collection: str


class SearchCitation(BaseModel):
    """What a label stands for. Fields of releases, issues and resources are there where the passage has them."""

    model_config = ConfigDict(extra="allow")
    id: str
    url: str
    score: float


class SearchAnswer(BaseModel):
    """Passages, best first. ``degraded`` and ``cursor`` are present only where they say something."""

    query: str
    results: list[SearchItem]
    citations: list[SearchCitation]
    retrieval: RetrievalModel
    degraded: Annotated[list[str], Field(description="What did not take part. Left out where everything did.")] = []
    cursor: Annotated[str, Field(description="Continues the list. Left out at its end.")] = ""


class AnswerCitation(BaseModel):
    """Where one label of an answer leads."""

    id: str
    url: str
    title: str
    path: str
    lines: str
    section: str
    version: str | None
    score: float
    quote: str


class AskAnswer(BaseModel):
    """An answer, or an honest refusal. ``reason`` and ``degraded`` are present only where they say something."""

    answerable: bool
    answer: str
    citations: list[AnswerCitation]
    retrieval: RetrievalModel
    reason: Annotated[str, Field(description="Why there is no answer. Left out where there is one.")] = ""
    degraded: Annotated[list[str], Field(description="What did not take part. Left out where everything did.")] = []


class DocumentAnswer(BaseModel):
    """A document, or lines of it. ``metadata.editable`` is ``true`` where it can be changed here."""

    id: str
    title: str
    content: str
    lines: str
    url: str
    metadata: dict[str, str]


class DocumentItem(BaseModel):
    """A document of a list."""

    id: str
    title: str
    content: str


class DocumentPageAnswer(BaseModel):
    """A page of the documents that the caller may read; ``total`` counts those of all pages."""

    items: list[DocumentItem]
    page: int
    size: int
    total: int


class SourceItem(BaseModel):
    """A source, with the counts of what the caller may read."""

    name: str
    collection: str
    repository: str
    commit: str
    last_sync: str
    stale: bool
    documents: int
    chunks: int


class SourcesAnswer(BaseModel):
    """The sources that the caller may read from."""

    sources: list[SourceItem]


class CheckedCitation(BaseModel):
    """What became of one citation."""

    id: str
    passage: str
    verdict: CitationVerdict
    ok: bool


class VerifyAnswer(BaseModel):
    """Whether every citation holds and every label of the answer has one."""

    ok: bool
    citations: list[CheckedCitation]
    uncited: list[str]


class Problem(BaseModel):
    """An error (RFC 9457). ``code`` is stable."""

    title: str
    status: int
    detail: str
    code: Annotated[str, Field(json_schema_extra={"enum": sorted(STATUS)})]
