"""The doors of a running server, opened in this process for one principal."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from mcp import Client

from citewell.config import Config
from citewell.core.access import Principal
from citewell.core.tools import Tool
from citewell.service import KnowledgeService
from citewell.surfaces.mcp.declarations import declared_tools
from citewell.surfaces.mcp.server import LateService, ServerInfo, build_server
from citewell.verification.asking import Said
from citewell.verification.canaries import Canary


@asynccontextmanager
async def agent_of(
    config: Config, service: KnowledgeService, principal: Principal
) -> AsyncIterator[tuple[Client, Sequence[Tool]]]:
    """Lend an MCP client that is connected as ``principal``, and the tools it is offered."""
    tools = declared_tools(config.declared_tools())
    info = ServerInfo(collections=tuple(config.collections))

    async def lend() -> KnowledgeService:
        return service

    async with Client(build_server(LateService(lend), lambda _: principal, tools, info)) as client:
        yield client, tools


async def reader_of(
    config: Config, service: KnowledgeService, principal: Principal, canaries: Sequence[Canary]
) -> AsyncIterator[Said]:
    """Yield what the reader of cited documents says to ``principal``."""
    return
    yield
