"""A tool that answers in an envelope answers every failure in one."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import anyio
import pytest
from agents import ERAS, Era, connect, connect_to, text_of
from assembly import build_knowledge
from contracts import ENVELOPE, EVIDENCE
from stdio_server import READER

from citewell.core.errors import (
    CitewellError,
    EmbeddingFailed,
    NoRelevantResult,
    StoreUnavailable,
    ToolTimeout,
    VectorSearchFailed,
    WrongDimension,
)
from citewell.service import KnowledgeService

pytestmark = pytest.mark.anyio


def failing(error: Exception) -> Callable[[], Awaitable[KnowledgeService]]:
    async def fail() -> KnowledgeService:
        raise error

    return fail


async def never() -> KnowledgeService:
    await anyio.sleep_forever()
    raise AssertionError("unreachable")


async def failure(factory: Callable[[], Awaitable[KnowledgeService]], era: Era = "auto", **arguments: Any) -> dict[str, str]:
    """The error in the envelope that a call ends with; both channels hold it, and nothing else."""
    async with connect_to(factory, era=era, tools=[ENVELOPE]) as client:
        result = await client.call_tool(ENVELOPE.name, arguments)
    assert not result.is_error
    found = result.structured_content
    assert found is not None
    assert json.loads(text_of(result)) == found
    assert set(found) == {"ok", "error", "results"}
    assert (found["ok"], found["results"]) == (False, [])
    assert set(found["error"]) == {"code", "message"}
    return dict(found["error"])


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("query", ["", "  ", "\n\t", "　"])
async def test_a_blank_query_is_an_empty_query(knowledge: KnowledgeService, era: Era, query: str) -> None:
    async def lend() -> KnowledgeService:
        return knowledge

    assert (await failure(lend, era, query=query))["code"] == "EMPTY_QUERY"


async def test_a_blank_query_passes_the_published_schema(knowledge: KnowledgeService) -> None:
    async with connect(knowledge, tools=[ENVELOPE]) as client:
        schema = (await client.list_tools()).tools[0].input_schema
    assert "minLength" not in schema["properties"]["query"]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (EmbeddingFailed("The model failed."), "EMBEDDING_FAILED"),
        (WrongDimension("Vectors of another length."), "EMBEDDING_FAILED"),
        (VectorSearchFailed("The vectors cannot be searched."), "VECTOR_SEARCH_FAILED"),
        (NoRelevantResult(), "NO_RELEVANT_RESULT"),
        (ToolTimeout("Too late."), "TOOL_TIMEOUT"),
        (StoreUnavailable("The engine is down."), "RETRIEVAL_FAILED"),
    ],
)
async def test_a_failure_has_the_code_of_its_kind(error: CitewellError, code: str) -> None:
    assert await failure(failing(error), query="spring") == {"code": code, "message": error.message}


async def test_an_unexpected_failure_says_no_more_than_that(caplog: pytest.LogCaptureFixture) -> None:
    told = await failure(failing(RuntimeError("the password is hunter2")), query="spring")
    assert told == {"code": "RETRIEVAL_FAILED", "message": "Something went wrong inside citewell; its log says what."}
    assert "hunter2" in caplog.text


@pytest.mark.parametrize(
    "arguments", [{}, {"query": "a", "top_k": 0}, {"query": "a", "top_k": 21}, {"query": "a", "mode": "x"}]
)
async def test_arguments_that_do_not_fit_are_told_in_an_envelope(
    knowledge: KnowledgeService, arguments: dict[str, Any]
) -> None:
    async def lend() -> KnowledgeService:
        return knowledge

    told = await failure(lend, **arguments)
    assert told["code"] == "RETRIEVAL_FAILED"
    assert "parameter" in told["message"] or "top_k" in told["message"]


async def test_where_there_is_nothing_to_read_there_is_no_knowledge_base() -> None:
    async def empty() -> KnowledgeService:
        return await build_knowledge([])

    assert (await failure(empty, query="spring"))["code"] == "KB_NOT_FOUND"


async def test_somebody_who_may_read_nothing_is_told_the_same_as_where_there_is_nothing(knowledge: KnowledgeService) -> None:
    nobody = replace(READER, tokens=frozenset({"user:nobody"}))
    async with connect(knowledge, tools=[ENVELOPE], principal=nobody) as client:
        result = await client.call_tool(ENVELOPE.name, {"query": "timeout"})
    assert result.structured_content is not None
    assert result.structured_content["error"]["code"] == "KB_NOT_FOUND"


async def test_a_tool_that_runs_out_of_time_says_so_in_its_envelope() -> None:
    async with connect_to(never, tools=[replace(ENVELOPE, timeout=1)]) as client:
        result = await client.call_tool(ENVELOPE.name, {"query": "spring"})
    assert result.structured_content == {
        "ok": False,
        "error": {"code": "TOOL_TIMEOUT", "message": "This took longer than 1 seconds, and was ended."},
        "results": [],
    }


async def test_a_tool_of_another_shape_that_runs_out_of_time_is_an_error_of_the_protocol() -> None:
    async with connect_to(never, tools=[replace(EVIDENCE, timeout=1)]) as client:
        result = await client.call_tool(EVIDENCE.name, {"query": "spring"})
    assert result.is_error
    assert text_of(result).startswith("TOOL_TIMEOUT: ")
