"""The commands that answer agents, as agents start and reach them: real processes, the SDK's own client."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

pytestmark = pytest.mark.anyio


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


@contextmanager
def served(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen([sys.executable, "-m", "citewell", *arguments], stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        assert "/mcp" in process.stderr.readline()
        yield process
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)


async def found_over_http(port: int) -> list[str]:
    async with Client(streamable_http_client(f"http://127.0.0.1:{port}/mcp")) as client:
        result = await client.call_tool("search", {"query": "pool timeout", "k": 2})
    return [hit["path"] for hit in result.structured_content["results"]]


async def test_mcp_serves_an_agent_over_stdio(library: Path) -> None:
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "citewell", "mcp", "-c", str(library)], env=dict(os.environ)
    )
    async with Client(stdio_client(command)) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        result = await client.call_tool("search", {"query": "pool timeout"})

    assert tools == ["search", "fetch", "ask", "list_sources"]
    assert result.structured_content["results"][0]["path"] == "timeouts.md"


async def test_mcp_serves_the_tools_that_the_configuration_declares(project: Path) -> None:
    tools = '[{"name": "find_docs", "kind": "search", "description": "Finds.", "collections": ["docs"]}]'
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "citewell", "mcp", "-c", str(project)],
        env={**os.environ, "CITEWELL_TOOLS": tools},
    )
    async with Client(stdio_client(command)) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["find_docs"]


@pytest.mark.parametrize("command", [("mcp", "--http"), ("serve",)])
async def test_both_commands_serve_agents_over_http(library: Path, command: tuple[str, ...]) -> None:
    port = free_port()

    with served(*command, "--port", str(port), "-c", str(library)):
        assert (await found_over_http(port))[0] == "timeouts.md"


async def test_serve_listens_where_the_configuration_says(library: Path) -> None:
    port = free_port()

    with served("serve", "--set", f"serve.port={port}", "-c", str(library)):
        assert await found_over_http(port)


def test_ctrl_c_ends_a_server_quietly(library: Path) -> None:
    with served("serve", "--port", str(free_port()), "-c", str(library)) as process:
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)

    assert process.returncode == 130
    assert "Traceback" not in err


def test_a_port_that_is_taken_is_a_clear_error(library: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        arguments = ["serve", "--port", str(taken.getsockname()[1]), "-c", str(library)]
        process = subprocess.run([sys.executable, "-m", "citewell", *arguments], capture_output=True, text=True, check=False)

    assert process.returncode == 78
    assert "BAD_CONFIGURATION: Cannot listen on 127.0.0.1" in process.stderr
