"""What REST refuses, with which status and code: through a server on a socket."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from desk import WRITER, desk, problem_of

from citewell.surfaces.rest.bodies import MAX_BODY_BYTES

pytestmark = pytest.mark.anyio

JSON = {"Content-Type": "application/json"}
WRITTEN = {"title": "Spring", "content": "It has come."}


@pytest.fixture(scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx2.AsyncClient]:
    async with desk(tmp_path_factory.mktemp("desk")) as client:
        yield client


@pytest.mark.parametrize("prefix", ["", "/v1"])
@pytest.mark.parametrize(
    ("method", "path", "sent", "status", "code"),
    [
        ("POST", "/search", {"json": {"query": "  "}}, 422, "EMPTY_QUERY"),
        ("POST", "/search", {"json": {}}, 422, "EMPTY_QUERY"),
        ("POST", "/search", {"json": {"query": 7}}, 422, "INVALID_REQUEST"),
        ("POST", "/search", {"json": {"query": "x", "limit": 3}}, 422, "INVALID_REQUEST"),
        ("POST", "/search", {"json": {"query": "x" * 2001}}, 422, "INVALID_REQUEST"),
        ("POST", "/search", {"json": {"query": "x", "mode": "best"}}, 422, "INVALID_REQUEST"),
        ("POST", "/search", {"json": ["x"]}, 422, "INVALID_REQUEST"),
        ("POST", "/search", {"content": b"{", "headers": JSON}, 422, "INVALID_REQUEST"),
        ("POST", "/search", {"content": b"\xff\xfe", "headers": JSON}, 422, "INVALID_REQUEST"),
        ("POST", "/documents", {"content": b"\xff\xfe", "headers": JSON}, 422, "INVALID_REQUEST"),
        ("POST", "/search", {"json": {"query": "x", "top_k": 0}}, 422, "BAD_LIMIT"),
        ("POST", "/search", {"json": {"query": "x", "k": 51}}, 422, "BAD_LIMIT"),
        ("POST", "/search", {"json": {"query": "x", "top_k": "3"}}, 422, "BAD_LIMIT"),
        ("POST", "/search", {"json": {"query": "x", "cursor": "bm90aGluZw"}}, 422, "BAD_CURSOR"),
        ("POST", "/search", {"json": {"query": "x", "filters": {"colour": "red"}}}, 422, "BAD_FILTER"),
        ("POST", "/search", {"json": {"query": "x", "filters": {"kind": 3}}}, 422, "BAD_FILTER"),
        ("POST", "/search", {"json": {"query": "x", "collection": "nowhere"}}, 422, "UNKNOWN_COLLECTION"),
        ("POST", "/search", {"data": {"query": "x"}}, 415, "UNSUPPORTED_FILE_TYPE"),
        ("POST", "/ask", {"json": {"question": " "}}, 422, "EMPTY_QUERY"),
        ("POST", "/ask", {"json": {"question": "x", "collection": "nowhere"}}, 422, "UNKNOWN_COLLECTION"),
        ("POST", "/citations/verify", {"json": {}}, 422, "INVALID_REQUEST"),
        ("POST", "/citations/verify", {"json": {"citations": [{}] * 101}}, 422, "BAD_LIMIT"),
        ("POST", "/documents", {"json": {"title": " ", "content": "x"}}, 422, "EMPTY_TITLE"),
        ("POST", "/documents", {"json": {"content": "x"}}, 422, "EMPTY_TITLE"),
        ("POST", "/documents", {"json": {"title": "x", "content": "\n"}}, 422, "EMPTY_DOCUMENT"),
        ("POST", "/documents", {"json": {"title": "x"}}, 422, "EMPTY_DOCUMENT"),
        ("POST", "/documents", {"json": {"title": "x" * 301, "content": "x"}}, 422, "BAD_LIMIT"),
        ("POST", "/documents", {"json": {**WRITTEN, "id": "x"}}, 422, "INVALID_REQUEST"),
        ("POST", "/documents", {"files": {"file": ("a.txt", b" \n")}}, 422, "EMPTY_DOCUMENT"),
        ("POST", "/documents", {"files": {"other": ("a.txt", b"x")}}, 422, "EMPTY_DOCUMENT"),
        ("POST", "/documents", {"files": {"file": ("a.exe", b"MZ")}}, 415, "UNSUPPORTED_FILE_TYPE"),
        ("POST", "/documents", {"files": {"file": ("a.txt", b"\x00\x01\x02\xff" * 99)}}, 415, "UNSUPPORTED_FILE_TYPE"),
        ("POST", "/documents", {"content": b"x", "headers": {"Content-Type": "image/png"}}, 415, "UNSUPPORTED_FILE_TYPE"),
        ("POST", "/documents", {"content": b"x", "headers": {"Content-Type": "multipart/form-data"}}, 422, "INVALID_REQUEST"),
        ("PUT", "/documents/guide/pools.md", {"json": {"title": "", "content": "x"}}, 422, "EMPTY_TITLE"),
        ("PUT", "/documents/guide/pools.md", {"json": {"title": "x", "content": ""}}, 422, "EMPTY_DOCUMENT"),
        ("PUT", "/documents/nowhere.md", {"json": WRITTEN}, 404, "DOCUMENT_NOT_FOUND"),
        ("DELETE", "/documents/nowhere.md", {}, 404, "DOCUMENT_NOT_FOUND"),
        ("GET", "/documents/nowhere.md", {}, 404, "DOCUMENT_NOT_FOUND"),
        ("GET", "/documents/guide/pools.md:9", {}, 404, "DOCUMENT_NOT_FOUND"),
        ("GET", "/documents?page=0", {}, 422, "BAD_PAGINATION"),
        ("GET", "/documents?page=one", {}, 422, "BAD_PAGINATION"),
        ("GET", "/documents?size=0", {}, 422, "BAD_PAGINATION"),
        ("GET", "/documents?size=101", {}, 422, "BAD_PAGINATION"),
        ("GET", "/documents?collection=nowhere", {}, 422, "UNKNOWN_COLLECTION"),
        ("GET", "/nowhere", {}, 404, "NOT_FOUND"),
        ("GET", "/search", {}, 405, "INVALID_REQUEST"),
    ],
)
async def test_what_cannot_be_done_is_a_problem_with_its_status_and_code(
    client: httpx2.AsyncClient, prefix: str, method: str, path: str, sent: dict[str, Any], status: int, code: str
) -> None:
    assert problem_of(await client.request(method, prefix + path, **sent)) == (status, code)


async def test_a_body_that_is_too_large_is_refused(client: httpx2.AsyncClient) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(MAX_BODY_BYTES // 1_000_000 + 1):
            yield b" " * 1_000_000

    announced = await client.post("/search", content=b" " * (MAX_BODY_BYTES + 1), headers=JSON)
    counted = await client.post("/search", content=pieces(), headers=JSON)
    assert problem_of(announced) == problem_of(counted) == (413, "BAD_LIMIT")


async def test_another_host_or_the_page_of_another_site_is_refused(client: httpx2.AsyncClient) -> None:
    misdirected = await client.get("/documents", headers={"Host": "evil.example"})
    foreign = await client.get("/documents", headers={"Origin": "https://evil.example"})
    assert problem_of(misdirected) == (421, "FORBIDDEN")
    assert problem_of(foreign) == (403, "FORBIDDEN")


async def test_who_may_only_read_writes_nothing(tmp_path: Path) -> None:
    reader = replace(WRITER, scopes=frozenset({"read"}))
    async with desk(tmp_path, caller=reader) as client:
        for call in (
            client.post("/documents", json=WRITTEN),
            client.put("/documents/guide/pools.md", json=WRITTEN),
            client.delete("/documents/guide/pools.md"),
        ):
            assert problem_of(await call) == (403, "FORBIDDEN")
        assert (await client.get("/documents/guide/pools.md")).status_code == 200


async def test_somebody_who_may_read_nothing_has_no_knowledge_base(tmp_path: Path) -> None:
    access = {"default": ["staff"], "users": {"bo": ["staff"]}}
    async with desk(tmp_path, access=access, retrieval={"threshold": 0.1}) as client:
        assert problem_of(await client.post("/search", json={"query": "timeout"})) == (404, "KB_NOT_FOUND")
        assert (await client.get("/documents")).json()["total"] == 0
