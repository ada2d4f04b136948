"""What the default tools return."""

from __future__ import annotations

import json

import pytest
from agents import ERAS, Era, connect, payload_of, text_of

from citewell.service import KnowledgeService

pytestmark = pytest.mark.anyio

PLACE = ["title", "url", "path", "lines", "section", "version", "score"]
CALLS = {
    "search": {"query": "default timeout"},
    "fetch": {"id": "docs/timeouts.md"},
    "ask": {"question": "What is the default timeout of a request?"},
    "list_sources": {},
}


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("tool", CALLS)
async def test_both_channels_hold_the_same_complete_result(knowledge: KnowledgeService, era: Era, tool: str) -> None:
    async with connect(knowledge, era=era) as client:
        result = await client.call_tool(tool, CALLS[tool])
    assert json.loads(text_of(result)) == payload_of(result)


@pytest.mark.parametrize("tool", CALLS)
async def test_the_text_channel_is_compact_json(knowledge: KnowledgeService, tool: str) -> None:
    async with connect(knowledge) as client:
        result = await client.call_tool(tool, CALLS[tool])
    assert text_of(result) == json.dumps(payload_of(result), ensure_ascii=False, separators=(",", ":"))


async def test_search_returns_passages_with_their_exact_text_and_place(knowledge: KnowledgeService) -> None:
    async with connect(knowledge) as client:
        found = payload_of(await client.call_tool("search", {"query": "default timeout", "k": 1}))
    (result,) = found["results"]
    assert set(result) == {"id", "text", *PLACE}
    assert result["id"] == "docs/timeouts.md:0"
    assert result["text"] == "# Timeouts\n\nThe default timeout of a request is five seconds.\n"
    assert result["lines"] == "1-3"
    assert result["url"] == "http://127.0.0.1:8765/documents/docs/timeouts.md?start_line=1&end_line=3"
    assert set(found["retrieval"]) == {"intent", "mode", "reason"}


async def test_text_in_any_script_arrives_unescaped(knowledge: KnowledgeService) -> None:
    async with connect(knowledge) as client:
        result = await client.call_tool("search", {"query": "bağlantı havuzu", "k": 1})
    assert "Bağlantı havuzu kapatılınca" in text_of(result)


async def test_a_cursor_continues_a_search_with_the_passages_that_follow(knowledge: KnowledgeService) -> None:
    async with connect(knowledge) as client:
        whole = payload_of(await client.call_tool("search", {"query": "catalogue entry", "k": 6}))
        first = payload_of(await client.call_tool("search", {"query": "catalogue entry", "k": 4}))
        rest = payload_of(await client.call_tool("search", {"query": "catalogue entry", "k": 2, "cursor": first["cursor"]}))
    assert [*first["results"], *rest["results"]] == whole["results"]


@pytest.mark.parametrize(
    ("filters", "paths"),
    [
        ({"source": "library"}, {"src/pool.py"}),
        ({"path": ["src/**", "docs/merhaba.md"]}, {"src/pool.py", "docs/merhaba.md"}),
        ({"kind": "python"}, {"src/pool.py"}),
        ({"language": "tr"}, set()),
        ({"version": "2.0"}, set()),
    ],
)
async def test_filters_narrow_a_search(knowledge: KnowledgeService, filters: dict[str, object], paths: set[str]) -> None:
    async with connect(knowledge) as client:
        found = payload_of(await client.call_tool("search", {"query": "havuzu pool", "k": 50, "filters": filters}))
    assert {result["path"] for result in found["results"]} == paths


async def test_a_collection_narrows_a_search(knowledge: KnowledgeService) -> None:
    async with connect(knowledge) as client:
        found = payload_of(await client.call_tool("search", {"query": "pool timeout", "collection": "code"}))
    assert {result["path"] for result in found["results"]} == {"src/pool.py"}


async def test_fetch_returns_the_lines_asked_for(knowledge: KnowledgeService) -> None:
    async with connect(knowledge) as client:
        document = payload_of(await client.call_tool("fetch", {"id": "docs/timeouts.md", "start_line": 3, "end_line": 3}))
    assert document["text"] == "The default timeout of a request is five seconds.\n"
    assert document["metadata"]["lines"] == "3-3"
    assert document["url"].endswith("?start_line=3&end_line=3")


async def test_fetch_takes_the_id_of_a_search_result(knowledge: KnowledgeService) -> None:
    async with connect(knowledge) as client:
        found = payload_of(await client.call_tool("search", {"query": "read_timeout", "k": 1}))
        document = payload_of(await client.call_tool("fetch", {"id": found["results"][0]["id"]}))
    assert document["text"] == found["results"][0]["text"]


async def test_ask_answers_with_labels_that_its_citations_resolve(knowledge: KnowledgeService) -> None:
    async with connect(knowledge) as client:
        answer = payload_of(await client.call_tool("ask", CALLS["ask"]))
    assert answer["answerable"] is True
    assert answer["answer"] == "The default timeout of a request is five seconds. [c1]"
    assert set(answer["citations"][0]) == {"id", "quote", *PLACE}
    assert answer["citations"][0]["id"] == "c1"


async def test_ask_declines_with_a_reason_in_a_normal_result(knowledge: KnowledgeService) -> None:
    async with connect(knowledge) as client:
        answer = payload_of(await client.call_tool("ask", {"question": "Who won the chess olympiad?"}))
    assert answer["answerable"] is False
    assert answer["answer"] == ""
    assert answer["reason"] in {"no_evidence", "low_support"}


async def test_ask_reports_progress_at_its_start(knowledge: KnowledgeService) -> None:
    heard: list[tuple[float, float | None, str | None]] = []

    async def hear(done: float, total: float | None, message: str | None) -> None:
        heard.append((done, total, message))

    async with connect(knowledge) as client:
        await client.call_tool("ask", CALLS["ask"], progress_callback=hear)
    assert heard == [(0, 1, "Searching the sources")]


async def test_list_sources_counts_what_the_caller_may_read(knowledge: KnowledgeService) -> None:
    async with connect(knowledge) as client:
        listed = payload_of(await client.call_tool("list_sources", {}))
    code = next(source for source in listed["sources"] if source["name"] == "library")
    assert code == {
        "name": "library",
        "collection": "code",
        "repository": "",
        "commit": "",
        "last_sync": "2026-11-30T12:00:00Z",
        "stale": False,
        "documents": 1,
        "chunks": 1,
    }
