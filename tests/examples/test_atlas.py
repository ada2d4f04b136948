"""The retrieval service of ``examples/atlas``: an index that a foreign script filled, served through the real interfaces."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from running import ERAS, EXAMPLES, Era, environment, over_http, over_stdio, payload_of, serving, text_of

pytest.importorskip("qdrant_client", reason="the extra elastic is not installed")
pytest.importorskip("elasticsearch", reason="the extra elastic is not installed")

from atlas import SECONDS, Platform, corpus, founded

from citewell.config import load_config
from citewell.core.citations import QuotedCitation, VerifyRequest
from citewell.wiring import build_service, local_principal

pytestmark = [pytest.mark.anyio, pytest.mark.xdist_group("atlas"), pytest.mark.timeout(300)]

QUESTION = "Why does the ingress answer 503?"
Place = tuple[str, int]
TEXTS = {chunk["text"]: chunk for chunk in corpus()}


@pytest.fixture(scope="module")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    """The platform over a real Elasticsearch where one could be built, else over one that stands in for it."""
    with founded(tmp_path_factory.mktemp("atlas"), "elasticsearch", "noida") as platform:
        yield platform


@pytest.fixture(scope="module")
async def address(platform: Platform) -> AsyncIterator[str]:
    async with serving(platform.config, platform.env) as address:
        yield address


@pytest.fixture
async def agent(address: str) -> AsyncIterator[Client]:
    async with over_http(address, "auto") as client:
        yield client


@pytest.fixture(autouse=True)
async def restored(platform: Platform, agent: Client) -> AsyncIterator[None]:
    """Open every gate after a test, and wait until both engines are asked again: what was away is left alone for a moment."""
    yield
    for gate in (platform.text, platform.vectors, platform.gateway):
        gate.reopen()
        gate.let_through()
    for _ in range(100):
        result = await agent.call_tool("doc_search", {"query": QUESTION})
        if not result.is_error and "degraded" not in payload_of(result):
            return
        await anyio.sleep(0.1)
    raise AssertionError("the engines do not answer again")


async def ask(agent: Client, query: str = QUESTION, **more: Any) -> dict[str, Any]:
    return payload_of(await agent.call_tool("doc_search", {"query": query, **more}))


async def asked_directly(platform: Platform, query: str) -> tuple[dict[Place, str], list[list[Place]]]:
    """Return the ids of chunks by document and position, and the list of each engine, asked past the service."""
    words = {"size": 50, "query": {"match": {"text": query}}}
    everything = {"size": 50, "query": {"match_all": {}}}
    async with httpx2.AsyncClient(timeout=30) as http:
        index = f"{platform.text.address}/doc_chunks/_search"
        found, held = [(await http.post(index, json=body)).json()["hits"]["hits"] for body in (words, everything)]
        embedded = await http.post(f"{platform.gateway.address}/v1/embeddings", json={"model": "m", "input": [query]})
        nearest = {"query": embedded.json()["data"][0]["embedding"], "limit": 50, "with_payload": True}
        answer = await http.post(f"{platform.vectors.address}/collections/doc_chunks/points/query", json=nearest)
    points = answer.json()["result"]["points"]
    lists = [
        [(hit["_score"], place_of(hit["_source"])) for hit in found],
        [(p["score"], place_of(p["payload"])) for p in points],
    ]
    in_order = [[place for _, place in sorted(some, key=lambda hit: (-hit[0], hit[1]))] for some in lists]
    return {place_of(hit["_source"]): hit["_id"] for hit in held}, in_order


def place_of(row: dict[str, Any]) -> Place:
    return row["doc_id"], row["chunk_idx"]


async def test_there_is_one_tool_with_the_parameters_and_the_default_of_the_contract(agent: Client) -> None:
    (tool,) = (await agent.list_tools()).tools
    assert tool.name == "doc_search"
    assert set(tool.input_schema["properties"]) == {"query", "k"}
    assert tool.input_schema["required"] == ["query"]
    assert tool.input_schema["properties"]["query"]["type"] == "string"
    k = tool.input_schema["properties"]["k"]
    assert (k["type"], k["default"]) == ("integer", 8)


@pytest.mark.parametrize("era", ERAS)
async def test_clients_of_both_eras_get_the_same_over_stdio_and_http(platform: Platform, address: str, era: Era) -> None:
    async with over_http(address, era) as over_net, over_stdio(platform.config, era, platform.env) as over_pipe:
        assert await ask(over_net) == await ask(over_pipe)


async def test_an_index_that_a_foreign_script_filled_is_served_as_it_is(agent: Client) -> None:
    found = await ask(agent)
    assert set(found) == {"chunks"}
    for chunk in found["chunks"]:
        assert set(chunk) == {"id", "text", "source_id", "score"}
        written = TEXTS[chunk["text"]]
        assert chunk["source_id"] == written["source_id"]
        assert chunk["id"] == f"{written['doc_id'].replace('/', '.')}-{written['chunk_idx']:04}"
    assert found["chunks"][0]["id"] == "runbooks.ingress-0002"
    assert "https://status.example.org" in found["chunks"][0]["text"]


async def test_scores_are_plain_sums_of_reciprocal_ranks_of_both_lists(agent: Client) -> None:
    scores = [chunk["score"] for chunk in (await ask(agent, k=50))["chunks"]]
    possible = {0.0, *(1 / (60 + rank) for rank in range(1, 51))}
    sums = [one + other for one in possible for other in possible]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == pytest.approx(2 / 61)
    assert all(min(abs(score - value) for value in sums) < 1e-9 for score in scores)


async def test_the_list_is_what_both_engines_say_joined_on_document_and_position(agent: Client, platform: Platform) -> None:
    names, lists = await asked_directly(platform, QUESTION)
    sums: Counter[str] = Counter()
    for ranked in lists:
        sums.update({names[place]: 1 / (60 + rank) for rank, place in enumerate(ranked, start=1)})
    chunks = (await ask(agent, k=50))["chunks"]
    assert {chunk["id"]: chunk["score"] for chunk in chunks} == pytest.approx(dict(sums))
    assert lists[0] != lists[1]


async def test_at_most_k_chunks_are_returned_and_eight_where_nothing_is_said(agent: Client) -> None:
    assert len((await ask(agent))["chunks"]) == 8
    best = (await ask(agent, k=3))["chunks"]
    assert best == (await ask(agent, k=8))["chunks"][:3]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"query": " "}, "EMPTY_QUERY"),
        ({}, "INVALID_REQUEST"),
        ({"query": "x", "k": 0}, "BAD_LIMIT"),
        ({"query": "x", "k": 51}, "BAD_LIMIT"),
        ({"query": "x", "k": "many"}, "INVALID_REQUEST"),
        ({"query": "x", "mode": "dense"}, "INVALID_REQUEST"),
        ({"query": "x", "source_id": "guides"}, "INVALID_REQUEST"),
    ],
)
async def test_what_cannot_be_asked_is_refused_with_a_code(agent: Client, arguments: dict[str, Any], code: str) -> None:
    result = await agent.call_tool("doc_search", arguments)
    assert result.is_error
    assert text_of(result).startswith(code)


async def test_both_engines_work_on_one_question_at_the_same_moment(agent: Client, platform: Platform) -> None:
    """Each is slowed for as long as the other has not been asked: one after the other would never end."""
    answers: list[dict[str, Any]] = []

    async def question() -> None:
        answers.append(await ask(agent))

    platform.text.hold()
    platform.vectors.hold()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(question)
        for gate in (platform.text, platform.vectors):
            assert await anyio.to_thread.run_sync(partial(gate.held.acquire, timeout=10))
        assert not answers
        platform.text.let_through()
        platform.vectors.let_through()
    assert "degraded" not in answers[0]


@pytest.mark.parametrize(
    ("away", "left", "reason"), [("text", 1, "lexical_unavailable"), ("vectors", 0, "dense_unavailable")]
)
async def test_while_one_engine_is_away_the_other_answers_and_the_result_says_so(
    agent: Client, platform: Platform, away: str, left: int, reason: str
) -> None:
    _, lists = await asked_directly(platform, QUESTION)
    getattr(platform, away).shut()
    found = await ask(agent, k=3)
    assert set(found) == {"chunks", "degraded"}
    assert found["degraded"] == [reason]
    written = [TEXTS[chunk["text"]] for chunk in found["chunks"]]
    assert [(chunk["doc_id"], chunk["chunk_idx"]) for chunk in written] == lists[left][:3]
    assert [chunk["source_id"] for chunk in found["chunks"]] == [chunk["source_id"] for chunk in written]


async def test_while_the_gateway_is_away_words_answer(agent: Client, platform: Platform) -> None:
    platform.gateway.shut()
    found = await ask(agent)
    assert found["degraded"] == ["dense_unavailable"]
    assert found["chunks"][0]["id"] == "runbooks.ingress-0002"


@pytest.mark.parametrize("way", ["shut", "hold"])
async def test_without_both_there_is_a_clear_error_within_the_deadline(agent: Client, platform: Platform, way: str) -> None:
    getattr(platform.text, way)()
    getattr(platform.vectors, way)()
    with anyio.fail_after(3 * SECONDS + 10):
        result = await agent.call_tool("doc_search", {"query": QUESTION})
    assert result.is_error
    assert text_of(result).startswith("STORE_UNAVAILABLE")


async def test_rest_answers_the_same_question_and_checks_citations(address: str) -> None:
    async with httpx2.AsyncClient(base_url=address, timeout=30) as http:
        found = (await http.post("/search", json={"query": QUESTION, "k": 3, "mode": "hybrid"})).json()
        assert found["results"][0]["doc_id"] == "runbooks/ingress"
        passage = found["results"][0]["id"]
        quoted = [{"passage": passage, "quote": "upstream not ready"}, {"passage": passage, "quote": "never written"}]
        checked = await http.post("/citations/verify", json={"citations": quoted})
    assert checked.status_code == 200
    assert [one["ok"] for one in checked.json()["citations"]] == [True, False]


async def test_citations_are_checked_as_a_library_call(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in platform.env.items():
        monkeypatch.setenv(name, value)
    config = load_config(platform.config)
    service = build_service(config)
    quoted = (QuotedCitation(passage="runbooks/ingress:2", quote="passes its readiness probe"),)
    try:
        verified = await service.verify(local_principal(config, "test"), VerifyRequest(citations=quoted))
    finally:
        await service.close()
    assert verified.ok


async def test_opensearch_is_served_as_the_second_dialect(tmp_path: Path) -> None:
    with founded(tmp_path, "opensearch") as platform:
        async with over_stdio(platform.config, "auto", platform.env) as agent:
            found = await ask(agent)
    assert "degraded" not in found
    assert found["chunks"][0]["id"] == "runbooks.ingress-0002"


async def test_the_smoke_script_finds_the_answer_over_http(address: str, platform: Platform) -> None:
    script = Path(EXAMPLES / "atlas" / "smoke.py")
    command = [sys.executable, str(script), QUESTION, "--k", "2", "--url", f"{address}/mcp"]
    run = partial(subprocess.run, command, capture_output=True, text=True, env=environment(None), timeout=120)
    done = await anyio.to_thread.run_sync(run)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "runbooks.ingress-0002" in done.stdout
