"""Agents for the tests: clients of the official SDK, connected in memory to a server over some knowledge."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal

from mcp import Client
from mcp.types import CallToolResult, TextContent
from stdio_server import INFO, READER

from citewell.core.access import Principal
from citewell.core.tools import Tool
from citewell.service import KnowledgeService
from citewell.surfaces.mcp.server import LateService, ServerInfo, build_server

Era = Literal["auto", "legacy"]
ERAS: tuple[Era, ...] = ("auto", "legacy")


def connect(
    knowledge: KnowledgeService,
    *,
    era: Era = "auto",
    principal: Principal = READER,
    tools: Sequence[Tool] = (),
    info: ServerInfo = INFO,
) -> Client:
    async def give() -> KnowledgeService:
        return knowledge

    return connect_to(give, era=era, principal=principal, tools=tools, info=info)


def connect_to(
    factory: Callable[[], Awaitable[KnowledgeService]],
    *,
    era: Era = "auto",
    principal: Principal = READER,
    tools: Sequence[Tool] = (),
    info: ServerInfo = INFO,
) -> Client:
    return Client(build_server(LateService(factory), lambda _: principal, tools, info), mode=era)


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def payload_of(result: CallToolResult) -> dict[str, Any]:
    assert not result.is_error, text_of(result)
    return result.structured_content
