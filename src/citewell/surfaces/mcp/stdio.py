"""The MCP server on standard input and output, for an agent that starts citewell itself."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from mcp.server.stdio import stdio_server

from citewell.core.access import Principal
from citewell.core.tools import Tool
from citewell.surfaces.mcp.server import LateService, ServerInfo, ServiceFactory, build_server


async def serve_stdio(
    service_factory: ServiceFactory, principal: Callable[[], Principal], tools: Sequence[Tool], info: ServerInfo
) -> None:
    """Serve whoever started the process until standard input ends; then close the service.

    ``principal`` says at every call who that is and what he may read now. Standard output carries the protocol
    and nothing else. Raises ConfigurationError for a tool that cannot be offered.
    """
    service = LateService(service_factory)
    server = build_server(service, lambda _: principal(), tools, info)
    async with stdio_server() as (incoming, outgoing):
        try:
            await server.run(incoming, outgoing, server.create_initialization_options())
        finally:
            await service.close()
            # What was printed meanwhile still waits in the buffer. Now it goes to the log; later it would go to the client.
            sys.stdout.flush()
