"""The tools that are offered: those the configuration declares, else the ones of ``tools.yaml``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

import yaml

from citewell.core.errors import ConfigurationError, UnknownKey
from citewell.core.tools import Parameter, Tool
from citewell.surfaces.mcp.arguments import fits
from citewell.surfaces.mcp.parameters import BUILT_IN, shown_parameters


def default_tools() -> tuple[Tool, ...]:
    """Return the tools that ship with citewell."""
    declared = yaml.safe_load(files(__package__).joinpath("tools.yaml").read_text(encoding="utf-8"))
    return tuple(_tool(**entry) for entry in declared)


def declared_tools(configured: Sequence[Tool]) -> tuple[Tool, ...]:
    """Return ``configured``, or the default tools where the configuration declares none.

    Raises UnknownKey for a parameter that the kind of its tool does not have, ConfigurationError for two parameters of one
    name and for a default that the parameter does not admit.
    """
    for tool in configured:
        _check_names(tool)
        _check_defaults(tool)
    return tuple(configured) or default_tools()


def default_k(tools: Sequence[Tool], k: int) -> tuple[Tool, ...]:
    """Return ``tools`` with ``k`` results as the default of every search whose declaration does not say how many."""
    return tuple(_with_k(tool, k) if tool.kind == "search" else tool for tool in tools)


def _with_k(tool: Tool, k: int) -> Tool:
    declared = tool.parameters.get("k", Parameter())
    chosen = declared if declared.default is not None else replace(declared, default=k)
    return replace(tool, parameters={**tool.parameters, "k": chosen})


def _tool(parameters: dict[str, Any] | None = None, **entry: Any) -> Tool:
    return Tool(**entry, parameters={name: Parameter(**settings) for name, settings in (parameters or {}).items()})


def _check_names(tool: Tool) -> None:
    built_in = BUILT_IN[tool.kind]
    for name in tool.parameters:
        if name not in built_in:
            known = ", ".join(built_in) or "none"
            raise UnknownKey(f"The tool {tool.name!r} of kind {tool.kind!r} has no parameter {name!r}; it has: {known}.")
    names = [name for name, _ in shown_parameters(tool, ()).values()]
    for position, name in enumerate(names):
        if name in names[:position]:
            raise ConfigurationError(f"Two parameters of the tool {tool.name!r} are called {name!r}.")


def _check_defaults(tool: Tool) -> None:
    shown = shown_parameters(tool, ())
    for built_in, declared in tool.parameters.items():
        if declared.default is not None and not fits(declared.default, shown[built_in][1]):
            raise ConfigurationError(f"The tool {tool.name!r} cannot have {declared.default!r} as default of {built_in!r}.")
