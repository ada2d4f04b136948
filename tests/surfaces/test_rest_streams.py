"""Answers that arrive character by character: server-sent events, as a client on a socket gets them."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2
import pytest
from desk import desk, events_of, problem_of

pytestmark = pytest.mark.anyio

POEM = "# Spring\n\n春天来了：\u201c盼望着\u201d，🌱 the wind has come. {x: 1}\n"
PREFIXES = pytest.mark.parametrize("prefix", ["", "/v1"])
QUESTION = "What is the default timeout?"


@pytest.fixture(scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx2.AsyncClient]:
    async with desk(tmp_path_factory.mktemp("desk")) as client:
        yield client


@PREFIXES
async def test_the_best_snippet_comes_character_by_character_and_ends_with_done(
    client: httpx2.AsyncClient, prefix: str
) -> None:
    found = (await client.post("/search", json={"query": "default timeout", "top_k": 1})).json()
    response = await client.get(f"{prefix}/search/stream", params={"q": "default timeout", "top_k": 1})
    events = events_of(response)
    assert response.text.endswith("data: [DONE]\n\n")
    assert events[-1] == ("", "[DONE]")
    assert all(name == "" and len(data) == 1 for name, data in events[:-1])
    assert "".join(data for _, data in events[:-1]) == found["results"][0]["snippet"]


async def test_a_line_break_and_every_script_survive_the_stream(tmp_path_factory: pytest.TempPathFactory) -> None:
    async with desk(tmp_path_factory.mktemp("poem"), files={"docs/poem.md": POEM}) as client:
        snippet = (await client.post("/search", json={"query": "春天"})).json()["results"][0]["snippet"]
        streamed = events_of(await client.get("/search/stream", params={"q": "春天"}))
    assert "".join(data for _, data in streamed[:-1]) == snippet
    assert "春天来了：\u201c盼望着\u201d，🌱" in snippet


@PREFIXES
async def test_an_answer_is_streamed_the_same_way(client: httpx2.AsyncClient, prefix: str) -> None:
    answer = (await client.post("/ask", json={"question": QUESTION})).json()["answer"]
    response = await client.get(f"{prefix}/search/stream", params={"q": QUESTION, "answer": "true"})
    events = events_of(response)
    assert events[-1] == ("", "[DONE]")
    assert "".join(data for _, data in events[:-1]) == answer
    assert response.text.endswith("data: [DONE]\n\n")


@PREFIXES
async def test_an_answer_with_its_sources_ends_with_done_too(client: httpx2.AsyncClient, prefix: str) -> None:
    asked = (await client.post("/ask", json={"question": QUESTION})).json()
    events = events_of(await client.post(f"{prefix}/ask/stream", json={"question": QUESTION}))
    assert [name for name, _ in events] == ["sources", *["text"] * len(asked["answer"]), "done"]
    assert httpx2.Response(200, text=events[0][1]).json() == {key: asked[key] for key in asked if key != "answer"}
    assert "".join(data for name, data in events if name == "text") == asked["answer"]
    assert events[-1] == ("done", "[DONE]")


async def test_where_nothing_is_found_the_stream_only_ends(client: httpx2.AsyncClient) -> None:
    response = await client.get("/search/stream", params={"q": "timeout", "collection": "code", "answer": "true"})
    assert response.text.endswith("data: [DONE]\n\n")
    nothing = await client.post("/ask/stream", json={"question": "Who painted the ceiling?"})
    assert [name for name, _ in events_of(nothing)] == ["sources", "done"]


async def test_a_stream_is_kept_by_no_cache_and_held_back_by_no_proxy(client: httpx2.AsyncClient) -> None:
    headers = (await client.get("/search/stream", params={"q": "timeout"})).headers
    assert headers["cache-control"] == "no-store, no-transform"
    assert headers["x-accel-buffering"] == "no"


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({}, "EMPTY_QUERY"),
        ({"q": " "}, "EMPTY_QUERY"),
        ({"q": "x", "top_k": 0}, "BAD_LIMIT"),
        ({"q": "x", "top_k": "many"}, "BAD_LIMIT"),
        ({"q": "x", "collection": "nowhere"}, "UNKNOWN_COLLECTION"),
        ({"q": "x", "answer": "perhaps"}, "INVALID_REQUEST"),
    ],
)
async def test_what_cannot_be_streamed_is_a_problem_and_no_stream(
    client: httpx2.AsyncClient, query: dict[str, str], code: str
) -> None:
    assert problem_of(await client.get("/search/stream", params=query)) == (422, code)
