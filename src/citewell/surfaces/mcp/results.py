"""The JSON schemas of what each kind of tool returns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from citewell.core.tools import ToolKind
from citewell.surfaces.mcp.parameters import Schema


def _text(description: str) -> Schema:
    return {"type": "string", "description": description}


def _object(properties: Mapping[str, Schema], required: list[str]) -> Schema:
    return {"type": "object", "properties": dict(properties), "required": required}


def _list(properties: Mapping[str, Schema], description: str) -> Schema:
    return {"type": "array", "description": description, "items": {"type": "object", "properties": dict(properties)}}


_RETRIEVAL: Final[Schema] = {"type": "object", "description": "Intent, mode and reason of the search."}
_DEGRADED: Final[Schema] = {"type": "array", "items": {"type": "string"}, "description": "What did not take part."}

_PLACE: Final[Mapping[str, Schema]] = {
    "title": _text("Of the document."),
    "url": _text("To cite."),
    "path": _text("In its source."),
    "lines": _text("Such as 12-20."),
    "section": _text("Headings or symbol."),
    "version": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    "score": {"type": "number", "description": "0 to 1."},
}

OUTPUT: Final[Mapping[ToolKind, Schema]] = {
    "search": _object(
        {
            "results": _list({"id": _text("For reading on."), "text": _text("Word for word."), **_PLACE}, "Best first."),
            "retrieval": _RETRIEVAL,
            "degraded": _DEGRADED,
            "cursor": _text("Continues the list; absent at its end."),
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
            "degraded": _DEGRADED,
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
            "truncated": {"type": "boolean", "description": "Not all sources fit."},
        },
        required=["sources"],
    ),
}
