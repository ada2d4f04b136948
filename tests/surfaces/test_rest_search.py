"""Search and ask over REST, through a server on a socket: what is sent, and every field of what comes back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest
from desk import desk, problem_of

pytestmark = pytest.mark.anyio

ITEM = {
    *("id", "doc_id", "chunk_id", "title", "snippet", "text", "path", "lines", "section", "version"),
    *("url", "score", "collection"),
}
PREFIXES = pytest.mark.parametrize("prefix", ["", "/v1"])


@pytest.fixture(scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx2.AsyncClient]:
    async with desk(tmp_path_factory.mktemp("desk")) as client:
        yield client


async def search(client: httpx2.AsyncClient, prefix: str = "", **body: Any) -> dict[str, Any]:
    response = await client.post(f"{prefix}/search", json=body)
    assert response.status_code == 200, response.text
    return dict(response.json())


async def found(client: httpx2.AsyncClient, **body: Any) -> list[str]:
    return [item["path"] for item in (await search(client, query="timeout", **body))["results"]]


@PREFIXES
async def test_an_item_has_every_field(client: httpx2.AsyncClient, prefix: str) -> None:
    answer = await search(client, prefix, query="set the read_timeout", top_k=3)
    assert set(answer) - {"cursor"} == {"query", "results", "citations", "retrieval"}
    assert answer["query"] == "set the read_timeout"
    assert all(set(item) == ITEM for item in answer["results"])
    first = answer["results"][0]
    assert first | {"url": "", "score": 0} == {
        "id": "guide/timeouts.md:1",
        "doc_id": "guide/timeouts.md",
        "chunk_id": "guide/timeouts.md:1",
        "title": "Timeouts",
        "snippet": first["snippet"],
        "text": "## Fine tuning\n\nSet `read_timeout`.",
        "path": "guide/timeouts.md",
        "lines": "5-7",
        "section": "Timeouts > Fine tuning",
        "version": None,
        "url": "",
        "score": 0,
        "collection": "docs",
    }
    assert "Set `read_timeout`." in first["snippet"]
    assert first["snippet"] in first["text"]
    assert first["url"].endswith("/documents/guide/timeouts.md?start_line=5&end_line=7")
    assert 0 < first["score"] <= 1


async def test_results_come_best_first_and_each_has_a_citation(client: httpx2.AsyncClient) -> None:
    answer = await search(client, query="timeout")
    scores = [item["score"] for item in answer["results"]]
    assert scores == sorted(scores, reverse=True)
    assert [citation["id"] for citation in answer["citations"]] == [f"c{n}" for n in range(1, len(scores) + 1)]
    told = [(citation["url"], citation["score"], citation["file_path"]) for citation in answer["citations"]]
    assert told == [(item["url"], item["score"], item["path"]) for item in answer["results"]]


async def test_a_citation_has_the_fields_of_a_release(client: httpx2.AsyncClient) -> None:
    answer = await search(client, query="timeout", filters={"doc_type": "release"})
    (citation,) = answer["citations"]
    assert citation | {"version": "1.10", "release_date": "2024-10-15", "doc_type": "release"} == citation
    assert answer["results"][0]["version"] == "1.10"


@pytest.mark.parametrize("name", ["top_k", "k"])
async def test_a_search_returns_as_many_as_are_asked_for_under_either_name(client: httpx2.AsyncClient, name: str) -> None:
    assert len(await found(client, **{name: 2})) == 2
    assert len(await found(client, top_k=2, k=2)) == 2


async def test_two_counts_that_differ_are_refused(client: httpx2.AsyncClient) -> None:
    response = await client.post("/search", json={"query": "timeout", "k": 2, "top_k": 3})
    assert problem_of(response) == (422, "INVALID_REQUEST")


async def test_without_a_count_the_configuration_says_how_many(client: httpx2.AsyncClient, tmp_path: Any) -> None:
    assert len(await found(client)) > 1
    async with desk(tmp_path, retrieval={"k": 1}) as other:
        assert len(await found(other)) == 1


@pytest.mark.parametrize(
    ("narrowed", "paths"),
    [
        ({"collection": "code"}, {"pool.py"}),
        ({"collection": ["code"]}, {"pool.py"}),
        ({"filters": {"source": "library"}}, {"pool.py"}),
        ({"filters": {"kind": "python"}}, {"pool.py"}),
        ({"filters": {"path": "guide/*"}}, {"guide/timeouts.md", "guide/pools.md"}),
        ({"filters": {"path": ["guide/p*", "*.py"]}}, {"guide/pools.md", "pool.py"}),
        ({"filters": {"version": "1.10"}}, {"news.md"}),
        ({"filters": {"release_date": "2024-10-15", "doc_type": "release"}}, {"news.md"}),
        ({"filters": {"version": "1.1"}}, set()),
        ({"filters": {"repo_name": "acme/shop"}}, set()),
        ({"collection": "code", "filters": {"kind": "markdown"}}, set()),
    ],
)
async def test_a_collection_and_filters_narrow_a_search(
    client: httpx2.AsyncClient, narrowed: dict[str, Any], paths: set[str]
) -> None:
    assert set(await found(client, **narrowed)) == paths


async def test_a_language_narrows_a_search(client: httpx2.AsyncClient) -> None:
    answer = await search(client, query="zaman aşımı", filters={"language": "tr"})
    assert [item["path"] for item in answer["results"]] == ["tr/zaman.md"]


@pytest.mark.parametrize("mode", ["hybrid", "bm25", "dense"])
async def test_the_mode_that_is_asked_for_is_the_one_that_is_told(client: httpx2.AsyncClient, mode: str) -> None:
    answer = await search(client, query="timeout", mode=mode)
    assert answer["retrieval"] == {"intent": "general", "mode": mode, "reason": answer["retrieval"]["reason"]}
    assert answer["retrieval"]["reason"]
    assert answer["results"]


async def test_a_cursor_continues_a_search_to_its_end(client: httpx2.AsyncClient) -> None:
    whole = [item["id"] for item in (await search(client, query="timeout", top_k=50))["results"]]
    page = await search(client, query="timeout", top_k=2)
    pages = [page]
    while page.get("cursor"):
        page = await search(client, query="timeout", top_k=2, cursor=page["cursor"])
        pages.append(page)
    assert [item["id"] for page in pages for item in page["results"]] == whole
    assert len(pages) == -(-len(whole) // 2)


@PREFIXES
async def test_a_question_is_answered_as_the_tool_answers_it(client: httpx2.AsyncClient, prefix: str) -> None:
    body = {"question": "What is the default timeout?", "collection": "docs"}
    response = await client.post(f"{prefix}/ask", json=body)
    answer = response.json()
    assert response.status_code == 200
    assert set(answer) == {"answerable", "answer", "citations", "retrieval"}
    assert answer["answerable"] is True
    assert answer["answer"].startswith("The default timeout is five seconds. [c1]")
    assert set(answer["retrieval"]) == {"intent", "mode", "reason"}
    first = answer["citations"][0]
    assert first == {
        "id": "c1",
        "url": first["url"],
        "title": "Timeouts",
        "path": "guide/timeouts.md",
        "lines": first["lines"],
        "section": "Timeouts",
        "version": None,
        "score": first["score"],
        "quote": "The default timeout is five seconds.",
    }
    assert "/documents/guide/timeouts.md?" in first["url"]


async def test_a_question_without_an_answer_is_declined_with_a_reason(client: httpx2.AsyncClient) -> None:
    answer = (await client.post("/ask", json={"question": "Who painted the ceiling?"})).json()
    assert (answer["answerable"], answer["answer"], answer["reason"]) == (False, "", "low_support")


@PREFIXES
async def test_sources_are_listed_with_their_counts(client: httpx2.AsyncClient, prefix: str) -> None:
    sources = (await client.get(f"{prefix}/sources")).json()["sources"]
    assert all(
        set(source) == {"name", "collection", "repository", "commit", "last_sync", "stale", "documents", "chunks"}
        for source in sources
    )
    assert {source["name"]: source["documents"] for source in sources} == {"handbook": 4, "library": 1}


@PREFIXES
async def test_citations_are_verified(client: httpx2.AsyncClient, prefix: str) -> None:
    quotes = [
        {"id": "c1", "passage": "guide/timeouts.md:0", "quote": "The default timeout is five seconds."},
        {"id": "c2", "path": "guide/pools.md", "quote": "A pool  keeps\nten connections"},
        {"id": "c3", "passage": "guide/pools.md", "quote": "A pool keeps twenty connections"},
        {"id": "c4", "passage": "guide/nowhere.md", "quote": "A pool"},
        {"id": "guide/pools.md:0", "quote": ""},
    ]
    response = await client.post(f"{prefix}/citations/verify", json={"citations": quotes, "answer": "So it is. [c1] [c9]"})
    assert response.status_code == 200
    told = response.json()
    assert [(each["id"], each["passage"], each["verdict"], each["ok"]) for each in told["citations"]] == [
        ("c1", "guide/timeouts.md:0", "exact", True),
        ("c2", "guide/pools.md", "whitespace", True),
        ("c3", "guide/pools.md", "not_in_passage", False),
        ("c4", "", "not_found", False),
        ("guide/pools.md:0", "guide/pools.md:0", "unquoted", True),
    ]
    assert (told["ok"], told["uncited"]) == (False, ["c9"])


async def test_the_citations_of_an_answer_hold(client: httpx2.AsyncClient) -> None:
    answer = (await client.post("/ask", json={"question": "What is the default timeout?"})).json()
    body = {"citations": answer["citations"], "answer": answer["answer"]}
    told = (await client.post("/citations/verify", json=body)).json()
    assert (told["ok"], told["uncited"]) == (True, [])


@pytest.mark.parametrize(
    ("path", "text"), [("/healthz", "ok"), ("/readyz", "ready"), ("/v1/healthz", "ok"), ("/v1/readyz", "ready")]
)
async def test_probes_are_answered(client: httpx2.AsyncClient, path: str, text: str) -> None:
    response = await client.get(path)
    assert (response.status_code, response.text) == (200, text)
