"""The MCP server: declared tools on one side, the service on the other. Every transport serves this."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from starlette.requests import Request

from citewell.core.access import Principal
from citewell.core.errors import CitewellError, RetrievalFailed, ToolTimeout
from citewell.core.tools import Tool
from citewell.surfaces.mcp.arguments import Arguments
from citewell.surfaces.mcp.declarations import declared_tools
from citewell.surfaces.mcp.instructions import write_instructions
from citewell.surfaces.mcp.paging import compact_json
from citewell.surfaces.mcp.toolbox import Outcome, Toolbox, call_tool
from citewell.surfaces.shapes.envelope import failure_payload

if TYPE_CHECKING:
    from citewell.service import KnowledgeService

logger = logging.getLogger(__name__)

ServiceFactory = Callable[[], "Awaitable[KnowledgeService]"]
"""Builds the service. Called when the first tool is, since that may load models and indexes."""

PrincipalResolver = Callable[[Request | None], Principal]
"""Says who calls, by the HTTP request that brought the call, which is None on a transport without one. Asked at every call;
nothing of the message itself reaches it."""

_LIST_KEPT_MS = 60_000
_INTERNAL = "Something went wrong inside citewell; its log says what."


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerInfo:
    """What the server tells of itself. ``collections`` are the configured ones, for agents to choose from."""

    name: str = "citewell"
    version: str = ""
    collections: tuple[str, ...] = ()


class LateService:
    """The service, built when it is first needed, so that a client is answered before any model is loaded."""

    def __init__(self, factory: ServiceFactory) -> None:
        self._factory = factory
        self._lock = anyio.Lock()
        self._service: KnowledgeService | None = None

    async def get(self) -> KnowledgeService:
        """Return the service; build it if this is the first call or the last attempt failed."""
        async with self._lock:
            if self._service is None:
                self._service = await self._factory()
            return self._service

    async def close(self) -> None:
        """Close the service if it was built."""
        service, self._service = self._service, None
        if service is not None:
            with anyio.CancelScope(shield=True):
                await service.close()


def build_server(service: LateService, principal: PrincipalResolver, tools: Sequence[Tool], info: ServerInfo) -> Server[Any]:
    """Return a server that offers ``tools``, or the default ones where that is empty.

    Raises ConfigurationError for a declaration that cannot be offered.
    """
    offered = declared_tools(tools)
    toolbox = Toolbox(offered, info.collections)

    async def list_tools(_: ServerRequestContext[Any], __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=toolbox.listing())

    async def answer_call(context: ServerRequestContext[Any], params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = toolbox.find(params.name)
        try:
            arguments = toolbox.arguments(tool, params.arguments or {})
            if tool.kind == "ask":
                await context.session.report_progress(0, 1, "Searching the sources")
            return _result(await _in_time(tool, arguments, service, principal(context.request)))
        except CitewellError as error:
            return _refusal(tool, error)
        except Exception:
            logger.exception("The tool %s failed", tool.name)
            return _failure(tool, RetrievalFailed(_INTERNAL))

    return Server(
        info.name,
        version=info.version,
        instructions=write_instructions(offered, info.collections),
        on_list_tools=list_tools,
        on_call_tool=answer_call,
        cache_hints={"tools/list": CacheHint(ttl_ms=_LIST_KEPT_MS, scope="public")},
    )


async def _in_time(tool: Tool, arguments: Arguments, service: LateService, principal: Principal) -> Outcome:
    with anyio.move_on_after(tool.timeout):
        return await call_tool(tool, arguments, await service.get(), principal)
    raise ToolTimeout(f"This took longer than {tool.timeout} seconds, and was ended.")


def _result(outcome: Outcome) -> types.CallToolResult:
    """Return ``outcome`` in both channels, since some agents see only the one and some only the other."""
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=outcome.text)],
        structured_content=json.loads(compact_json(outcome.payload)),
        _meta=outcome.meta,
    )


def _refusal(tool: Tool, error: CitewellError) -> types.CallToolResult:
    if error.detail:
        logger.warning("%s: %s (%s)", error.code, error.message, error.detail)
    return _failure(tool, error)


def _failure(tool: Tool, error: CitewellError) -> types.CallToolResult:
    """Return an error of the protocol, or the envelope that stands for it."""
    if tool.result == "envelope":
        payload = failure_payload(error)
        return _result(Outcome(payload=payload, text=compact_json(payload)))
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=f"{error.code}: {error.message}")], is_error=True
    )
