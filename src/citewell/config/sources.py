"""The sections on collections and on the sources of their documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, ValidationInfo, field_validator, model_validator

from citewell.config.sections import Count, FieldName, Name, RedactionMode, Section, anchored_in_context

ChunkerName = Literal["auto", "markdown", "code", "issues", "text", "fixed"]
HybridRanker = Literal["auto", "rrf", "weighted"]


class ForeignSettings(Section):
    """A collection of the engine that somebody else fills, and that is only searched and read."""

    name: str = ""
    """Its name in the engine; that of the collection when empty."""
    groups: tuple[str, ...] = ()
    """Who may read all of it: groups; ``public`` is everybody, none is nobody."""


class CollectionSettings(Section):
    """How the documents of a collection are cut and ranked."""

    chunker: ChunkerName = "auto"
    """``auto`` and ``code`` go by the kind of file, ``markdown`` too, with plain text as Markdown; the others do not.
    ``issues`` takes issue threads, each a JSON file."""
    chunk_chars: Count = Field(default=1500, ge=50, le=1500)
    """The longest chunk, in characters; with ``fixed`` the length of every one but the last."""
    hybrid_ranker: HybridRanker = "auto"
    """One list of two, where this collection alone is searched: weighed by the query, by ranks, or by fixed weights. It may
    be written ``hybridRanker``, too."""
    foreign: ForeignSettings | None = None
    """Set where somebody else fills it: with milvus: a collection, with elastic+qdrant: an index and a collection."""

    @model_validator(mode="before")
    @classmethod
    def _take_other_spelling(cls, data: Any) -> Any:
        if not isinstance(data, Mapping) or "hybridRanker" not in data or "hybrid_ranker" in data:
            return data
        return {"hybrid_ranker" if key == "hybridRanker" else key: value for key, value in data.items()}


class SourceSettings(Section):
    """Where documents come from. ``address`` is the key ``from``: ``folder:PATH`` or ``git:ADDRESS#REVISION``."""

    name: Name
    """Unique. Appears in results and reports; another name means other documents."""
    address: str = Field(alias="from", min_length=1)
    """The adapter and what it reads; see the addresses below."""
    collection: str
    """The collection its documents go into; it must be declared."""
    include: tuple[str, ...] = ()
    """Globs of the paths that belong to it; all when empty. ``**`` crosses folders."""
    exclude: tuple[str, ...] = ()
    """Globs of paths that do not, whatever ``include`` says."""
    ids: Literal["path", "stem"] = "path"
    """What the id of a document is: its path, or the name of its file without the ending."""
    editable: bool = False
    """Whether documents of a ``folder:`` may be written, changed and deleted over REST; its files are what is changed."""
    redaction: RedactionMode | None = None
    """What to do about secrets and personal data here; else as ``redaction.mode`` says."""
    url: str | None = None
    """Where people read its files, as in ``https://docs.example.org/{stem}``, for citations: ``{path}`` is the path,
    ``{stem}`` the path without its ending; after a ``#`` or ``?`` there may be ``{start}`` and ``{end}``, the lines."""
    fields: Mapping[FieldName, str] = Field(default_factory=dict)
    """Fields that its documents have where they do not say otherwise, as ``repo_name: acme/shop``: to filter by and cite."""

    @field_validator("url")
    @classmethod
    def _check_url(cls, url: str | None) -> str | None:
        if url is None or (url.startswith(("https://", "http://")) and ("{path}" in url or "{stem}" in url)):
            return url
        raise ValueError("must be an http or https address that holds {path} or {stem}")

    @field_validator("address")
    @classmethod
    def _anchor(cls, address: str, info: ValidationInfo) -> str:
        return anchored_in_context(address, info)
