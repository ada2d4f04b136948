"""The knowledge base of ``examples/chinese`` over REST: documents, search, the stream, and the code of every refusal."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest
from library import FIELDS, Library, problem, refusal, told, web_client

pytestmark = [pytest.mark.anyio, pytest.mark.models, pytest.mark.xdist_group("chinese"), pytest.mark.timeout(300)]

OBSERVATORY = {"title": "山上的天文台", "content": "夜里，老馆长转动望远镜，给来访的人看土星的光环。"}
SATURN = "用望远镜看土星"
CHARCOAL = {"title": "山上的炭窑", "content": "烧炭的人在山上守着窑火，三天三夜不合眼。"}
KILN = "烧木炭"


@pytest.fixture
async def rest(library: Library) -> AsyncIterator[httpx2.AsyncClient]:
    async with web_client(library.address) as client:
        yield client


async def found(rest: httpx2.AsyncClient, query: str) -> list[str]:
    """The documents that a search returns; none where it says that nothing is relevant."""
    response = await rest.post("/search", json={"query": query})
    return [] if response.status_code == 404 else [hit["doc_id"] for hit in response.json()["results"]]


async def test_a_document_is_created_found_changed_found_anew_and_deleted(library: Library, rest: httpx2.AsyncClient) -> None:
    assert await found(rest, SATURN) == []
    created = await rest.post("/documents", json=OBSERVATORY)
    assert created.status_code == 201
    document = created.json()
    assert {"title": document["title"], "content": document["content"]} == OBSERVATORY
    address = f"/documents/{document['id']}"
    assert (await rest.get(address)).json() == document
    assert (await found(rest, SATURN))[0] == document["id"]
    assert (await told(library.address, query=SATURN))["results"][0]["doc_id"] == document["id"]

    changed = await rest.put(address, json=CHARCOAL)
    assert changed.status_code == 200
    assert {key: changed.json()[key] for key in ("id", "title", "content")} == {"id": document["id"], **CHARCOAL}
    assert (await found(rest, KILN))[0] == document["id"]
    assert document["id"] not in await found(rest, SATURN)

    deleted = await rest.delete(address)
    assert (deleted.status_code, deleted.content) == (204, b"")
    assert problem(await rest.get(address)) == (404, "DOCUMENT_NOT_FOUND")
    assert document["id"] not in await found(rest, KILN)
    assert refusal(await told(library.address, query=SATURN)) == "NO_RELEVANT_RESULT"


@pytest.mark.parametrize("name", ["渔火.txt", "渔火.md"])
async def test_a_text_file_is_taken_and_called_by_its_name(rest: httpx2.AsyncClient, name: str) -> None:
    sent = await rest.post("/documents", files={"file": (name, "江边的渔火一盏一盏地亮了。".encode(), "text/plain")})
    assert sent.status_code == 201
    assert sent.json()["title"] == "渔火"
    assert (await rest.delete(f"/documents/{sent.json()['id']}")).status_code == 204


async def test_documents_are_listed_twenty_to_a_page_from_the_first(rest: httpx2.AsyncClient) -> None:
    response = await rest.get("/documents")
    assert response.status_code == 200
    listed = response.json()
    assert set(listed) == {"items", "page", "size", "total"}
    assert (listed["page"], listed["size"], listed["total"]) == (1, 20, 16)
    assert all(set(item) == {"id", "title", "content"} for item in listed["items"])
    assert {"id": "chunri", "title": "河湾的春天"}.items() <= listed["items"][2].items()


async def test_pages_follow_one_another_and_end(rest: httpx2.AsyncClient) -> None:
    pages = [(await rest.get("/documents", params={"page": page, "size": 6})).json()["items"] for page in (1, 2, 3, 4)]
    assert [len(items) for items in pages] == [6, 6, 4, 0]
    assert len({item["id"] for items in pages for item in items}) == 16


@pytest.mark.parametrize("query", [{"page": 0}, {"page": -1}, {"size": 0}, {"size": 101}, {"page": "x"}, {"size": ""}])
async def test_a_page_that_cannot_be_is_bad_pagination(rest: httpx2.AsyncClient, query: dict[str, Any]) -> None:
    assert problem(await rest.get("/documents", params=query)) == (422, "BAD_PAGINATION")


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
async def test_a_document_that_is_not_there_is_not_found(rest: httpx2.AsyncClient, method: str) -> None:
    sent = {"json": OBSERVATORY} if method == "PUT" else {}
    assert problem(await rest.request(method, "/documents/nobody", **sent)) == (404, "DOCUMENT_NOT_FOUND")


@pytest.mark.parametrize("title", ["", " ", "\n", "　"])
@pytest.mark.parametrize(("method", "path"), [("POST", "/documents"), ("PUT", "/documents/afu")])
async def test_a_document_without_a_title_is_refused(rest: httpx2.AsyncClient, method: str, path: str, title: str) -> None:
    response = await rest.request(method, path, json={"title": title, "content": "有"})
    assert problem(response) == (422, "EMPTY_TITLE")


@pytest.mark.parametrize("content", ["", " ", "\n\t", "　"])
@pytest.mark.parametrize(("method", "path"), [("POST", "/documents"), ("PUT", "/documents/afu")])
async def test_a_document_without_text_is_refused(rest: httpx2.AsyncClient, method: str, path: str, content: str) -> None:
    response = await rest.request(method, path, json={"title": "有", "content": content})
    assert problem(response) == (422, "EMPTY_DOCUMENT")


async def test_a_file_of_another_kind_is_refused(rest: httpx2.AsyncClient) -> None:
    picture = {"file": ("a.png", b"\x89PNG\r\n", "image/png")}
    assert problem(await rest.post("/documents", files=picture)) == (415, "UNSUPPORTED_FILE_TYPE")
    stream = {"content-type": "application/octet-stream"}
    assert problem(await rest.post("/documents", content=b"abc", headers=stream)) == (415, "UNSUPPORTED_FILE_TYPE")


@pytest.mark.parametrize("prefix", ["", "/v1"])
async def test_a_search_returns_the_fields_of_the_contract(rest: httpx2.AsyncClient, prefix: str) -> None:
    response = await rest.post(f"{prefix}/search", json={"query": "春天", "top_k": 3})
    assert response.status_code == 200
    answer = response.json()
    assert answer["query"] == "春天"
    assert len(answer["results"]) == 3
    assert all(set(hit) >= FIELDS for hit in answer["results"])
    assert answer["results"][0]["doc_id"] == "chunri"
    assert answer["retrieval"]["mode"] == "dense"
    assert "the best 10 reordered by the reranker" in answer["retrieval"]["reason"]


async def test_agents_and_programs_are_told_the_same(library: Library, rest: httpx2.AsyncClient) -> None:
    programs = (await rest.post("/search", json={"query": "放风筝"})).json()["results"]
    agents = (await told(library.address, query="放风筝"))["results"]
    assert [{key: hit[key] for key in FIELDS} for hit in programs] == agents
    assert len(agents) == 5


@pytest.mark.parametrize("query", ["", "   ", "\n", "　"])
async def test_a_blank_query_is_an_empty_query(rest: httpx2.AsyncClient, query: str) -> None:
    assert problem(await rest.post("/search", json={"query": query})) == (422, "EMPTY_QUERY")
    assert problem(await rest.get("/search/stream", params={"q": query})) == (422, "EMPTY_QUERY")


@pytest.mark.parametrize("top_k", [0, 51])
async def test_a_number_beyond_the_bounds_is_a_bad_limit(rest: httpx2.AsyncClient, top_k: int) -> None:
    assert problem(await rest.post("/search", json={"query": "春天", "top_k": top_k})) == (422, "BAD_LIMIT")


async def test_a_question_that_no_text_answers_has_no_relevant_result(rest: httpx2.AsyncClient) -> None:
    query = "量子计算机的纠错码"
    assert problem(await rest.post("/search", json={"query": query})) == (404, "NO_RELEVANT_RESULT")
    assert problem(await rest.get("/search/stream", params={"q": query})) == (404, "NO_RELEVANT_RESULT")


@pytest.mark.parametrize("query", [{"q": "春天"}, {"q": "春天", "top_k": 1}])
async def test_the_stream_is_the_best_snippet_a_character_at_a_time_and_ends(
    rest: httpx2.AsyncClient, query: dict[str, Any]
) -> None:
    best = (await rest.post("/search", json={"query": "春天", "top_k": 1})).json()["results"][0]["snippet"]
    response = await rest.get("/search/stream", params=query)
    assert response.status_code == 200
    assert response.headers["content-type"].partition(";")[0] == "text/event-stream"
    *events, last, rest_of_it = response.text.split("\n\n")
    assert (last, rest_of_it) == ("data: [DONE]", "")
    said = ["\n".join(line.removeprefix("data: ") for line in event.split("\n")) for event in events]
    assert all(event.startswith("data: ") for event in events)
    assert all(len(character) == 1 for character in said)
    assert "".join(said) == best
