"""The MCP server over streamable HTTP, with the plain-text reader that citations of local files lead to."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import uvicorn
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from citewell.core.errors import ConfigurationError
from citewell.core.tools import Tool
from citewell.surfaces.mcp.reader import DocumentReader
from citewell.surfaces.mcp.server import LateService, PrincipalResolver, ServerInfo, ServiceFactory, build_server

MCP_PATH = "/mcp"
_HTTP_PORT = 80
_PATIENCE_SECONDS = 5


class HostCheck:
    """Refuses requests for another host, or from a page of another origin: no web page may reach a local server."""

    def __init__(self, app: ASGIApp, settings: TransportSecuritySettings) -> None:
        self._app = app
        self._check = TransportSecurityMiddleware(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 421 or 403, or let the request through."""
        refusal = await self._check.validate_request(Request(scope)) if scope["type"] == "http" else None
        await (refusal or self._app)(scope, receive, send)


def http_app(
    service_factory: ServiceFactory,
    principal: PrincipalResolver,
    tools: Sequence[Tool],
    info: ServerInfo,
    *,
    host: str,
    port: int,
    public_url: str | None = None,
) -> Starlette:
    """Return the application: MCP at ``/mcp``, documents at ``/documents/{id}``, and ``/healthz``.

    ``host`` and ``port`` are where it will be bound; ``public_url`` is a further address it is reached by, through a
    forwarded port for example. Raises ConfigurationError for either outside this machine, since whoever reaches the
    application is taken for the local user.
    """
    settings = _security(host, port, public_url)
    service = LateService(service_factory)
    server = build_server(service, principal, tools, info)
    protocol = server.streamable_http_app(
        streamable_http_path=MCP_PATH, stateless_http=True, transport_security=settings, host=host
    )
    reader = DocumentReader(service, principal)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with server.session_manager.run():
            yield
        await service.close()

    return Starlette(
        routes=[*protocol.routes, Route("/healthz", _report_health), Route("/documents/{id:path}", reader.answer)],
        middleware=[Middleware(HostCheck, settings=settings)],
        lifespan=lifespan,
    )


async def serve_http(
    service_factory: ServiceFactory,
    principal: PrincipalResolver,
    tools: Sequence[Tool],
    info: ServerInfo,
    *,
    host: str,
    port: int,
    public_url: str | None = None,
    ready: Callable[[], None],
) -> None:
    """Serve `http_app` until the process is told to stop; calls in progress get a few seconds to end.

    ``ready`` is called as soon as a client may connect.

    Raises ConfigurationError where `http_app` does, and when the port cannot be had.
    """
    app = http_app(service_factory, principal, tools, info, host=host, port=port, public_url=public_url)
    settings = uvicorn.Config(
        app, log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=_PATIENCE_SECONDS
    )
    with _listen(host, port) as listener:
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


def _security(host: str, port: int, public_url: str | None) -> TransportSecuritySettings:
    _require_loopback(host)
    bound = f"[{host}]" if ":" in host else host
    names = dict.fromkeys((bound, "localhost", "127.0.0.1", "[::1]"))
    hosts = [f"{name}:{port}" for name in names] + (list(names) if port == _HTTP_PORT else [])
    origins = [f"http://{name}" for name in hosts]
    if public_url is not None:
        address = urlsplit(public_url)
        _require_loopback(address.hostname or "")
        hosts.append(address.netloc)
        origins.append(f"{address.scheme}://{address.netloc}")
    return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=origins)


def _require_loopback(host: str) -> None:
    if not _is_loopback(host):
        raise ConfigurationError(
            f"The host {host!r} is not this machine. Whoever reaches the server is taken for you, so it serves"
            " 127.0.0.1, ::1 or localhost only."
        )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
