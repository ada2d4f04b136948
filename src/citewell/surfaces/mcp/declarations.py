"""The tools that are offered: those the configuration declares, else the ones of ``tools.yaml``."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

import yaml

from citewell.core.errors import ConfigurationError, UnknownKey
from citewell.core.tools import OFFERED_FIELDS, Parameter, Tool
from citewell.surfaces.mcp.arguments import fits
from citewell.surfaces.mcp.parameters import BUILT_IN, REQUIRED, all_parameters, maximum_key, shown_parameters
from citewell.surfaces.mcp.results import shapes_of


def default_tools() -> tuple[Tool, ...]:
    """Return the tools that ship with citewell."""
    declared = yaml.safe_load(files(__package__).joinpath("tools.yaml").read_text(encoding="utf-8"))
    return tuple(_tool(**entry) for entry in declared)


def declared_tools(configured: Sequence[Tool]) -> tuple[Tool, ...]:
    """Return ``configured``, or the default tools where the configuration declares none.

    Raises UnknownKey for a parameter that the kind of its tool does not have; ConfigurationError for two parameters of one
    name, a form of results that there is not, a filter by what is no field, a maximum beyond the built-in one, a default
    that the parameter does not admit, and a hidden parameter that nothing sets.
    """
    for tool in configured:
        problem = next(_problems(tool), None)
        if problem is not None:
            raise problem
    return tuple(configured) or default_tools()


def default_k(tools: Sequence[Tool], k: int) -> tuple[Tool, ...]:
    """Return ``tools`` with ``k`` results as the default of every search whose declaration does not say how many."""
    return tuple(_with_k(tool, k) if tool.kind == "search" else tool for tool in tools)


def _with_k(tool: Tool, k: int) -> Tool:
    declared = tool.parameters.get("k", Parameter())
    chosen = declared if declared.default is not None else replace(declared, default=min(k, declared.maximum or k))
    return replace(tool, parameters={**tool.parameters, "k": chosen})


def _tool(parameters: dict[str, Any] | None = None, **entry: Any) -> Tool:
    return Tool(**entry, parameters={name: Parameter(**settings) for name, settings in (parameters or {}).items()})


def _problems(tool: Tool) -> Iterator[ConfigurationError]:
    yield from _unknown_parameters(tool)
    yield from map(ConfigurationError, _misfits(tool))


def _unknown_parameters(tool: Tool) -> Iterator[UnknownKey]:
    built_in = BUILT_IN[tool.kind]
    for name in tool.parameters:
        if name not in built_in:
            known = ", ".join(built_in) or "none"
            kind = f"The tool {tool.name!r} of kind {tool.kind!r}"
            yield UnknownKey(f"{kind} has no parameter {name!r}{_hint(name, built_in)}; it has: {known}.")


def _misfits(tool: Tool) -> Iterator[str]:
    possible = shapes_of(tool.kind)
    if tool.result not in possible:
        yield f"The tool {tool.name!r} of kind {tool.kind!r} has no result {tool.result!r}; it has: {', '.join(possible)}."
    yield from _bad_filters(tool)
    counted = Counter(name for name, _ in shown_parameters(tool, ()).values())
    for name in (name for name, count in counted.items() if count > 1):
        yield f"Two parameters of the tool {tool.name!r} are called {name!r}."
    for built_in, declared in tool.parameters.items():
        yield from _bad_bounds(tool, built_in, declared)


def _bad_filters(tool: Tool) -> Iterator[str]:
    if tool.filters and tool.kind != "search":
        yield f"The tool {tool.name!r} of kind {tool.kind!r} cannot have filters; only a search can."
    seen: set[str] = set()
    for offered in tool.filters:
        if offered.field not in OFFERED_FIELDS:
            known = f"{_hint(offered.field, OFFERED_FIELDS)}; there are: {', '.join(OFFERED_FIELDS)}"
            yield f"The filter {offered.name!r} of the tool {tool.name!r} is by no known field {offered.field!r}{known}."
        if offered.field in seen:
            yield f"Two filters of the tool {tool.name!r} are by the field {offered.field!r}."
        seen.add(offered.field)


def _bad_bounds(tool: Tool, built_in: str, declared: Parameter) -> Iterator[str]:
    schema = BUILT_IN[tool.kind][built_in]
    most = schema.get(maximum_key(schema))
    if declared.maximum is not None and (most is None or not 1 <= declared.maximum <= most):
        limit = "cannot have a maximum" if most is None else f"cannot have the maximum {declared.maximum}; it goes to {most}"
        yield f"The parameter {built_in!r} of the tool {tool.name!r} {limit}."
    elif declared.default is not None and not fits(declared.default, all_parameters(tool)[built_in][1]):
        yield f"The tool {tool.name!r} cannot have {declared.default!r} as default of {built_in!r}."
    if declared.hidden and declared.default is None and built_in in REQUIRED:
        yield f"The tool {tool.name!r} hides {built_in!r}, which needs a default then."


def _hint(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
