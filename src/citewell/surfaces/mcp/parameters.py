"""The parameters a tool of each kind has, and the JSON schema its declaration makes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, get_args

from citewell.core.requests import MAX_QUERY_CHARACTERS, MAX_RESULTS, Mode
from citewell.core.tools import OfferedFilter, Parameter, Tool, ToolKind
from citewell.surfaces.shapes.schema import Schema

Shown = dict[str, tuple[str, Schema]]
"""Name and schema of each parameter as a tool offers it, keyed by the built-in name; a filter of its own by `filter_key`."""

MAX_FILTER_CHARACTERS: Final = 512

_AS_BUILT_IN: Final = Parameter()

_VALUES: Final[Schema] = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
_LINE: Final[Schema] = {"type": "integer", "minimum": 1}
_COLLECTION: Final[Schema] = {"type": "string", "description": "Only this collection; all if omitted."}

BUILT_IN: Final[Mapping[ToolKind, Mapping[str, Schema]]] = {
    "search": {
        "query": {
            "type": "string",
            "description": "Question or words, 1 to {maximum} characters.",
            "minLength": 1,
            "maxLength": MAX_QUERY_CHARACTERS,
        },
        "k": {
            "type": "integer",
            "description": "Most results to return, 1 to {maximum}.",
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
            "description": "One question in any language, 1 to {maximum} characters.",
            "minLength": 1,
            "maxLength": MAX_QUERY_CHARACTERS,
        },
        "collection": _COLLECTION,
    },
    "sources": {},
}

REQUIRED: Final = frozenset({"query", "id", "question"})
_WITH_CURSOR: Final = frozenset({"native", "hits"})


def all_parameters(tool: Tool, collections: Sequence[str] = ()) -> Shown:
    """Return the parameters that ``tool`` has, hidden ones, too, then its own filters.

    ``collections`` are the names to choose from where the tool is open to all.
    """
    choices = list(tool.collections or collections)
    built_in = {
        name: _described(tool, name, schema, tool.parameters.get(name, _AS_BUILT_IN), choices)
        for name, schema in BUILT_IN[tool.kind].items()
    }
    return built_in | {filter_key(offered): _described_filter(offered) for offered in tool.filters}


def shown_parameters(tool: Tool, collections: Sequence[str]) -> Shown:
    """Return the parameters that ``tool`` offers. A tool of one collection offers no choice, a result without cursor none."""
    return {key: shown for key, shown in all_parameters(tool, collections).items() if not is_hidden(tool, key)}


def is_hidden(tool: Tool, built_in: str) -> bool:
    """Say whether ``tool`` keeps the parameter to itself."""
    if built_in == "collection" and len(tool.collections) == 1:
        return True
    if built_in == "cursor" and tool.result not in _WITH_CURSOR:
        return True
    return tool.parameters.get(built_in, _AS_BUILT_IN).hidden


def filter_key(offered: OfferedFilter) -> str:
    """Return what a filter of a tool's own goes by where parameters go by their built-in names, none of which has a dot."""
    return f"filters.{offered.name}"


def input_schema(shown: Shown) -> Schema:
    """Return the schema of arguments for the parameters ``shown``: every one described, no other admitted."""
    required = [name for built_in, (name, schema) in shown.items() if built_in in REQUIRED and "default" not in schema]
    schema: Schema = {"type": "object", "properties": dict(shown.values()), "additionalProperties": False}
    return schema | ({"required": required} if required else {})


def maximum_key(schema: Schema) -> str:
    """Return the keyword that bounds a value of ``schema``, empty where nothing does."""
    return next((key for key in ("maximum", "maxLength") if key in schema), "")


def _described(tool: Tool, built_in: str, schema: Schema, declared: Parameter, choices: list[str]) -> tuple[str, Schema]:
    described = dict(schema)
    if declared.maximum is not None:
        described[maximum_key(schema) or "maximum"] = declared.maximum
    described["description"] = declared.description or _bounded(described)
    if declared.default is not None:
        described["default"] = declared.default
    if built_in == "collection" and choices:
        described["enum"] = choices
    if built_in == "filters":
        own = {offered.field for offered in tool.filters}
        described["properties"] = {name: values for name, values in schema["properties"].items() if name not in own}
    if tool.result == "envelope":
        # A blank query must arrive, to be answered by an envelope and not by the client's own check.
        described.pop("minLength", None)
    return declared.name or built_in, described


def _bounded(schema: Schema) -> str:
    return str(schema["description"]).replace("{maximum}", str(schema.get(maximum_key(schema), "")))


def _described_filter(offered: OfferedFilter) -> tuple[str, Schema]:
    schema = {
        "type": "string",
        "description": offered.description,
        "default": offered.default,
        "maxLength": MAX_FILTER_CHARACTERS,
    }
    return offered.name, schema
