"""A server for several people: a real process, real tokens, and the SDK's own client for each."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from test_serving import free_port, served

from citewell.config import load_config
from citewell.wiring import build_tokens, local_principal

pytestmark = pytest.mark.anyio

Cli = Callable[..., Any]

SETTINGS = """
auth: {}
access:
  default: [staff]
  users: {ada: [staff], bo: [staff, board], local: [staff, board]}
  rules: [{paths: "spring.md", groups: [board]}]
"""


async def new_token(project: Path, user: str) -> str:
    config = load_config(project)
    tokens = build_tokens(config)
    try:
        return (await tokens.create(local_principal(config, "cli"), user))[1]
    finally:
        await tokens.close()


async def revoke(project: Path, user: str) -> None:
    config = load_config(project)
    tokens = build_tokens(config)
    try:
        assert await tokens.revoke(local_principal(config, "cli"), user=user) == 1
    finally:
        await tokens.close()


@pytest.fixture
def team(cli: Cli, project: Path) -> Path:
    """The configuration of an indexed project that ada and bo share, where spring.md is the board's."""
    project.write_text(project.read_text(encoding="utf-8") + SETTINGS, encoding="utf-8")
    assert cli("sync", "--config", project).status == 0
    return project


def rewrite(file: Path, old: str, new: str) -> None:
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


def written_down(project: Path) -> list[tuple[str, ...]]:
    files = (project.parent / ".citewell" / "audit").rglob("*.jsonl")
    events = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return [tuple(event.get(key, "") for key in ("action", "who", "via", "code")) for event in events]


def sender(token: str) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"})


@asynccontextmanager
async def agent(port: int, token: str) -> AsyncIterator[Client]:
    async with sender(token) as http:
        transport = streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http)
        async with Client(transport) as client:
            yield client


async def found(client: Client) -> set[str]:
    result = await client.call_tool("search", {"query": "春天 timeout pool", "k": 50})
    return {hit["path"] for hit in result.structured_content["results"]}


async def test_each_holder_of_a_token_sees_what_is_open_to_him(team: Path) -> None:
    ada, bo = await new_token(team, "ada"), await new_token(team, "bo")
    port = free_port()
    with served("serve", "--port", str(port), "-c", str(team)):
        async with agent(port, ada) as first, agent(port, bo) as second:
            assert "spring.md" not in await found(first)
            assert "spring.md" in await found(second)
            assert "timeouts.md" in await found(first)


async def test_a_revoked_token_is_refused_at_the_next_call(team: Path) -> None:
    bo = await new_token(team, "bo")
    port = free_port()
    address = f"http://127.0.0.1:{port}/documents/spring.md"
    with served("serve", "--port", str(port), "-c", str(team)):
        async with sender(bo) as client:
            assert (await client.get(address)).status_code == 200
            await revoke(team, "bo")
            refused = await client.get(address)
    assert refused.status_code == 401
    assert 'error="invalid_token"' in refused.headers["www-authenticate"]


async def test_a_changed_group_acts_at_the_next_call(team: Path) -> None:
    bo = await new_token(team, "bo")
    port = free_port()
    address = f"http://127.0.0.1:{port}/documents/spring.md"
    with served("serve", "--port", str(port), "-c", str(team)):
        async with sender(bo) as client:
            assert (await client.get(address)).status_code == 200
            rewrite(team, "bo: [staff, board]", "bo: [staff]")
            assert (await client.get(address)).status_code == 404


async def test_no_token_is_refused_and_the_refusal_written_down(team: Path) -> None:
    port = free_port()
    with served("serve", "--port", str(port), "-c", str(team)):
        async with httpx2.AsyncClient() as client:
            assert (await client.get(f"http://127.0.0.1:{port}/documents/timeouts.md")).status_code == 401
    lines = [
        line for file in (team.parent / ".citewell" / "audit").rglob("*.jsonl") for line in file.read_text().splitlines()
    ]
    events = [json.loads(line) for line in lines]
    assert any("UNAUTHENTICATED" in json.dumps(event) and "mcp-http" in json.dumps(event) for event in events)
