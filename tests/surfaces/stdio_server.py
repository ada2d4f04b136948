"""Serves the tests' knowledge base over standard input and output: what a client starts as a subprocess."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import anyio

from citewell.core.access import user_principal
from citewell.surfaces.mcp.server import ServerInfo
from citewell.surfaces.mcp.stdio import serve_stdio

if TYPE_CHECKING:
    from citewell.service import KnowledgeService

INFO = ServerInfo(version="0.0.0", collections=("docs", "code"))
READER = user_principal("ada", frozenset({"everyone"}), via="mcp-stdio", scopes=frozenset({"read"}))


async def build() -> KnowledgeService:
    # Imported late, as the command line does it: the client is answered before the engine is loaded.
    from assembly import build_knowledge

    sys.stdout.write("a careless print while the service is built\n")
    return await build_knowledge()


if __name__ == "__main__":
    anyio.run(serve_stdio, build, lambda: READER, (), INFO)
