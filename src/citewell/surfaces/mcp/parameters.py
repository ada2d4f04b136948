"""The parameters a tool of each kind has, and the JSON schema its declaration makes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

from citewell.core.requests import MAX_QUERY_CHARACTERS, MAX_RESULTS, Mode
from citewell.core.tools import Parameter, Tool, ToolKind

Schema = dict[str, Any]
"""A JSON schema (draft 2020-12)."""

Shown = dict[str, tuple[str, Schema]]
"""Name and schema of each parameter as a tool offers it, keyed by the built-in name."""

_AS_BUILT_IN: Final = Parameter()

_VALUES: Final[Schema] = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
_LINE: Final[Schema] = {"type": "integer", "minimum": 1}
_COLLECTION: Final[Schema] = {"type": "string", "description": "Only this collection; all if omitted."}

BUILT_IN: Final[Mapping[ToolKind, Mapping[str, Schema]]] = {
    "search": {
        "query": {
            "type": "string",
            "description": f"Question or words, 1 to {MAX_QUERY_CHARACTERS} characters.",
            "minLength": 1,
            "maxLength": MAX_QUERY_CHARACTERS,
        },
        "k": {
            "type": "integer",
            "description": f"Most results to return, 1 to {MAX_RESULTS}.",
            "minimum": 1,
            "maximum": MAX_RESULTS,
            "default": 8,
        },
        "collection": _COLLECTION,
        "filters": {
            "type": "object",
            "description": "Every field must match, by any of its values; path takes globs (docs/**).",
            "properties": {name: _VALUES for name in ("source", "path", "language", "kind", "version")},
            "additionalProperties": False,
        },
        "mode": {
            "type": "string",
            "description": "auto chooses; bm25 matches words, dense meaning, hybrid both.",
            "enum": list(get_args(Mode)),
            "default": "auto",
        },
        "cursor": {
            "type": "string",
            "description": "From the last result of the same search, to continue it.",
        },
    },
    "read": {
        "id": {
            "type": "string",
            "description": "Id of a result or citation, or of a whole document.",
            "minLength": 1,
        },
        "start_line": {**_LINE, "description": "First line to read, from 1.", "default": 1},
        "end_line": {**_LINE, "description": "Last line to read, included; the end if omitted."},
    },
    "ask": {
        "question": {
            "type": "string",
            "description": f"One question in any language, 1 to {MAX_QUERY_CHARACTERS} characters.",
            "minLength": 1,
            "maxLength": MAX_QUERY_CHARACTERS,
        },
        "collection": _COLLECTION,
    },
    "sources": {},
}

_REQUIRED: Final = frozenset({"query", "id", "question"})


def shown_parameters(tool: Tool, collections: Sequence[str]) -> Shown:
    """Return the parameters that ``tool`` offers.

    ``collections`` are the names to choose from where the tool is open to all. A tool of one collection offers no choice.
    """
    choices = list(tool.collections or collections)
    return {
        name: _shown(name, schema, tool.parameters.get(name, _AS_BUILT_IN), choices)
        for name, schema in BUILT_IN[tool.kind].items()
        if name != "collection" or len(tool.collections) != 1
    }


def input_schema(shown: Shown) -> Schema:
    """Return the schema of arguments for the parameters ``shown``: every one described, no other admitted."""
    required = [name for built_in, (name, schema) in shown.items() if built_in in _REQUIRED and "default" not in schema]
    schema: Schema = {"type": "object", "properties": dict(shown.values()), "additionalProperties": False}
    return schema | ({"required": required} if required else {})


def _shown(built_in: str, schema: Schema, declared: Parameter, choices: list[str]) -> tuple[str, Schema]:
    shown = dict(schema)
    if declared.description is not None:
        shown["description"] = declared.description
    if declared.default is not None:
        shown["default"] = declared.default
    if built_in == "collection" and choices:
        shown["enum"] = choices
    return declared.name or built_in, shown
