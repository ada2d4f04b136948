"""Results that would be too long for an agent come in parts that join without a gap."""

from __future__ import annotations

from typing import Any

import pytest
from agents import connect, payload_of, text_of
from assembly import build_knowledge, written
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from stdio_server import READER

from citewell.core.requests import ReadRequest
from citewell.service import KnowledgeService
from citewell.surfaces.mcp.paging import MAX_RESULT_CHARACTERS, compact_json, read_page

pytestmark = pytest.mark.anyio


async def read_through(knowledge: KnowledgeService, identity: str) -> list[dict[str, Any]]:
    """Every page of a document, as a reader gets them who follows ``next_start_line``."""
    pages = [await read_page(knowledge, READER, ReadRequest(id=identity))]
    while "next_start_line" in pages[-1]:
        request = ReadRequest(id=identity, start_line=pages[-1]["next_start_line"])
        pages.append(await read_page(knowledge, READER, request))
    return pages


async def test_a_search_result_that_is_too_long_stops_early_and_its_cursor_goes_on(knowledge: KnowledgeService) -> None:
    query = {"query": "catalogue entry", "k": 50}
    async with connect(knowledge) as client:
        first = await client.call_tool("search", query)
        second = await client.call_tool("search", query | {"cursor": payload_of(first)["cursor"]})
        heads = payload_of(await client.call_tool("search", query | {"k": 20}))["results"]
    assert len(text_of(first)) <= MAX_RESULT_CHARACTERS
    assert 20 < len(payload_of(first)["results"]) < 50
    assert payload_of(first)["results"][:20] == heads
    ids = [result["id"] for result in payload_of(first)["results"] + payload_of(second)["results"]]
    assert ids[:50] == sorted(set(ids[:50]), key=ids.index)


async def test_a_document_that_is_too_long_in_characters_is_cut_at_a_line_end(knowledge: KnowledgeService) -> None:
    pages = await read_through(knowledge, "docs/quoted.md")
    assert len(pages) > 1
    assert all(len(compact_json(page)) <= MAX_RESULT_CHARACTERS for page in pages)
    assert all(page["text"].endswith("\n") for page in pages)
    assert "".join(page["text"] for page in pages) == "# Quoted\n" + ('"\t"' * 40 + "\n") * 350


async def test_the_lines_and_url_of_a_cut_document_are_those_of_its_text(knowledge: KnowledgeService) -> None:
    async with connect(knowledge) as client:
        page = payload_of(await client.call_tool("fetch", {"id": "docs/quoted.md"}))
    last = page["text"].count("\n")
    assert page["metadata"]["lines"] == f"1-{last}"
    assert page["url"].endswith(f"?start_line=1&end_line={last}")
    assert page["next_start_line"] == last + 1


async def test_a_line_that_is_too_long_by_itself_is_cut_and_says_so(knowledge: KnowledgeService) -> None:
    async with connect(knowledge) as client:
        cut = await client.call_tool("fetch", {"id": "docs/wide.md", "start_line": 2})
        rest = payload_of(await client.call_tool("fetch", {"id": "docs/wide.md", "start_line": 3}))
    assert len(text_of(cut)) <= MAX_RESULT_CHARACTERS
    assert payload_of(cut)["text"].startswith("wide wide ")
    assert payload_of(cut)["metadata"]["truncated"] == "true"
    assert payload_of(cut)["next_start_line"] == 3
    assert rest["text"] == "The end.\n"
    assert "truncated" not in rest["metadata"]


async def test_reading_stops_at_the_end_line_asked_for(knowledge: KnowledgeService) -> None:
    async with connect(knowledge) as client:
        page = payload_of(await client.call_tool("fetch", {"id": "docs/quoted.md", "start_line": 10, "end_line": 20}))
    assert page["text"].count("\n") == 11
    assert "next_start_line" not in page


async def test_a_list_of_sources_that_is_too_long_says_that_it_was_cut() -> None:
    knowledge = await build_knowledge([])

    async def list_many(_: object) -> list[object]:
        return [info] * 1_000

    (info,) = await (await build_knowledge([written("a.md", ["A.\n"])])).sources(READER)
    knowledge.sources = list_many
    async with connect(knowledge) as client:
        result = await client.call_tool("list_sources", {})
    assert payload_of(result)["truncated"] is True
    assert 40_000 < len(text_of(result)) <= MAX_RESULT_CHARACTERS


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["a", '"', "\t", "ş", "春", "\x07", "\x85", "\r"]), st.integers(0, 6_000)),
        min_size=1,
        max_size=40,
    ),
    st.booleans(),
)
async def test_pages_join_to_the_document_whatever_it_holds(shapes: list[tuple[str, int]], ended: bool) -> None:
    text = "\n".join(character * length for character, length in shapes) + ("\n" if ended else "")
    assume(text.strip())
    knowledge = await build_knowledge([written("any.md", [text])])
    pages = await read_through(knowledge, "any.md")
    assert "".join(page["text"] for page in pages) == text
    assert all(len(compact_json(page)) <= MAX_RESULT_CHARACTERS for page in pages)
