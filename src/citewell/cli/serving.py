"""The commands that answer agents: ``mcp`` and ``serve``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

import typer

from citewell import __version__
from citewell.cli.options import Assignments, ConfigPath, Host
from citewell.cli.session import open_config
from citewell.cli.streams import note

if TYPE_CHECKING:
    from citewell.config import Config
    from citewell.core.tools import Tool
    from citewell.service import KnowledgeService
    from citewell.surfaces.auth.callers import Callers
    from citewell.surfaces.mcp.http import SiteBuilder
    from citewell.surfaces.mcp.server import ServerInfo

MCP_PORT: Final = 8765
VIA: Final = "mcp-http"


def mcp(
    http: Annotated[bool, typer.Option("--http", help="Serve streamable HTTP instead of stdin and stdout.")] = False,
    host: Host = None,
    port: Annotated[int, typer.Option("--port", help="With --http: listen on this port.")] = MCP_PORT,
    config_path: ConfigPath = None,
    assignments: Assignments = None,
) -> None:
    """Serve agents over the Model Context Protocol, on stdin and stdout unless told otherwise."""
    flags = {"serve.host": host, "serve.port": port} if http else {}
    config = open_config(config_path, assignments, flags)
    if http:
        _serve_http(config)
    else:
        _serve_stdio(config)


def serve(
    host: Host = None,
    port: Annotated[int | None, typer.Option(help="Listen on this port instead of serve.port.", show_default=False)] = None,
    config_path: ConfigPath = None,
    assignments: Assignments = None,
) -> None:
    """Serve programs, people and agents over HTTP: REST, and MCP at /mcp."""
    config = open_config(config_path, assignments, {"serve.host": host, "serve.port": port})
    _serve_http(config, site=_site(config))


def _serve_stdio(config: Config) -> None:
    import anyio

    from citewell.surfaces.mcp.stdio import serve_stdio
    from citewell.wiring import build_policy, local_principal

    policy = build_policy(config)

    async def run() -> None:
        principal = partial(local_principal, config, "mcp", policy)
        await serve_stdio(lambda: _service(config), principal, _tools(config), _info(config))

    anyio.run(run)


def _serve_http(config: Config, site: SiteBuilder | None = None) -> None:
    import anyio

    from citewell.surfaces.mcp.http import serve_http

    at = config.serve.place()
    jwt = config.auth.jwt if config.auth is not None else None
    offered = f"MCP at {at.bound}/mcp" if site is None else f"REST at {at.bound}, MCP at {at.bound}/mcp"

    async def run() -> None:
        await serve_http(
            lambda: _service(config),
            _callers(config),
            _tools(config),
            _info(config),
            at,
            issuers=() if jwt is None else (jwt.issuer,),
            site=site,
            ready=lambda: note(f"{offered} {audience(config)}; Ctrl-C ends it."),
        )

    anyio.run(run)


def _site(config: Config) -> SiteBuilder:
    from citewell.surfaces.rest.site import rest_site

    return rest_site(version=__version__, k=config.retrieval.k, timeout=config.serve.timeout)


def _callers(config: Config) -> Callers:
    """Return who may come over HTTP: the local user where nobody has to show who he is, else those that `auth` admits."""
    from citewell.surfaces.auth.callers import Callers
    from citewell.wiring import build_authenticator, build_policy, local_principal

    policy = build_policy(config)
    if config.auth is None:
        return Callers(authenticator=None, unnamed=partial(local_principal, config, VIA, policy), via=VIA)
    anonymous = (lambda: policy().anonymous(via=VIA)) if config.auth.anonymous else None
    return Callers(authenticator=build_authenticator(config, policy), unnamed=anonymous, via=VIA)


def audience(config: Config) -> str:
    """Say in a few words whom the server serves."""
    if config.auth is None:
        return "for you alone"
    shown = (("a token of citewell", config.auth.tokens), ("a token of the provider", config.auth.jwt is not None))
    methods = [name for name, accepted in shown if accepted]
    everybody = ", and for anonymous callers" if config.auth.anonymous else ""
    return f"for whoever shows {' or '.join(methods)}{everybody}"


async def _service(config: Config) -> KnowledgeService:
    from citewell.wiring import build_service

    return build_service(config)


def _tools(config: Config) -> tuple[Tool, ...]:
    from citewell.surfaces.mcp.declarations import declared_tools, default_k

    return default_k(declared_tools(config.declared_tools()), config.retrieval.k)


def _info(config: Config) -> ServerInfo:
    from citewell.surfaces.mcp.server import ServerInfo

    return ServerInfo(version=__version__, collections=tuple(config.collections))
