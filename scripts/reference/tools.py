"""The MCP tools that agents are offered by default: what they take and what they return."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mcp_types as types

from citewell.core.tools import ToolKind
from citewell.surfaces.mcp.declarations import default_tools
from citewell.surfaces.mcp.toolbox import Toolbox
from reference.schema import allowed, kind_of_value
from reference.tables import code, page, prose, table, value

Row = tuple[str, dict[str, Any], bool]
"""The dotted name of a field, its schema, and whether it is always there."""

INTRODUCTION = """\
An agent is offered these tools while the configuration declares none under [`tools`](configuration.md#top-level). All of them
only read. `collection` offers the configured collections to choose from, and the default of `k` is `retrieval.k`. Undeclared
arguments are refused. What goes wrong is told by a [code](errors.md)."""


def tools_page() -> str:
    """Return the page of the tools."""
    tools = default_tools()
    listing = zip(Toolbox(tools, ()).listing(), tools, strict=True)
    return page("MCP tools", INTRODUCTION, *(block for shown, tool in listing for block in _tool(shown, tool.kind)))


def _tool(tool: types.Tool, kind: ToolKind) -> Iterator[str]:
    yield f"## {tool.name}"
    yield f"**{tool.title}** (kind {code(kind)}). {prose(tool.description)}"
    parameters = list(_fields(tool.input_schema))
    if parameters:
        yield table(("parameter", "type", "required", "default", "allowed", "meaning"), map(_parameter, parameters))
    else:
        yield "It takes no parameters."
    yield "It returns:"
    yield table(("field", "type", "always", "meaning"), map(_field, _fields(tool.output_schema or {})))


def _fields(schema: dict[str, Any], prefix: str = "") -> Iterator[Row]:
    for name, part in schema.get("properties", {}).items():
        yield prefix + name, part, name in schema.get("required", ())
        yield from _fields(part, f"{prefix}{name}.")
        yield from _fields(part.get("items", {}), f"{prefix}{name}[].")


def _parameter(row: Row) -> tuple[str, ...]:
    name, part, required = row
    default = value(part["default"]) if "default" in part else ""
    meaning = prose(part.get("description"))
    return code(name), kind_of_value(part), "yes" if required else "", default, allowed(part), meaning


def _field(row: Row) -> tuple[str, ...]:
    name, part, always = row
    return code(name), kind_of_value(part), "yes" if always else "", prose(part.get("description"))
