"""The doors of a running server, opened in this process: MCP over HTTP, and the reader of cited documents."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import quote

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from citewell.config import Config
from citewell.config.place import Place
from citewell.core.access import Principal
from citewell.core.tools import Tool
from citewell.service import KnowledgeService
from citewell.surfaces.auth.callers import Callers
from citewell.surfaces.mcp.declarations import declared_tools
from citewell.surfaces.mcp.http import MCP_PATH, http_app
from citewell.surfaces.mcp.server import ServerInfo
from citewell.testing.fixed_authenticator import FixedAuthenticator
from citewell.verification.asking import NOWHERE, Said
from citewell.verification.canaries import Canary

PLACE = Place(host="127.0.0.1", port=8080)


@dataclass(frozen=True, slots=True)
class HttpDoors:
    """A client of the server as one principal, its connection to MCP, and the tools it is offered there."""

    http: httpx2.AsyncClient
    agent: Client
    tools: Sequence[Tool]


class Doors:
    """The server over ``service``, for ``principals``, each of whom has a badge."""

    def __init__(self, config: Config, service: KnowledgeService, principals: Sequence[Principal]) -> None:
        self.tools = declared_tools(config.declared_tools())
        badges = FixedAuthenticator({f"badge-{number}": principal for number, principal in enumerate(principals)})
        self._badges = {principal.id: badge for badge, principal in badges.holders.items()}

        async def lend() -> KnowledgeService:
            return service

        info = ServerInfo(collections=tuple(config.collections))
        self._app = http_app(lend, Callers(authenticator=badges, unnamed=None), self.tools, info, PLACE)

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Run the server. Its end closes the service."""
        async with self._app.router.lifespan_context(self._app):
            yield

    @asynccontextmanager
    async def open_for(self, principal: Principal) -> AsyncIterator[HttpDoors]:
        """Lend clients that come as ``principal``, through every gate that others pass."""
        headers = {"Authorization": f"Bearer {self._badges[principal.id]}"}
        transport = httpx2.ASGITransport(app=self._app)
        async with (
            httpx2.AsyncClient(transport=transport, base_url=PLACE.address, headers=headers) as http,
            Client(streamable_http_client(f"{PLACE.address}{MCP_PATH}", http_client=http)) as agent,
        ):
            yield HttpDoors(http, agent, self.tools)


async def ask_reader(http: httpx2.AsyncClient, canaries: Sequence[Canary]) -> AsyncIterator[Said]:
    """Yield what the reader of cited documents answers: status, headers and text."""
    for canary in canaries:
        yield Said("read", await _get(http, canary.path), canary)
    yield Said("read nothing", await _get(http, NOWHERE))


async def _get(http: httpx2.AsyncClient, identity: str) -> str:
    response = await http.get(f"/documents/{quote(identity)}")
    return f"{response.status_code} {sorted(response.headers.items())} {response.text}"
