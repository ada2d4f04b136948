"""What an agent is told when a call cannot be answered."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from agents import ERAS, Era, connect, connect_to, text_of
from assembly import build_knowledge
from mcp import MCPError

from citewell.core.errors import StoreError
from citewell.service import KnowledgeService

pytestmark = pytest.mark.anyio


async def refusal(knowledge: KnowledgeService, tool: str, arguments: dict[str, Any], era: Era = "auto") -> str:
    async with connect(knowledge, era=era) as client:
        result = await client.call_tool(tool, arguments)
    assert result.is_error
    assert result.structured_content is None
    return text_of(result)


@pytest.mark.parametrize("era", ERAS)
async def test_an_unknown_parameter_is_refused_with_the_known_ones(knowledge: KnowledgeService, era: Era) -> None:
    assert await refusal(knowledge, "search", {"query": "timeout", "top_k": 5}, era) == (
        "INVALID_REQUEST: The parameter 'top_k' is not known; allowed: query, k, collection, filters, mode, cursor."
    )


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("search", {}, "INVALID_REQUEST: The parameter 'query' is missing."),
        ("search", {"query": None}, "INVALID_REQUEST: The parameter 'query' is missing."),
        ("search", {"query": ["a"]}, "INVALID_REQUEST: 'query' must be text of 1 to 2000 characters."),
        ("search", {"query": ""}, "EMPTY_QUERY: 'query' must be text of 1 to 2000 characters."),
        ("search", {"query": "a" * 2001}, "BAD_LIMIT: 'query' must be text of 1 to 2000 characters."),
        ("search", {"query": "a", "k": 0}, "BAD_LIMIT: 'k' must be a whole number, 1 to 50."),
        ("search", {"query": "a", "k": 51}, "BAD_LIMIT: 'k' must be a whole number, 1 to 50."),
        ("search", {"query": "a", "k": "8"}, "INVALID_REQUEST: 'k' must be a whole number, 1 to 50."),
        ("search", {"query": "a", "k": True}, "INVALID_REQUEST: 'k' must be a whole number, 1 to 50."),
        ("search", {"query": "a", "mode": "exact"}, "INVALID_REQUEST: 'mode' must be one of: auto, hybrid, bm25, dense."),
        ("search", {"query": "a", "collection": "x"}, "UNKNOWN_COLLECTION: 'collection' must be one of: docs, code."),
        ("search", {"query": "a", "filters": "x"}, "BAD_FILTER: 'filters' must be an object."),
        (
            "search",
            {"query": "a", "filters": {"lang": "en"}},
            "BAD_FILTER: The parameter 'lang' in 'filters' is not known; allowed: source, path, language, kind, version.",
        ),
        (
            "search",
            {"query": "a", "filters": {"path": 5}},
            "BAD_FILTER: 'filters.path' must be text or a list of texts.",
        ),
        ("fetch", {"id": "docs/timeouts.md", "start_line": 0}, "BAD_LIMIT: 'start_line' must be a whole number, 1 or more."),
        ("list_sources", {"all": 1}, "INVALID_REQUEST: The parameter 'all' is not known; allowed: none."),
    ],
)
async def test_an_argument_that_does_not_fit_is_named_with_what_would(
    knowledge: KnowledgeService, tool: str, arguments: dict[str, Any], message: str
) -> None:
    assert await refusal(knowledge, tool, arguments) == message


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("search", {"query": "  "}, "EMPTY_QUERY"),
        ("search", {"query": "a", "cursor": "made-up"}, "BAD_CURSOR"),
        ("ask", {"question": "\n"}, "EMPTY_QUERY"),
        ("fetch", {"id": "docs/timeouts.md", "start_line": 99}, "BAD_LIMIT"),
        ("fetch", {"id": "docs/timeouts.md", "start_line": 5, "end_line": 4}, "BAD_LIMIT"),
        ("fetch", {"id": "docs/timeouts.md:99"}, "DOCUMENT_NOT_FOUND"),
    ],
)
async def test_what_the_service_refuses_keeps_its_code(
    knowledge: KnowledgeService, tool: str, arguments: dict[str, Any], code: str
) -> None:
    assert (await refusal(knowledge, tool, arguments)).startswith(f"{code}: ")


async def test_a_hidden_document_is_refused_in_the_words_of_an_absent_one(knowledge: KnowledgeService) -> None:
    hidden = await refusal(knowledge, "fetch", {"id": "private/board.md"})
    assert hidden.startswith("DOCUMENT_NOT_FOUND: ")
    absent = await refusal(knowledge, "fetch", {"id": "private/absent.md"})
    assert hidden == absent.replace("absent", "board")


async def test_null_stands_for_an_argument_left_out(knowledge: KnowledgeService) -> None:
    async with connect(knowledge) as client:
        plain = await client.call_tool("search", {"query": "timeout"})
        nulls = await client.call_tool("search", {"query": "timeout", "k": None, "filters": None, "cursor": None})
    assert nulls == plain


@pytest.mark.parametrize("era", ERAS)
async def test_a_tool_that_does_not_exist_is_an_error_of_the_protocol(knowledge: KnowledgeService, era: Era) -> None:
    async with connect(knowledge, era=era) as client:
        with pytest.raises(MCPError, match="There is no tool 'kb_search'"):
            await client.call_tool("kb_search", {})


@pytest.mark.parametrize("era", ERAS)
async def test_an_unexpected_failure_is_logged_and_told_as_nothing_more_than_that(
    caplog: pytest.LogCaptureFixture, era: Era
) -> None:
    async def fail() -> KnowledgeService:
        raise RuntimeError("the password is hunter2")

    async with connect_to(fail, era=era) as client:
        result = await client.call_tool("search", {"query": "timeout"})
    assert text_of(result) == "RETRIEVAL_FAILED: Something went wrong inside citewell; its log says what."
    assert "hunter2" in caplog.text
    assert "Traceback" in caplog.text


async def test_the_detail_of_an_error_is_for_the_log_alone(caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> KnowledgeService:
        raise StoreError("The store cannot be opened.", detail="/srv/secret/path")

    with caplog.at_level(logging.WARNING):
        async with connect_to(fail) as client:
            result = await client.call_tool("search", {"query": "timeout"})
    assert text_of(result) == "STORE_FAILED: The store cannot be opened."
    assert "/srv/secret/path" in caplog.text


async def test_a_service_that_could_not_be_built_is_tried_again_at_the_next_call() -> None:
    attempts: list[int] = []

    async def recover() -> KnowledgeService:
        attempts.append(len(attempts))
        if len(attempts) == 1:
            raise StoreError("The store cannot be opened.")
        return await build_knowledge([])

    async with connect_to(recover) as client:
        first = await client.call_tool("list_sources", {})
        second = await client.call_tool("list_sources", {})
        third = await client.call_tool("list_sources", {})
    assert [first.is_error, second.is_error, third.is_error] == [True, False, False]
    assert len(attempts) == 2
