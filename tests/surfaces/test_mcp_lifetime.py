"""When the service is built, how often, and how its work ends."""

from __future__ import annotations

import anyio
import pytest
from agents import ERAS, Era, connect, connect_to, payload_of
from assembly import build_knowledge, written
from hosting import hosted
from httpx2 import AsyncClient

from citewell.service import KnowledgeService
from citewell.surfaces.mcp.server import LateService

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("era", ERAS)
async def test_the_tools_are_listed_without_building_the_service(era: Era) -> None:
    async def refuse() -> KnowledgeService:
        raise AssertionError("built too early")

    async with connect_to(refuse, era=era) as client:
        assert len((await client.list_tools()).tools) == 4


async def test_calls_that_come_at_once_share_one_service() -> None:
    built: list[KnowledgeService] = []

    async def build_slowly() -> KnowledgeService:
        await anyio.sleep(0.05)
        built.append(await build_knowledge([]))
        return built[0]

    async with connect_to(build_slowly) as client, anyio.create_task_group() as calls:
        for _ in range(5):
            calls.start_soon(client.call_tool, "list_sources", {})
    assert len(built) == 1


@pytest.mark.parametrize("era", ERAS)
async def test_a_call_that_its_client_gives_up_is_cancelled(era: Era) -> None:
    knowledge = await build_knowledge([])
    started, cancelled = anyio.Event(), anyio.Event()

    async def think_forever(*_: object) -> None:
        started.set()
        try:
            await anyio.sleep_forever()
        finally:
            cancelled.set()

    knowledge.ask = think_forever
    async with connect(knowledge, era=era) as client:
        with anyio.fail_after(10):
            async with anyio.create_task_group() as calls:
                calls.start_soon(client.call_tool, "ask", {"question": "Why?"})
                await started.wait()
                calls.cancel_scope.cancel()
            await cancelled.wait()


async def test_a_server_that_ends_closes_the_service_it_built() -> None:
    knowledge, closed = await build_knowledge([]), anyio.Event()

    async def close() -> None:
        closed.set()

    knowledge.close = close
    async with hosted(knowledge) as address, AsyncClient() as client:
        await client.get(f"{address}/documents/any.md")
        assert not closed.is_set()
    assert closed.is_set()


async def test_a_service_that_was_never_needed_is_not_built_to_be_closed() -> None:
    async def refuse() -> KnowledgeService:
        raise AssertionError("built in vain")

    await LateService(refuse).close()


async def test_a_name_that_is_not_unicode_text_does_not_spoil_the_result() -> None:
    knowledge = await build_knowledge([written("docs/caf\udce9.md", ["Coffee.\n"])])
    async with connect(knowledge) as client:
        found = payload_of(await client.call_tool("search", {"query": "coffee"}))
    assert found["results"][0]["path"] == "docs/caf?.md"
