"""The server as an agent starts it: a subprocess that speaks the protocol on its standard streams."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal

import pytest
from mcp import Client, StdioServerParameters, stdio_client

pytestmark = pytest.mark.anyio

SERVER = str(Path(__file__).with_name("stdio_server.py"))
PROMPT_ANSWERS = """
import sys
import stdio_server
from citewell.surfaces.mcp.server import LateService, build_server
build_server(LateService(stdio_server.build), lambda: stdio_server.READER, (), stdio_server.INFO)
print(*sorted({name.partition(".")[0] for name in sys.modules} & {"numpy", "faiss", "onnxruntime", "jsonschema"}))
print("citewell.service" in sys.modules)
"""

Era = Literal["auto", "legacy"]


def connect(era: Era) -> Client:
    return Client(stdio_client(StdioServerParameters(command=sys.executable, args=[SERVER])), mode=era)


def converse(*requests: dict[str, Any]) -> list[str]:
    """Send ``requests`` one by one to a fresh server, each after the last was answered; return all the lines it wrote."""
    lines: list[str] = []
    # With the buffer that Python gives a pipe by default: what is printed may come out long after it was written.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with subprocess.Popen(
        [sys.executable, SERVER],
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        for request in requests:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **request}) + "\n")
            server.stdin.flush()
            if "id" in request:
                lines.append(server.stdout.readline())
        server.stdin.close()
        return [*lines, *server.stdout]


@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_a_client_of_either_era_lists_and_calls_the_tools_over_stdio(era: Era) -> None:
    async with connect(era) as client:
        tools = (await client.list_tools()).tools
        cold = await client.call_tool("search", {"query": "default timeout"})
        warm = await client.call_tool("search", {"query": "default timeout"})
    assert [tool.name for tool in tools] == ["search", "fetch", "ask", "list_sources"]
    assert cold.structured_content["results"][0]["id"] == "docs/timeouts.md:0"
    assert warm.structured_content == cold.structured_content


@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_a_restarted_server_gives_the_same_results(era: Era) -> None:
    found = []
    for _ in range(2):
        async with connect(era) as client:
            found.append((await client.call_tool("search", {"query": "pool", "k": 3})).structured_content)
    assert found[0] == found[1]


def test_standard_output_carries_nothing_but_messages_of_the_protocol() -> None:
    client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "probe", "version": "1"}}
    call = {"method": "tools/call", "params": {"name": "search", "arguments": {"query": "timeout"}}}
    failing = {"method": "tools/call", "params": {"name": "fetch", "arguments": {"id": "nowhere.md"}}}
    lines = converse(
        {"id": 1, "method": "initialize", "params": client},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
        {"id": 3, **call},
        {"id": 4, **call},
        {"id": 5, **failing},
    )
    assert [json.loads(line)["id"] for line in lines] == [1, 2, 3, 4, 5]


def test_the_server_is_ready_before_the_engine_is_loaded() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROMPT_ANSWERS], cwd=Path(SERVER).parent, capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout.split("\n")[:2] == ["", "False"]
