"""Runs applications for the tests: under uvicorn in this process, or as a process of its own."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import httpx2
import uvicorn
from stdio_server import INFO, READER

from citewell.config.place import Place
from citewell.core.tools import Tool
from citewell.service import KnowledgeService
from citewell.surfaces.auth.callers import Callers
from citewell.surfaces.mcp.http import http_app

SERVER = str(Path(__file__).with_name("http_server.py"))
OVER_HTTP = replace(READER, via="mcp-http")
LOCAL = Callers(authenticator=None, unnamed=lambda: OVER_HTTP)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@asynccontextmanager
async def hosted(
    knowledge: KnowledgeService,
    callers: Callers = LOCAL,
    *,
    tools: Sequence[Tool] = (),
    public_url: str | None = None,
    **settings: Any,
) -> AsyncIterator[str]:
    """The address of an application over ``knowledge``, which serves the local user unless told otherwise."""

    async def lend() -> KnowledgeService:
        return knowledge

    port = free_port()
    app = http_app(lend, callers, tools, INFO, Place(host="127.0.0.1", port=port, public_url=public_url), **settings)
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_config=None))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(server.serve)
        await answering(f"http://127.0.0.1:{port}")
        yield f"http://127.0.0.1:{port}"
        server.should_exit = True


async def answering(address: str) -> None:
    async with httpx2.AsyncClient() as client:
        with anyio.fail_after(30):
            while True:
                try:
                    (await client.get(f"{address}/healthz")).raise_for_status()
                except httpx2.TransportError:
                    await anyio.sleep(0.05)
                else:
                    return


@contextmanager
def process(port: int) -> Iterator[subprocess.Popen[bytes]]:
    """A server of its own on ``port``, told to stop at the end."""
    with subprocess.Popen([sys.executable, SERVER, str(port)], stderr=subprocess.DEVNULL) as server:
        try:
            yield server
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(timeout=30)
