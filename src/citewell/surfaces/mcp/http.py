"""The MCP server over streamable HTTP, with what is served beside it on the same port, behind the same gates."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from citewell.config.place import Place
from citewell.core.access import Principal, stranger
from citewell.core.errors import ConfigurationError, Forbidden, Unauthenticated
from citewell.core.tools import Tool
from citewell.surfaces.auth.callers import Callers
from citewell.surfaces.auth.gates import CallerGate, HostGate, caller_of
from citewell.surfaces.auth.metadata import METADATA_PATH, metadata_routes
from citewell.surfaces.mcp.reader import DocumentReader
from citewell.surfaces.mcp.server import LateService, ServerInfo, ServiceFactory, build_server

MCP_PATH: Final = "/mcp"
_PATIENCE_SECONDS: Final = 5


class SessionGate:
    """Refuses whoever brings a session: none was ever begun here, so it is somebody else's, or of another server."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 404, upon which a client begins anew, or let the request through."""
        brings = any(name == b"mcp-session-id" for name, _ in scope["headers"])
        answer = PlainTextResponse("There is no such session.", HTTPStatus.NOT_FOUND) if brings else self._app
        await answer(scope, receive, send)


@dataclass(frozen=True, slots=True)
class Site:
    """What is served beside MCP: ``guarded`` to whoever passes the gates, ``open`` to everybody who reaches the server."""

    guarded: ASGIApp
    open: Sequence[BaseRoute] = ()


SiteBuilder = Callable[[LateService], Site]


class Fork:
    """Takes what is asked at ``/mcp`` to the protocol, and everything else elsewhere."""

    def __init__(self, protocol: ASGIApp, elsewhere: ASGIApp) -> None:
        self.protocol = protocol
        self.elsewhere = elsewhere

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on."""
        answer = self.protocol if scope["path"] in (MCP_PATH, f"{MCP_PATH}/") else self.elsewhere
        await answer(scope, receive, send)


def http_app(
    service_factory: ServiceFactory,
    callers: Callers,
    tools: Sequence[Tool],
    info: ServerInfo,
    place: Place,
    *,
    issuers: Sequence[str] = (),
    site: SiteBuilder | None = None,
) -> Starlette:
    """Return the application: MCP at ``/mcp``, ``/healthz``, the OAuth metadata, and ``site``; or where that is None,
    documents as plain text at ``/documents/{id}``.

    ``place`` is where it will be bound and how it is reached, ``issuers`` are the authorization servers whose tokens
    ``callers`` accept. Who is turned away stands in the service's audit. Raises ConfigurationError where strangers would
    be served without being asked who they are, or by names that nobody gave.
    """
    place.require_safety(authenticated=callers.authenticator is not None)
    service = LateService(service_factory)
    server = build_server(service, caller_of, tools, info)
    protocol = server.streamable_http_app(
        streamable_http_path=MCP_PATH,
        stateless_http=True,
        transport_security=TransportSecuritySettings(
            allowed_hosts=sorted(place.hosts), allowed_origins=sorted(place.origins)
        ),
        host=place.host,
    )
    beside = site(service) if site is not None else Site(Router([DocumentReader(service).route], default=protocol))
    guarded = Fork(SessionGate(protocol), beside.guarded)

    async def take_down(error: Unauthenticated | Forbidden, caller: Principal | None) -> None:
        await (await service.get()).refused(caller or stranger(via=callers.via), error)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with server.session_manager.run():
            yield
        await service.close()

    described = metadata_routes(place.address + MCP_PATH, MCP_PATH, issuers) if callers.authenticator is not None else []
    app = Starlette(
        routes=[Route("/healthz", _report_health), *described, *beside.open],
        middleware=[Middleware(HostGate, place=place)],
        lifespan=lifespan,
    )
    # Whatever is not open to all passes the gate, even what has no route.
    app.router.default = CallerGate(guarded, callers, f"{place.address}{METADATA_PATH}{MCP_PATH}", take_down)
    return app


async def serve_http(
    service_factory: ServiceFactory,
    callers: Callers,
    tools: Sequence[Tool],
    info: ServerInfo,
    place: Place,
    *,
    issuers: Sequence[str] = (),
    site: SiteBuilder | None = None,
    ready: Callable[[], None],
) -> None:
    """Serve `http_app` until the process is told to stop; calls in progress get a few seconds to end.

    ``ready`` is called as soon as a client may connect.

    Raises ConfigurationError where `http_app` does, and when the port cannot be had.
    """
    app = http_app(service_factory, callers, tools, info, place, issuers=issuers, site=site)
    settings = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        timeout_graceful_shutdown=_PATIENCE_SECONDS,
    )
    with _listen(place.host, place.port) as listener:
        await _Server(settings, ready).serve(sockets=[listener])


class _Server(uvicorn.Server):
    """A server that says when it has started: from then on it also ends quietly when told to."""

    def __init__(self, settings: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(settings)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()


async def _report_health(_: Request) -> Response:
    return PlainTextResponse("ok")


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise ConfigurationError(f"Cannot listen on {host}, port {port}: {error.strerror}. Choose another port.") from error
