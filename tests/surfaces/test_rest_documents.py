"""Documents over REST, through a server on a socket: listed, read, written, changed and deleted."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from desk import desk, problem_of

pytestmark = pytest.mark.anyio

TIMEOUTS = "# Timeouts\n\nThe default timeout is five seconds.\n\n## Fine tuning\n\nSet `read_timeout`.\n"
POEM = {"title": "Spring", "content": "The spring wind has come.\nThe mountains are moist.\n"}
PREFIXES = pytest.mark.parametrize("prefix", ["", "/v1"])


@pytest.fixture(scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx2.AsyncClient]:
    """A client that only reads."""
    async with desk(tmp_path_factory.mktemp("desk")) as client:
        yield client


@pytest.fixture
async def writer(tmp_path: Path) -> AsyncIterator[httpx2.AsyncClient]:
    async with desk(tmp_path) as client:
        yield client


async def read(client: httpx2.AsyncClient, path: str, **query: Any) -> dict[str, Any]:
    response = await client.get(path, params=query)
    assert response.status_code == 200, response.text
    return dict(response.json())


@PREFIXES
async def test_a_document_is_read_by_an_id_with_slashes(client: httpx2.AsyncClient, prefix: str) -> None:
    document = await read(client, f"{prefix}/documents/guide/timeouts.md")
    assert set(document) == {"id", "title", "content", "lines", "url", "metadata"}
    assert (document["id"], document["title"]) == ("guide/timeouts.md", "Timeouts")
    assert (document["content"], document["lines"]) == (TIMEOUTS, "1-7")
    assert document["url"].endswith("/documents/guide/timeouts.md")
    assert document["metadata"] | {"source": "handbook", "collection": "docs", "editable": "true"} == document["metadata"]


async def test_a_slash_may_be_written_as_its_code(client: httpx2.AsyncClient) -> None:
    plain = await client.get("/documents/guide/timeouts.md")
    assert (await client.get("/documents/guide%2Ftimeouts.md")).content == plain.content


@PREFIXES
@pytest.mark.parametrize(
    ("query", "content", "lines"),
    [
        ({"start_line": 3, "end_line": 5}, "The default timeout is five seconds.\n\n## Fine tuning\n", "3-5"),
        ({"start_line": 5}, "## Fine tuning\n\nSet `read_timeout`.\n", "5-7"),
        ({"end_line": 1}, "# Timeouts\n", "1-1"),
        ({"start_line": 7, "end_line": 99}, "Set `read_timeout`.\n", "7-7"),
    ],
)
async def test_lines_are_read_from_the_first_to_the_last_both_included(
    client: httpx2.AsyncClient, prefix: str, query: dict[str, int], content: str, lines: str
) -> None:
    document = await read(client, f"{prefix}/documents/guide/timeouts.md", **query)
    assert set(document) == {"id", "title", "content", "lines", "url", "metadata"}
    assert (document["content"], document["lines"]) == (content, lines)


@pytest.mark.parametrize(
    "query", ["start_line=0", "start_line=4&end_line=3", "start_line=99", "end_line=x", "start_line=1.5"]
)
async def test_lines_that_cannot_be_are_refused(client: httpx2.AsyncClient, query: str) -> None:
    assert problem_of(await client.get(f"/documents/guide/timeouts.md?{query}")) == (422, "BAD_LIMIT")


async def test_the_id_of_a_passage_leads_to_its_lines(client: httpx2.AsyncClient) -> None:
    document = await read(client, "/documents/guide/timeouts.md:1")
    assert (document["id"], document["lines"]) == ("guide/timeouts.md", "5-7")
    assert document["content"].startswith("## Fine tuning")


@pytest.mark.parametrize("accept", ["text/plain", "text/html,application/xhtml+xml,*/*;q=0.8"])
async def test_who_follows_a_citation_with_a_browser_reads_plain_text(client: httpx2.AsyncClient, accept: str) -> None:
    address = "/documents/guide/timeouts.md?start_line=7&end_line=7"
    response = await client.get(address, headers={"Accept": accept})
    assert response.headers["content-type"] == "text/plain; charset=utf-8"
    assert response.text == "Set `read_timeout`.\n"


@PREFIXES
async def test_documents_are_listed_page_by_page(client: httpx2.AsyncClient, prefix: str) -> None:
    whole = await read(client, f"{prefix}/documents")
    assert (whole["page"], whole["size"], whole["total"]) == (1, 20, 5)
    assert all(set(item) == {"id", "title", "content"} for item in whole["items"])
    pages = [await read(client, f"{prefix}/documents", page=page, size=2) for page in (1, 2, 3, 4)]
    assert [len(page["items"]) for page in pages] == [2, 2, 1, 0]
    assert [item for page in pages for item in page["items"]] == whole["items"]
    assert {(page["size"], page["total"]) for page in pages} == {(2, 5)}
    assert {"id": "guide/timeouts.md", "title": "Timeouts", "content": TIMEOUTS} in whole["items"]


async def test_a_list_may_be_of_one_collection(client: httpx2.AsyncClient) -> None:
    page = await read(client, "/documents", collection="code")
    assert ([item["id"] for item in page["items"]], page["total"]) == (["pool.py"], 1)


@PREFIXES
async def test_a_document_is_written_read_changed_and_deleted(writer: httpx2.AsyncClient, prefix: str) -> None:
    created = await writer.post(f"{prefix}/documents", json=POEM)
    assert created.status_code == 201
    document = created.json()
    assert {"title": document["title"], "content": document["content"]} == POEM
    place = f"{prefix}/documents/{document['id']}"
    assert await read(writer, place) == document

    changed = await writer.put(place, json={"title": "Haste", "content": "All is hurry.\n"})
    assert (changed.status_code, changed.json()["id"]) == (200, document["id"])
    assert (await read(writer, place))["content"] == "All is hurry.\n"

    deleted = await writer.delete(place)
    assert (deleted.status_code, deleted.content) == (204, b"")
    for call in (writer.get(place), writer.delete(place), writer.put(place, json=POEM)):
        assert problem_of(await call) == (404, "DOCUMENT_NOT_FOUND")


async def test_a_created_document_has_a_random_id(writer: httpx2.AsyncClient) -> None:
    ids = {(await writer.post("/documents", json=POEM)).json()["id"] for _ in range(3)}
    assert len(ids) == 3
    assert all(re.fullmatch(r"[0-9a-f]{16}\.md", identity) for identity in ids)


async def test_what_is_written_is_found_at_once_and_gone_when_it_is_deleted(writer: httpx2.AsyncClient) -> None:
    async def found() -> list[str]:
        return [item["doc_id"] for item in (await writer.post("/search", json={"query": "mountains"})).json()["results"]]

    identity = (await writer.post("/documents", json=POEM)).json()["id"]
    assert (await found())[0] == identity
    await writer.put(f"/documents/{identity}", json={"title": "Sea", "content": "The mountains are far away.\n"})
    assert (await found())[0] == identity
    await writer.delete(f"/documents/{identity}")
    assert identity not in await found()


async def test_a_file_of_a_source_is_changed_where_it_is(writer: httpx2.AsyncClient, tmp_path: Path) -> None:
    text = "# Timeouts\n\nThere are none.\n"
    await writer.put("/documents/guide/timeouts.md", json={"title": "Timeouts", "content": text})
    assert (tmp_path / "docs/guide/timeouts.md").read_text() == text
    await writer.delete("/documents/guide/pools.md")
    assert not (tmp_path / "docs/guide/pools.md").exists()


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
async def test_a_document_of_a_source_that_is_only_read_is_not_changed(client: httpx2.AsyncClient, method: str) -> None:
    body = {"json": POEM} if method == "PUT" else {}
    assert problem_of(await client.request(method, "/documents/pool.py", **body)) == (409, "DOCUMENT_READ_ONLY")


async def test_a_new_document_goes_to_no_collection_that_is_only_read(client: httpx2.AsyncClient) -> None:
    response = await client.post("/documents", params={"collection": "code"}, json=POEM)
    assert problem_of(response) == (409, "DOCUMENT_READ_ONLY")


@pytest.mark.parametrize(
    ("sent", "title"),
    [
        ({"files": {"file": ("wind.md", b"# The wind\n\nIt has come.\n")}}, "The wind"),
        ({"files": {"file": ("wind.txt", "Rüzgâr geldi.\n".encode())}}, "wind"),
        ({"files": {"file": ("wind.txt", b"It has come.\n")}, "data": {"title": "Of the wind"}}, "Of the wind"),
        ({"content": b"# The wind\n", "headers": {"Content-Type": "text/markdown"}}, "The wind"),
        (
            {"content": b"It came.\n", "headers": {"Content-Type": "text/plain"}, "params": {"title": "Of the wind"}},
            "Of the wind",
        ),
    ],
)
async def test_a_text_file_is_taken(writer: httpx2.AsyncClient, sent: dict[str, Any], title: str) -> None:
    created = await writer.post("/documents", **sent)
    assert (created.status_code, created.json()["title"]) == (201, title)
    assert (await read(writer, f"/documents/{created.json()['id']}"))["title"] == title


async def test_personal_data_is_gone_from_what_is_written(writer: httpx2.AsyncClient, tmp_path: Path) -> None:
    body = {"title": "Call me", "content": "Write to ada.lovelace@gmail.com about it.\n"}
    document = (await writer.post("/documents", json=body)).json()
    assert "ada.lovelace@gmail.com" not in document["content"]
    assert "ada.lovelace@gmail.com" not in (tmp_path / "docs" / document["id"]).read_text()
