"""The declared tools at work: listed as the protocol describes tools, and called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import mcp_types as types
from mcp import MCPError

from citewell.core.access import Principal
from citewell.core.errors import DocumentNotFound, KnowledgeBaseNotFound
from citewell.core.requests import SearchResult
from citewell.core.tools import ResultShape, Tool
from citewell.surfaces.mcp.arguments import Arguments, ask_request, read_arguments, read_request, search_request
from citewell.surfaces.mcp.paging import Rendering, compact_json, read_page, search_page, sources_page
from citewell.surfaces.mcp.parameters import input_schema, is_hidden, shown_parameters
from citewell.surfaces.mcp.results import output_schema
from citewell.surfaces.payloads import Payload, answer_payload, retrieval_payload, search_payload
from citewell.surfaces.shapes.chunks import chunks_payload
from citewell.surfaces.shapes.envelope import envelope_payload
from citewell.surfaces.shapes.evidence import evidence_payload
from citewell.surfaces.shapes.hits import answer_hits_payload, hits_payload
from citewell.trace import start_trace

if TYPE_CHECKING:
    from citewell.service import KnowledgeService

READS_ONLY = types.ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)

RETRIEVAL_META: Final = "citewell/retrieval"
"""Where a result tells how the question was searched for, if its form has no place for that."""

_RENDERINGS: Final[Mapping[ResultShape, Rendering]] = {
    "native": search_payload,
    "evidence": evidence_payload,
    "chunks": chunks_payload,
    "hits": hits_payload,
    "envelope": envelope_payload,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a tool returns: the structured result, the same as a text, and what is told beside it."""

    payload: Payload
    text: str
    meta: Payload | None = None


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
            output_schema=output_schema(tool.kind, tool.result),
            annotations=READS_ONLY,
        )


async def call_tool(tool: Tool, arguments: Arguments, service: KnowledgeService, principal: Principal) -> Outcome:
    """Do what ``tool`` is for. Raises what the service raises."""
    match tool.kind:
        case "search":
            return await _search(tool, arguments, service, principal)
        case "read":
            return _told(await _read(tool, arguments, service, principal))
        case "ask":
            return _told(await _ask(tool, arguments, service, principal))
        case "sources":
            return _told(await sources_page(service, principal, tool.collections))


def _told(payload: Payload) -> Outcome:
    return Outcome(payload=payload, text=compact_json(payload))


async def _search(tool: Tool, arguments: Arguments, service: KnowledgeService, principal: Principal) -> Outcome:
    request = search_request(tool, arguments)
    continued = not is_hidden(tool, "cursor")
    payload, result = await search_page(service, principal, request, _RENDERINGS[tool.result], continued=continued)
    match tool.result:
        case "evidence":
            return Outcome(payload=payload, text=payload["evidence"])
        case "chunks":
            return _with_retrieval(payload, result)
        case "envelope":
            if not result.hits:
                await _require_something(service, principal, request.filters.collections)
            return _with_retrieval(payload, result)
        case _:
            return _told(payload)


def _with_retrieval(payload: Payload, result: SearchResult) -> Outcome:
    meta = {RETRIEVAL_META: retrieval_payload(result.retrieval)}
    return Outcome(payload=payload, text=compact_json(payload), meta=meta)


async def _require_something(service: KnowledgeService, principal: Principal, collections: Sequence[str]) -> None:
    """Raise KnowledgeBaseNotFound where there is no document in ``collections`` that ``principal`` may read."""
    sources = await service.sources(principal)
    if not any(source.documents for source in sources if not collections or source.collection in collections):
        raise KnowledgeBaseNotFound


async def _ask(tool: Tool, arguments: Arguments, service: KnowledgeService, principal: Principal) -> Payload:
    with start_trace() as trace:
        answer = await service.ask(principal, ask_request(tool, arguments))
    return answer_hits_payload(answer, trace) if tool.result == "hits" else answer_payload(answer)


async def _read(tool: Tool, arguments: Arguments, service: KnowledgeService, principal: Principal) -> Payload:
    """Return lines of a document; one outside the collections of ``tool`` is refused in the words of an absent one."""
    request = read_request(arguments)
    with suppress(DocumentNotFound):
        document = await read_page(service, principal, request)
        if not tool.collections or document["metadata"].get("collection") in tool.collections:
            return document
    raise DocumentNotFound
