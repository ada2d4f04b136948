"""The examples at work as a user runs them: copied, synchronised by the command line, served over stdio and HTTP."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from socket import create_server
from typing import Any, Literal

import anyio
import httpx2
from anyio.abc import Process
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, TextContent

Era = Literal["auto", "legacy"]
ERAS: tuple[Era, ...] = ("auto", "legacy")
EXAMPLES = Path(__file__).parents[2] / "examples"
PATIENCE_SECONDS = 90


def copied(name: str, folder: Path) -> Path:
    """Copy the example ``name`` into ``folder`` and return its configuration."""
    ignored = shutil.ignore_patterns(".citewell", "*.db", "__pycache__")
    return Path(shutil.copytree(EXAMPLES / name, folder / name, ignore=ignored)) / "citewell.yaml"


def citewell(config: Path, *arguments: str, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command line with ``config``; its output as text, whatever its exit status."""
    command = [sys.executable, "-m", "citewell", *arguments, "--config", str(config)]
    return subprocess.run(command, capture_output=True, text=True, env=environment(env), timeout=300, check=False)


def environment(more: Mapping[str, str] | None) -> dict[str, str]:
    """Return the environment of this process without settings of its own, and ``more``."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("CITEWELL_")}
    return own | dict(more or {})


def over_stdio(config: Path, era: Era, env: Mapping[str, str] | None = None) -> Client:
    """Return a client of a server that it starts itself, as agents do."""
    arguments = ["-m", "citewell", "mcp", "--config", str(config)]
    server = StdioServerParameters(command=sys.executable, args=arguments, env=environment(env))
    return Client(stdio_client(server), mode=era)


@asynccontextmanager
async def over_http(address: str, era: Era, token: str = "") -> AsyncIterator[Client]:
    """A client of the server at ``address``, with ``token`` where it needs one."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=PATIENCE_SECONDS) as http,
        Client(streamable_http_client(f"{address}/mcp", http_client=http), mode=era) as client,
    ):
        yield client


@asynccontextmanager
async def serving(config: Path, env: Mapping[str, str] | None = None) -> AsyncIterator[str]:
    """The address of ``citewell serve`` with ``config``, a process of its own that ends with the block."""
    with create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    command = [sys.executable, "-m", "citewell", "serve", "--port", str(port), "--config", str(config)]
    with tempfile.TemporaryFile() as errors:
        process = await anyio.open_process(command, env=environment(env), stdout=subprocess.DEVNULL, stderr=errors)
        try:
            if not await _answers(process, f"http://127.0.0.1:{port}"):
                errors.seek(0)
                raise AssertionError(f"the server ended at once: {errors.read().decode()}")
            yield f"http://127.0.0.1:{port}"
        finally:
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGTERM)
            with anyio.CancelScope(shield=True):
                await process.aclose()


async def _answers(process: Process, address: str) -> bool:
    """Wait for the server to answer; say whether it did before it ended."""
    async with httpx2.AsyncClient() as client:
        with anyio.fail_after(PATIENCE_SECONDS):
            while process.returncode is None:
                try:
                    (await client.get(f"{address}/healthz")).raise_for_status()
                except httpx2.TransportError:
                    await anyio.sleep(0.1)
                else:
                    return True
    return False


def payload_of(result: CallToolResult) -> dict[str, Any]:
    """Return the structured result of a call that succeeded."""
    assert not result.is_error, text_of(result)
    assert result.structured_content is not None
    return result.structured_content


def text_of(result: CallToolResult) -> str:
    """Return the one text of a result."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text
