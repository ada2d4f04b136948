"""Models and engines that fail: which error that is to a program and to an agent, and when the answer is only weaker.

The models are adapters of this folder, registered as a package registers its own, and a gateway that answers 500.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from desk import agent_of, desk, problem_of
from faulty_adapters import register

sys.path.append(str(Path(__file__).parents[1] / "adapters" / "embedders"))
from scripted_server import Reply, ScriptedServer, running_server

pytestmark = pytest.mark.anyio

KB_SEARCH = {
    "name": "kb_search",
    "kind": "search",
    "description": "Searches.",
    "result": "envelope",
    "timeout": 1,
    "parameters": {"k": {"name": "top_k", "default": 5}},
}
STRICT = {"retrieval": {"on_failure": "error"}}
EXACT = {"retrieval": {"threshold": 0.99}}
NOTHING: dict[str, str] = {}
FAILURES: dict[tuple[str, int], dict[str, Any]] = {
    ("EMBEDDING_FAILED", 502): {"embedder": "weary:", **STRICT},
    ("VECTOR_SEARCH_FAILED", 502): {"reranker": "failing:", **STRICT},
    ("TOOL_TIMEOUT", 504): {"reranker": "silent:", "serve": {"timeout": 1}},
    ("RETRIEVAL_FAILED", 500): {"reranker": "mistaken:"},
    ("NO_RELEVANT_RESULT", 404): EXACT,
    ("KB_NOT_FOUND", 404): {"files": NOTHING, **EXACT},
}
CASES = pytest.mark.parametrize(
    ("failure", "settings"), FAILURES.items(), ids=lambda each: each[0] if isinstance(each, tuple) else ""
)


@pytest.fixture(autouse=True)
def _registered(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path_factory.mktemp("site-packages")
    register(folder)
    monkeypatch.syspath_prepend(folder)


@pytest.fixture
def gateway() -> Iterator[ScriptedServer]:
    with running_server() as server:
        yield server


async def ask_everywhere(client: httpx2.AsyncClient, query: str) -> list[httpx2.Response]:
    return [
        await client.post("/search", json={"query": query}),
        await client.get("/v1/search/stream", params={"q": query}),
    ]


async def envelope(client: httpx2.AsyncClient, query: str) -> dict[str, Any]:
    async with agent_of(client) as agent:
        result = await agent.call_tool("kb_search", {"query": query})
    assert not result.is_error
    assert result.structured_content is not None
    assert json.loads(result.content[0].text) == result.structured_content  # type: ignore[union-attr]
    return result.structured_content


@CASES
async def test_a_failure_is_a_problem_with_its_code_and_status(
    tmp_path: Path, failure: tuple[str, int], settings: dict[str, Any]
) -> None:
    async with desk(tmp_path, **settings) as client:
        replies = await ask_everywhere(client, "how do pools close")
    assert {problem_of(reply) for reply in replies} == {(failure[1], failure[0])}
    assert not any("secret" in reply.text for reply in replies)


@CASES
async def test_a_failure_is_told_to_an_agent_in_its_envelope(
    tmp_path: Path, failure: tuple[str, int], settings: dict[str, Any]
) -> None:
    async with desk(tmp_path, tools=[KB_SEARCH], **settings) as client:
        told = await envelope(client, "how do pools close")
    assert told == {"ok": False, "error": {"code": failure[0], "message": told["error"]["message"]}, "results": []}
    assert told["error"]["message"]
    assert "secret" not in str(told)


async def test_a_blank_query_is_an_empty_query_to_everybody(tmp_path: Path) -> None:
    async with desk(tmp_path, tools=[KB_SEARCH]) as client:
        replies = [*await ask_everywhere(client, " \u3000"), await client.post("/ask", json={"question": ""})]
        told = await envelope(client, " \u3000")
    assert {problem_of(reply) for reply in replies} == {(422, "EMPTY_QUERY")}
    assert (told["ok"], told["error"]["code"], told["results"]) == (False, "EMPTY_QUERY", [])


async def test_an_answer_runs_out_of_time_as_a_search_does(tmp_path: Path) -> None:
    async with desk(tmp_path, embedder="silent:", serve={"timeout": 1}) as client:
        body = {"question": "How do pools close?"}
        replies = [await client.post("/ask", json=body), await client.post("/ask/stream", json=body)]
    assert {problem_of(reply) for reply in replies} == {(504, "TOOL_TIMEOUT")}


@pytest.mark.parametrize(
    ("settings", "mark"),
    [
        ({"embedder": "weary:"}, "dense_unavailable"),
        ({"reranker": "failing:"}, "reranker_unavailable"),
        ({"store": "blind:"}, "dense_unavailable"),
    ],
)
async def test_elsewhere_what_fails_is_left_out_and_told(tmp_path: Path, settings: dict[str, Any], mark: str) -> None:
    async with desk(tmp_path, tools=[KB_SEARCH], **settings) as client:
        found = (await client.post("/search", json={"query": "how do pools close"})).json()
        answer = (await client.post("/ask", json={"question": "What does a pool keep?"})).json()
        told = await envelope(client, "how do pools close")
    assert found["results"]
    assert found["degraded"] == answer["degraded"] == told["degraded"] == [mark]
    assert told["ok"] is True


async def test_an_engine_of_vectors_that_does_not_answer_is_a_failed_vector_search(tmp_path: Path) -> None:
    async with desk(tmp_path, store="blind:", tools=[KB_SEARCH], **STRICT) as client:
        replies = await ask_everywhere(client, "how do pools close")
        told = await envelope(client, "how do pools close")
    assert {problem_of(reply) for reply in replies} == {(502, "VECTOR_SEARCH_FAILED")}
    assert told["error"]["code"] == "VECTOR_SEARCH_FAILED"


@pytest.mark.parametrize("on_failure", ["error", "degrade"])
async def test_a_gateway_that_fails_is_an_error_or_makes_the_answer_weaker(
    tmp_path: Path, gateway: ScriptedServer, on_failure: str
) -> None:
    settings = {"embedder": f"openai:{gateway.url}/v1#small", "retrieval": {"on_failure": on_failure}}
    async with desk(tmp_path, **settings) as client:
        assert "degraded" not in (await client.post("/search", json={"query": "how do pools close"})).json()
        gateway.script += [Reply(status=500, body=b"out of memory")] * 2
        searched, asked = (
            await client.post("/search", json={"query": "what do pools keep"}),
            await client.post("/ask", json={"question": "What does a pool keep?"}),
        )
    if on_failure == "error":
        assert {problem_of(searched), problem_of(asked)} == {(502, "EMBEDDING_FAILED")}
    else:
        assert searched.json()["degraded"] == asked.json()["degraded"] == ["dense_unavailable"]
        assert searched.json()["results"]


async def test_a_document_is_kept_when_the_gateway_fails_and_words_find_it(tmp_path: Path, gateway: ScriptedServer) -> None:
    async with desk(tmp_path, embedder=f"openai:{gateway.url}/v1#small") as client:
        gateway.script.append(Reply(status=500))
        created = await client.post("/documents", json={"title": "Spring", "content": "The mountains are moist."})
        found = (await client.post("/search", json={"query": "mountains", "mode": "bm25"})).json()
    assert created.status_code == 201
    assert found["results"][0]["doc_id"] == created.json()["id"]
