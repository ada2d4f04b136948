"""What an agent sends, checked against the schema its tool publishes and read as a request to the service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from citewell.core.errors import BadFilter, BadLimit, EmptyQuery, InvalidRequest, UnknownCollection
from citewell.core.requests import AskRequest, Filters, ReadRequest, SearchRequest
from citewell.core.tools import Tool
from citewell.surfaces.mcp.parameters import Shown, all_parameters, filter_key, input_schema, is_hidden
from citewell.surfaces.shapes.schema import Schema

if TYPE_CHECKING:
    from jsonschema import ValidationError

Arguments = dict[str, Any]
"""Checked values, keyed by the built-in names of the parameters."""

_REFUSALS: Final[Mapping[str, type[InvalidRequest]]] = {
    "collection": UnknownCollection,
    "filters": BadFilter,
    "minLength": EmptyQuery,
    "maxLength": BadLimit,
    "minimum": BadLimit,
    "maximum": BadLimit,
}
_FILTER_FIELDS: Final = {
    "source": "sources",
    "path": "paths",
    "language": "languages",
    "kind": "kinds",
    "version": "versions",
}
_OWN_FIELDS: Final = {name: field for name, field in _FILTER_FIELDS.items() if name != "version"}
"""Those that a filter of a tool's own finds in documents; the others are fields of chunks, the version among them."""

_TYPES: Final = {"string": "text", "array": "a list of texts", "object": "an object"}
_SHOWN_CHARACTERS: Final = 60


def read_arguments(tool: Tool, collections: Sequence[str], sent: Mapping[str, Any]) -> Arguments:
    """Return the values of a call to ``tool``, with defaults filled in. A null stands for a value left out.

    Raises InvalidRequest, or the subclass that fits, naming the parameter at fault and what it may be.
    """
    every = all_parameters(tool, collections)
    shown = {built_in: described for built_in, described in every.items() if not is_hidden(tool, built_in)}
    schema = input_schema(shown)
    given = {name: value for name, value in sent.items() if value is not None or name not in schema["properties"]}
    _check(given, shown, schema)
    values = {
        built_in: given.get(name, described.get("default")) if built_in in shown else described.get("default")
        for built_in, (name, described) in every.items()
    }
    return {built_in: value for built_in, value in values.items() if value is not None}


def fits(value: Any, schema: Schema) -> bool:
    """Say whether ``schema`` admits ``value``."""
    from jsonschema import Draft202012Validator

    return bool(Draft202012Validator(schema).is_valid(value))


def search_request(tool: Tool, arguments: Arguments) -> SearchRequest:
    """Return the search that ``arguments`` describe, within the collections of ``tool``."""
    return SearchRequest(
        query=arguments["query"],
        k=int(arguments["k"]),
        mode=arguments["mode"],
        filters=_filters(tool, arguments),
        cursor=arguments.get("cursor"),
    )


def ask_request(tool: Tool, arguments: Arguments) -> AskRequest:
    """Return the question that ``arguments`` hold, within the collections of ``tool``."""
    return AskRequest(question=arguments["question"], filters=_filters(tool, arguments))


def read_request(arguments: Arguments) -> ReadRequest:
    """Return the lines that ``arguments`` name."""
    end_line = arguments.get("end_line")
    return ReadRequest(
        id=arguments["id"],
        start_line=int(arguments["start_line"]),
        end_line=None if end_line is None else int(end_line),
    )


def _filters(tool: Tool, arguments: Arguments) -> Filters:
    collections = (arguments["collection"],) if "collection" in arguments else tool.collections
    given = {
        _FILTER_FIELDS[name]: (values,) if isinstance(values, str) else tuple(values)
        for name, values in arguments.get("filters", {}).items()
    }
    own = [(offered, value) for offered in tool.filters if (value := arguments[filter_key(offered)])]
    given |= {_OWN_FIELDS[offered.field]: (value,) for offered, value in own if offered.field in _OWN_FIELDS}
    fields = tuple((offered.field, (value,)) for offered, value in own if offered.field not in _OWN_FIELDS)
    return Filters(collections=collections, fields=fields, **given)


def _check(given: Mapping[str, Any], shown: Shown, schema: Schema) -> None:
    # Imported late: it would add a tenth of a second to the wait of a client for the first answer.
    from jsonschema import Draft202012Validator

    errors = [_Fault.of(error) for error in Draft202012Validator(schema).iter_errors(given)]
    if errors:
        raise _refusal(min(errors, key=lambda fault: fault.rule != "additionalProperties"), shown)


@dataclass(frozen=True, slots=True)
class _Fault:
    """A broken rule of a schema, the part of the schema it stands in, and the place and value that break it."""

    rule: str
    schema: Schema
    steps: tuple[str, ...]
    value: Any

    @classmethod
    def of(cls, error: ValidationError) -> _Fault:
        schema = error.schema if isinstance(error.schema, dict) else {}
        return cls(str(error.validator), schema, tuple(str(step) for step in error.absolute_path), error.instance)


def _refusal(fault: _Fault, shown: Shown) -> InvalidRequest:
    parameter = next((built_in for built_in, (name, _) in shown.items() if fault.steps[:1] == (name,)), "")
    refusal = _REFUSALS.get(parameter.partition(".")[0]) or _REFUSALS.get(fault.rule, InvalidRequest)
    place = ".".join(fault.steps)
    if fault.rule == "additionalProperties":
        return refusal(_unknown_name(fault, place))
    if fault.rule == "required":
        missing = next(name for name in fault.schema["required"] if name not in fault.value)
        return refusal(f"The parameter {missing!r} is missing.")
    return refusal(f"{place!r} must be {_expectation(fault.schema)}.")


def _unknown_name(fault: _Fault, place: str) -> str:
    known = list(fault.schema["properties"])
    unknown = next(name for name in fault.value if name not in known)[:_SHOWN_CHARACTERS]
    where = f"in {place!r} " if place else ""
    return f"The parameter {unknown!r} {where}is not known; allowed: {', '.join(known) or 'none'}."


def _expectation(schema: Schema) -> str:
    if "enum" in schema:
        return f"one of: {', '.join(schema['enum'])}"
    if "anyOf" in schema:
        return " or ".join(_expectation(branch) for branch in schema["anyOf"])
    if schema["type"] == "integer":
        most = f" to {schema['maximum']}" if "maximum" in schema else " or more"
        return f"a whole number, {schema['minimum']}{most}"
    if "maxLength" in schema:
        return f"text of {schema.get('minLength', 0)} to {schema['maxLength']} characters"
    return _TYPES[schema["type"]]
