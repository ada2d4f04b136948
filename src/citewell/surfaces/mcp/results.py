"""The JSON schemas of what each kind of tool returns, in each form that it has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from citewell.core.tools import ResultShape, ToolKind
from citewell.surfaces.shapes import chunks, envelope, evidence, hits
from citewell.surfaces.shapes.schema import DEGRADED, TRUNCATED, Schema, described
from citewell.surfaces.shapes.schema import text as _text


def _object(properties: Mapping[str, Schema], required: list[str]) -> Schema:
    return {"type": "object", "properties": dict(properties), "required": required}


def _list(properties: Mapping[str, Schema], description: str) -> Schema:
    return {"type": "array", "description": description, "items": {"type": "object", "properties": dict(properties)}}


_RETRIEVAL: Final[Schema] = {"type": "object", "description": "Intent, mode and reason of the search."}

_PLACE: Final[Mapping[str, Schema]] = {
    "title": _text("Of the document."),
    "url": _text("To cite."),
    "path": _text("In its source."),
    "lines": _text("Such as 12-20."),
    "section": _text("Headings or symbol."),
    "version": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    "score": {"type": "number", "description": "0 to 1."},
}

_NATIVE: Final[Mapping[ToolKind, Schema]] = {
    "search": _object(
        {
            "results": _list({"id": _text("For reading on."), "text": _text("Word for word."), **_PLACE}, "Best first."),
            "retrieval": _RETRIEVAL,
            "degraded": DEGRADED,
            "cursor": _text("Continues the list; absent at its end."),
            "truncated": TRUNCATED,
        },
        required=["results", "retrieval"],
    ),
    "read": _object(
        {
            "id": _text("As asked for."),
            "title": _text("Of the document."),
            "text": _text("Word for word."),
            "url": _text("To cite."),
            "metadata": {
                "type": "object",
                "description": "lines, source, collection, version, ...; truncated where a line was cut.",
                "additionalProperties": {"type": "string"},
            },
            "next_start_line": {"type": "integer", "description": "Where to read on; absent at the end."},
        },
        required=["id", "title", "text", "url", "metadata"],
    ),
    "ask": _object(
        {
            "answerable": {"type": "boolean", "description": "Whether the sources answer."},
            "answer": _text("Sentences with labels; empty for a refusal."),
            "citations": _list({"id": _text("Label, such as c1."), "quote": _text("Word for word."), **_PLACE}, "By label."),
            "reason": _text("Of a refusal."),
            "retrieval": _RETRIEVAL,
            "degraded": DEGRADED,
        },
        required=["answerable", "answer", "citations", "retrieval"],
    ),
    "sources": _object(
        {
            "sources": _list(
                {
                    "name": _text("For the source filter."),
                    "collection": _text("For searches."),
                    "repository": _text("Address, if any."),
                    "commit": _text("As indexed, if any."),
                    "last_sync": _text("ISO 8601, UTC."),
                    "stale": {"type": "boolean", "description": "Last sync failed in part."},
                    "documents": {"type": "integer", "description": "Readable by the caller."},
                    "chunks": {"type": "integer", "description": "Readable by the caller."},
                },
                "By name.",
            ),
            "truncated": described("boolean", "Not all sources fit."),
        },
        required=["sources"],
    ),
}
_OTHERS: Final[Mapping[ToolKind, Mapping[ResultShape, Schema]]] = {
    "search": {
        "evidence": evidence.SCHEMA,
        "chunks": chunks.SCHEMA,
        "hits": hits.SEARCH_SCHEMA,
        "envelope": envelope.SCHEMA,
    },
    "ask": {"hits": hits.ASK_SCHEMA},
    "read": {},
    "sources": {},
}


def shapes_of(kind: ToolKind) -> tuple[ResultShape, ...]:
    """Return the forms in which a tool of ``kind`` can give its results."""
    return ("native", *_OTHERS[kind])


def output_schema(kind: ToolKind, shape: ResultShape) -> Schema:
    """Return the schema of the results of a tool of ``kind`` in that form, which must be one of `shapes_of` it."""
    return _NATIVE[kind] if shape == "native" else _OTHERS[kind][shape]
