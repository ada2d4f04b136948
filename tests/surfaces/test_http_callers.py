"""From an HTTP request to who sends it."""

from __future__ import annotations

from dataclasses import replace

import anyio
import pytest
from assembly import build_knowledge
from guests import HERE, HOST, Badges, application, bearer, call, send, use, without

from citewell.service import KnowledgeService
from citewell.testing.memory_audit import MemoryAudit

pytestmark = pytest.mark.anyio

BOARD, OPEN = "/documents/private/board.md", "/documents/docs/timeouts.md"
METADATA = 'resource_metadata="http://127.0.0.1:8080/.well-known/oauth-protected-resource/mcp"'


async def test_two_holders_of_tokens_see_different_things(knowledge: KnowledgeService) -> None:
    async with application(knowledge, Badges().callers()) as app:
        assert (await send(app, BOARD, [HOST, bearer("bo")])).status == 200
        assert (await send(app, BOARD, [HOST, bearer("ada")])).status == 404
        assert "merger" in (await use(app, "bo", "fetch", id="private/board.md"))["text"]
        assert (await use(app, "ada", "fetch", id="private/board.md")).startswith("DOCUMENT_NOT_FOUND")


async def test_calls_at_once_are_each_answered_for_their_own_caller(knowledge: KnowledgeService) -> None:
    answers: list[tuple[str, bool]] = []

    async with application(knowledge, Badges().callers()) as app:

        async def ask(who: str) -> None:
            found = await use(app, who, "search", query="merger planned spring")
            answers.append((who, "merger" in str(found["results"])))

        async with anyio.create_task_group() as calls:
            for turn in range(40):
                calls.start_soon(ask, ("ada", "bo")[turn % 2])
    assert sorted(answers) == [("ada", False)] * 20 + [("bo", True)] * 20


@pytest.mark.parametrize("target", ["/mcp", OPEN, "/documents/nowhere", "/anything", "/", "/a%0ab", "/mcp%0a"])
async def test_who_shows_nothing_is_told_where_to_learn_what_to_show(knowledge: KnowledgeService, target: str) -> None:
    async with application(knowledge, Badges().callers()) as app:
        reply = await send(app, target, [HOST])
    assert reply.status == 401
    assert reply.json["code"] == "UNAUTHENTICATED"
    assert reply.headers["www-authenticate"] == f'Bearer scope="read", {METADATA}'


BAD = [
    [("Authorization", "Bearer wrong")],
    [("Authorization", "Bearer")],
    [("Authorization", "Bearer ")],
    [("Authorization", "Bearer ada-token extra")],
    [("Authorization", "Bearer ada-token,bo-token")],
    [("Authorization", "Bearer \xe9da-token")],
    [("Authorization", "Basic YWRhOmFkYQ==")],
    [("Authorization", "ada-token")],
    [("Authorization", "")],
    [bearer("ada"), bearer("ada")],
    [bearer("ada"), ("Authorization", "Bearer wrong")],
]


@pytest.mark.parametrize("shown", BAD)
@pytest.mark.parametrize("anonymous", [True, False])
async def test_a_bad_credential_is_refused_even_where_none_is_needed(
    knowledge: KnowledgeService, shown: list[tuple[str, str]], anonymous: bool
) -> None:
    async with application(knowledge, Badges().callers(anonymous=anonymous)) as app:
        reply = await send(app, OPEN, [HOST, *shown])
    assert reply.status == 401
    assert reply.headers["www-authenticate"] == f'Bearer error="invalid_token", scope="read", {METADATA}'


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
async def test_the_word_bearer_is_written_in_any_case(knowledge: KnowledgeService, scheme: str) -> None:
    async with application(knowledge, Badges().callers()) as app:
        assert (await send(app, BOARD, [HOST, ("Authorization", f"{scheme} bo-token")])).status == 200


ELSEWHERE = [
    (BOARD + "?access_token=bo-token", []),
    (BOARD + "?token=bo-token&user=bo", []),
    (BOARD, [("Cookie", "access_token=bo-token; Authorization=Bearer bo-token")]),
    (BOARD, [("X-User", "bo"), ("X-Forwarded-User", "bo"), ("X-Remote-User", "bo"), ("Remote-User", "bo")]),
    (BOARD, [("X-Authorization", "Bearer bo-token"), ("Proxy-Authorization", "Bearer bo-token")]),
    (BOARD, [("X-Api-Key", "bo-token"), ("Forwarded", "for=bo")]),
]


@pytest.mark.parametrize(("target", "headers"), ELSEWHERE)
async def test_no_other_place_of_a_request_says_who_sends_it(
    knowledge: KnowledgeService, target: str, headers: list[tuple[str, str]]
) -> None:
    async with application(knowledge, Badges().callers()) as app:
        assert (await send(app, target, [HOST, *headers])).status == 401
        assert (await send(app, target, [HOST, bearer("ada"), *headers])).status == 404


async def test_no_argument_of_a_tool_says_who_calls_it(knowledge: KnowledgeService) -> None:
    async with application(knowledge, Badges().callers()) as app:
        for claim in ({"principal": "bo"}, {"user": "bo"}, {"token": "bo-token"}, {"Authorization": "Bearer bo-token"}):
            said = await use(app, "ada", "fetch", id="private/board.md", **claim)
            assert "merger" not in str(said)


async def test_anonymous_callers_read_what_is_public_where_they_are_admitted(knowledge: KnowledgeService) -> None:
    badges = Badges(replace(Badges().policy, users={"anonymous": ("everyone",)}))
    async with application(knowledge, badges.callers(anonymous=True)) as app:
        assert (await send(app, OPEN, [HOST])).status == 200
        assert (await send(app, BOARD, [HOST])).status == 404


async def test_a_revoked_token_is_refused_at_the_next_request(knowledge: KnowledgeService) -> None:
    badges = Badges()
    async with application(knowledge, badges.callers()) as app:
        assert (await send(app, BOARD, [HOST, bearer("bo")])).status == 200
        del badges.holders["bo-token"]
        assert (await send(app, BOARD, [HOST, bearer("bo")])).status == 401


async def test_a_changed_group_acts_at_the_next_request(knowledge: KnowledgeService) -> None:
    badges = Badges()
    async with application(knowledge, badges.callers()) as app:
        assert (await send(app, BOARD, [HOST, bearer("bo")])).status == 200
        badges.policy = without(badges.policy, "bo")
        assert (await send(app, BOARD, [HOST, bearer("bo")])).status == 404


async def test_a_token_that_may_not_read_is_told_the_scope_it_lacks(knowledge: KnowledgeService) -> None:
    async with application(knowledge, Badges().callers()) as app:
        for reply in (
            await send(app, OPEN, [HOST, bearer("eve")]),
            await call(app, [bearer("eve")], "tools/call", {"name": "list_sources", "arguments": {}}),
        ):
            assert reply.status == 403
            assert reply.json["code"] == "FORBIDDEN"
            assert reply.headers["www-authenticate"] == f'Bearer error="insufficient_scope", scope="read", {METADATA}'


async def test_every_refusal_at_the_gate_is_one_event_of_the_audit() -> None:
    audit = MemoryAudit()
    async with application(await build_knowledge(audit=audit), Badges().callers()) as app:
        await send(app, OPEN, [HOST])
        await send(app, OPEN, [HOST, ("Authorization", "Bearer wrong")])
        await send(app, OPEN, [HOST, bearer("eve")])
        await send(app, OPEN, [HOST, bearer("ada")])
    assert [(event.action, event.who, event.via, event.outcome, event.code) for event in audit.events] == [
        ("authenticate", "anonymous", "mcp-http", "denied", "UNAUTHENTICATED"),
        ("authenticate", "anonymous", "mcp-http", "denied", "UNAUTHENTICATED"),
        ("authenticate", "eve", "mcp-http", "denied", "FORBIDDEN"),
        ("read", "ada", "mcp-http", "ok", ""),
    ]


async def test_a_refusal_that_a_required_audit_cannot_take_down_is_an_error_in_its_place() -> None:
    knowledge = await build_knowledge(audit=MemoryAudit(broken=True))
    async with application(knowledge, Badges().callers()) as app:
        reply = await send(app, OPEN, [HOST])
    assert (reply.status, reply.json["code"]) == (500, "AUDIT_FAILED")


async def test_the_reason_of_a_refusal_stays_in_the_log(
    knowledge: KnowledgeService, caplog: pytest.LogCaptureFixture
) -> None:
    async with application(knowledge, Badges().callers()) as app:
        reply = await send(app, OPEN, [HOST, ("Authorization", "Bearer wrong-one")])
    assert b"not on the list" not in reply.body
    assert "not on the list" in caplog.text
    assert "wrong-one" not in caplog.text


async def test_health_is_told_to_anybody(knowledge: KnowledgeService) -> None:
    async with application(knowledge, Badges().callers(), HERE) as app:
        assert (await send(app, "/healthz", [HOST])).body == b"ok"


@pytest.mark.parametrize("target", [OPEN, BOARD, "/documents/nowhere", "/elsewhere"])
async def test_no_cache_may_keep_what_a_caller_is_given(knowledge: KnowledgeService, target: str) -> None:
    async with application(knowledge, Badges().callers()) as app:
        for headers in ([HOST], [HOST, bearer("ada")]):
            assert "no-store" in (await send(app, target, headers)).headers["cache-control"]
