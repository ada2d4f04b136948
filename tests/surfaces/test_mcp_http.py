"""The server over streamable HTTP, on this machine only."""

from __future__ import annotations

import httpx2
import pytest
from agents import ERAS, Era, payload_of
from hosting import LOCAL, answering, free_port, hosted, process
from mcp import Client
from stdio_server import INFO, build

from citewell.config.place import Place
from citewell.core.errors import ConfigurationError
from citewell.service import KnowledgeService
from citewell.surfaces.mcp.http import http_app, serve_http

pytestmark = pytest.mark.anyio

PING = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
ACCEPT = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_of_either_era_lists_and_calls_the_tools_over_http(knowledge: KnowledgeService, era: Era) -> None:
    async with hosted(knowledge) as address, Client(f"{address}/mcp", mode=era) as client:
        tools = (await client.list_tools()).tools
        found = payload_of(await client.call_tool("search", {"query": "default timeout"}))
    assert [tool.name for tool in tools] == ["search", "fetch", "ask", "list_sources"]
    assert found["results"][0]["id"] == "docs/timeouts.md:0"


@pytest.mark.parametrize("era", ERAS)
async def test_ask_reports_progress_over_http(knowledge: KnowledgeService, era: Era) -> None:
    heard: list[str | None] = []

    async def hear(_: float, __: float | None, message: str | None) -> None:
        heard.append(message)

    async with hosted(knowledge) as address, Client(f"{address}/mcp", mode=era) as client:
        await client.call_tool("ask", {"question": "What is the default timeout?"}, progress_callback=hear)
    assert heard == ["Searching the sources"]


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_goes_on_across_a_restart_of_the_server(era: Era) -> None:
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    with process(port):
        await answering(address)
        async with Client(f"{address}/mcp", mode=era) as client:
            before = payload_of(await client.call_tool("search", {"query": "pool"}))
    with process(port) as server:
        await answering(address)
        async with Client(f"{address}/mcp", mode=era) as client:
            after = payload_of(await client.call_tool("search", {"query": "pool"}))
    assert after == before
    assert server.returncode in (0, -15)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1"}, 421),
        ({"Host": "localhost.evil.example:80"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "http://localhost:1"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
async def test_another_host_or_origin_is_refused_everywhere(
    knowledge: KnowledgeService, headers: dict[str, str], status: int
) -> None:
    async with hosted(knowledge) as address, httpx2.AsyncClient(headers=headers) as client:
        assert (await client.post(f"{address}/mcp", json=PING, headers=ACCEPT)).status_code == status
        assert (await client.get(f"{address}/documents/docs/timeouts.md")).status_code == status
        assert (await client.get(f"{address}/healthz")).status_code == status


async def test_its_own_origin_and_the_names_of_this_machine_are_admitted(knowledge: KnowledgeService) -> None:
    async with hosted(knowledge) as address, httpx2.AsyncClient() as client:
        port = address.rpartition(":")[2]
        for host in (f"localhost:{port}", f"127.0.0.1:{port}", f"[::1]:{port}"):
            response = await client.get(f"{address}/healthz", headers={"Host": host, "Origin": f"http://{host}"})
            assert response.text == "ok"


async def test_the_public_url_is_admitted_as_well(knowledge: KnowledgeService) -> None:
    async with hosted(knowledge, public_url="http://localhost:9999") as address, httpx2.AsyncClient() as client:
        response = await client.get(f"{address}/healthz", headers={"Host": "localhost:9999"})
    assert response.status_code == 200


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.4", "kb.example"])
def test_only_this_machine_may_be_bound(host: str) -> None:
    with pytest.raises(ConfigurationError, match=r"127\.0\.0\.1"):
        http_app(build, LOCAL, (), INFO, Place(host=host, port=8765))


def test_a_public_url_of_another_machine_is_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"kb\.example"):
        http_app(build, LOCAL, (), INFO, Place(host="127.0.0.1", port=8765, public_url="https://kb.example"))


async def test_a_port_that_is_taken_is_an_error_that_names_it(knowledge: KnowledgeService) -> None:
    async with hosted(knowledge) as address:
        port = int(address.rpartition(":")[2])
        with pytest.raises(ConfigurationError, match=str(port)):
            await serve_http(build, LOCAL, (), INFO, Place(host="127.0.0.1", port=port), ready=lambda: None)


async def test_nothing_a_client_sends_is_an_identity(knowledge: KnowledgeService) -> None:
    claims = {"Authorization": "Bearer board", "X-Forwarded-User": "chair", "X-User": "chair"}
    async with hosted(knowledge) as address, httpx2.AsyncClient(headers=claims) as http:
        response = await http.get(f"{address}/documents/private/board.md")
        call = {"name": "fetch", "arguments": {"id": "private/board.md"}, "_meta": {"principal": "group:board"}}
        answer = await http.post(f"{address}/mcp", json=PING | {"method": "tools/call", "params": call}, headers=ACCEPT)
    assert response.status_code == 404
    assert "DOCUMENT_NOT_FOUND" in answer.text
