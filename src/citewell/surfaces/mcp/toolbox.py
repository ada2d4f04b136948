"""The declared tools at work: listed as the protocol describes tools, and called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp import MCPError

from citewell.core.access import Principal
from citewell.core.errors import DocumentNotFound
from citewell.core.tools import Tool
from citewell.surfaces.mcp.arguments import Arguments, ask_request, read_arguments, read_request, search_request
from citewell.surfaces.mcp.paging import read_page, search_page, sources_page
from citewell.surfaces.mcp.parameters import input_schema, shown_parameters
from citewell.surfaces.mcp.results import OUTPUT
from citewell.surfaces.payloads import Payload, answer_payload

if TYPE_CHECKING:
    from citewell.service import KnowledgeService

READS_ONLY = types.ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)


class Toolbox:
    """``tools`` under their declared names; ``collections`` are the configured ones, offered where a tool is open to all."""

    def __init__(self, tools: Sequence[Tool], collections: Sequence[str]) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._collections = tuple(collections)

    def listing(self) -> list[types.Tool]:
        """Return the definition of every tool, in the order of their declaration."""
        return [self._define(tool) for tool in self._tools.values()]

    def find(self, name: str) -> Tool:
        """Return the tool called ``name``. Raises MCPError, as the protocol wants it, where there is none."""
        if name not in self._tools:
            raise MCPError(code=types.INVALID_PARAMS, message=f"There is no tool {name[:64]!r}.")
        return self._tools[name]

    def arguments(self, tool: Tool, sent: Mapping[str, Any]) -> Arguments:
        """Return the checked values of a call. Raises InvalidRequest or the subclass that fits."""
        return read_arguments(tool, self._collections, sent)

    def _define(self, tool: Tool) -> types.Tool:
        return types.Tool(
            name=tool.name,
            title=tool.title or None,
            description=tool.description.strip(),
            input_schema=input_schema(shown_parameters(tool, self._collections)),
            output_schema=OUTPUT[tool.kind],
            annotations=READS_ONLY,
        )


async def call_tool(tool: Tool, arguments: Arguments, service: KnowledgeService, principal: Principal) -> Payload:
    """Do what ``tool`` is for. Raises what the service raises."""
    match tool.kind:
        case "search":
            return await search_page(service, principal, search_request(tool, arguments))
        case "read":
            return await _read(tool, arguments, service, principal)
        case "ask":
            return answer_payload(await service.ask(principal, ask_request(tool, arguments)))
        case "sources":
            return await sources_page(service, principal, tool.collections)


async def _read(tool: Tool, arguments: Arguments, service: KnowledgeService, principal: Principal) -> Payload:
    """Return lines of a document; one outside the collections of ``tool`` is refused in the words of an absent one."""
    request = read_request(arguments)
    with suppress(DocumentNotFound):
        document = await read_page(service, principal, request)
        if not tool.collections or document["metadata"].get("collection") in tool.collections:
            return document
    raise DocumentNotFound
