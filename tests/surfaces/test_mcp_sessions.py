"""Nothing of one caller's requests is there for the next: no session, no cursor, no cached result, no list of his own."""

from __future__ import annotations

import json

import pytest
from guests import BODY, HEADERS, HOST, Badges, application, bearer, call, send, use

from citewell.service import KnowledgeService

pytestmark = pytest.mark.anyio

LEGACY = ("MCP-Protocol-Version", "2025-11-25")
INITIALIZE = BODY | {
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}},
}


async def test_no_session_is_ever_begun(knowledge: KnowledgeService) -> None:
    async with application(knowledge, Badges().callers()) as app:
        reply = await send(app, "/mcp", [*HEADERS, bearer("ada")], method="POST", body=json.dumps(INITIALIZE).encode())
    assert reply.status == 200
    assert "mcp-session-id" not in reply.headers


@pytest.mark.parametrize("session", ["bo-session", "00000000000000000000000000000000", ""])
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
async def test_another_callers_session_is_not_found(knowledge: KnowledgeService, session: str, method: str) -> None:
    headers = [*HEADERS, LEGACY, bearer("ada"), ("Mcp-Session-Id", session)]
    body = json.dumps(BODY | {"method": "tools/list"}).encode()
    async with application(knowledge, Badges().callers()) as app:
        assert (await send(app, "/mcp", headers, method=method, body=body)).status == 404


async def test_a_session_lends_nobody_an_identity(knowledge: KnowledgeService) -> None:
    async with application(knowledge, Badges().callers()) as app:
        reply = await send(app, "/mcp", [*HEADERS, LEGACY, ("Mcp-Session-Id", "bo-session")], method="POST", body=b"{}")
    assert reply.status == 401


async def test_a_cursor_gives_another_caller_his_own_documents(knowledge: KnowledgeService) -> None:
    question = {"query": "merger spring timeout default pool"}
    async with application(knowledge, Badges().callers()) as app:
        cursor = (await use(app, "bo", "search", **question, k=1))["cursor"]
        own = (await use(app, "ada", "search", **question, k=1))["cursor"]
        page = await use(app, "ada", "search", **question, k=50, cursor=cursor)
        listed = await use(app, "ada", "search", **question, k=50, cursor=own)
    assert "private/board.md" not in json.dumps(page)
    assert "private/board.md" not in json.dumps(listed)
    assert "merger" not in cursor


async def test_the_same_call_after_another_callers_answers_as_if_he_had_not_called(knowledge: KnowledgeService) -> None:
    calls = [
        ("search", {"query": "merger spring"}),
        ("ask", {"question": "When is the merger planned?"}),
        ("fetch", {"id": "private/board.md"}),
        ("list_sources", {}),
    ]
    async with application(knowledge, Badges().callers()) as app:
        for tool, arguments in calls:
            before = await use(app, "ada", tool, **arguments)
            assert await use(app, "bo", tool, **arguments) != before
            assert await use(app, "ada", tool, **arguments) == before


async def test_the_list_of_tools_is_the_same_for_everybody(knowledge: KnowledgeService) -> None:
    async with application(knowledge, Badges().callers(anonymous=True)) as app:
        lists = {(await call(app, who, "tools/list", {})).body for who in ([bearer("ada")], [bearer("bo")], [])}
    assert len(lists) == 1
    assert json.loads(lists.pop())["result"]["cacheScope"] == "public"


async def test_no_cache_is_told_that_a_result_may_be_shared(knowledge: KnowledgeService) -> None:
    async with application(knowledge, Badges().callers()) as app:
        reply = await call(app, [bearer("bo")], "tools/call", {"name": "fetch", "arguments": {"id": "private/board.md"}})
    assert reply.json["result"].get("cacheScope", "private") == "private"
    assert "no-store" in reply.headers["cache-control"]


async def test_a_streamed_result_is_not_kept_either(knowledge: KnowledgeService) -> None:
    body = json.dumps(BODY | {"method": "tools/call", "params": {"name": "list_sources", "arguments": {}}}).encode()
    async with application(knowledge, Badges().callers()) as app:
        reply = await send(app, "/mcp", [*HEADERS, LEGACY, bearer("ada")], method="POST", body=body)
    assert reply.headers["content-type"].startswith("text/event-stream")
    assert reply.headers["cache-control"] == "no-store, no-transform"


@pytest.mark.parametrize(
    "lie", [{"Mcp_Method": "tools/list"}, {"Mcp_Name": "search"}, {"Mcp_Method": ""}, {"MCP_Protocol_Version": "2030-01-01"}]
)
async def test_headers_that_say_other_than_the_message_are_refused(knowledge: KnowledgeService, lie: dict[str, str]) -> None:
    async with application(knowledge, Badges().callers()) as app:
        reply = await call(app, [bearer("bo")], "tools/call", {"name": "list_sources", "arguments": {}}, **lie)
    assert reply.status == 400
    assert "result" not in reply.json


async def test_only_json_is_taken(knowledge: KnowledgeService) -> None:
    body = json.dumps(BODY | {"method": "tools/list"}).encode()
    headers = [HOST, LEGACY, bearer("ada"), ("Accept", "*/*"), ("Content-Type", "text/plain")]
    async with application(knowledge, Badges().callers()) as app:
        assert (await send(app, "/mcp", headers, method="POST", body=body)).status == 400
