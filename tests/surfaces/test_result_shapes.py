"""What the declared tools return, field by field, in each of the forms that other systems know."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
from agents import ERAS, Era, connect, payload_of, text_of
from assembly import build_knowledge, written
from contracts import CHUNKS, CONTRACTS, ENVELOPE, EVIDENCE, HITS, furnished
from mcp.types import CallToolResult

from citewell.core.tools import Tool
from citewell.service import KnowledgeService
from citewell.surfaces.mcp.paging import MAX_RESULT_CHARACTERS

pytestmark = pytest.mark.anyio

QUESTION = {"query": "artifact caching"}
ADDRESS = re.compile(r"\w+://|www\.")


@pytest.fixture(scope="module")
async def library() -> AsyncIterator[KnowledgeService]:
    service = await furnished()
    yield service
    await service.close()


async def use(knowledge: KnowledgeService, tool: Tool, era: Era = "auto", **arguments: Any) -> CallToolResult:
    async with connect(knowledge, tools=[tool], era=era) as client:
        return await client.call_tool(tool.name, arguments)


@pytest.mark.parametrize("era", ERAS)
async def test_evidence_is_the_text_and_the_whole_is_the_structured_result(library: KnowledgeService, era: Era) -> None:
    result = await use(library, EVIDENCE, era, **QUESTION)
    found = payload_of(result)
    assert set(found) == {"evidence", "citations", "retrieval"}
    assert set(found["retrieval"]) == {"intent", "retrieval_mode", "reason"}
    assert text_of(result) == found["evidence"]


async def test_evidence_is_labelled_with_section_version_and_date_and_holds_no_address(library: KnowledgeService) -> None:
    found = payload_of(await use(library, EVIDENCE, query="Which artifact caching arrives with Pipelines 1.10?"))
    heading = "[c1] Pipelines 1.10, version 1.10, released 2024-10-15\n"
    assert found["evidence"].startswith(f"{heading}# Pipelines 1.10\n\nArtifact caching arrives; see the guide and ….")
    assert [f"[{citation['id']}]" in found["evidence"] for citation in found["citations"]] == [True] * 4
    assert not ADDRESS.search(found["evidence"])


async def test_an_address_stands_in_the_url_of_a_citation_and_nowhere_else(library: KnowledgeService) -> None:
    found = payload_of(await use(library, EVIDENCE, **QUESTION))
    for citation in found["citations"]:
        assert ADDRESS.search(citation.pop("url"))
    assert not ADDRESS.search(json.dumps(found))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("docs/pipelines.md", {"version": "1.10", "release_date": "2024-10-15", "doc_type": "release"}),
        (
            "issues/42.md",
            {
                "repo_name": "acme/pipelines",
                "issue_number": "42",
                "issue_state": "open",
                "issue_labels": "bug,area/caching",
            },
        ),
        (
            "src/cache.yaml",
            {
                "repo_name": "acme/pipelines",
                "resource_kind": "Deployment",
                "resource_name": "cache-server",
                "resource_namespace": "acme",
                "file_type": "yaml",
            },
        ),
    ],
)
async def test_a_citation_carries_the_fields_that_have_a_value_and_no_others(
    library: KnowledgeService, path: str, expected: dict[str, str]
) -> None:
    found = payload_of(await use(library, EVIDENCE, **QUESTION))
    (citation,) = [citation for citation in found["citations"] if citation["file_path"] == path]
    always = {"id", "url", "score", "section", "file_path"}
    assert {key: value for key, value in citation.items() if key not in always} == expected


async def test_evidence_of_nothing_is_empty(library: KnowledgeService) -> None:
    issues, _ = CONTRACTS["search_github_issues"]
    found = payload_of(await use(library, issues, **QUESTION, repo="acme/nowhere"))
    assert (found["evidence"], found["citations"]) == ("", [])


async def test_chunks_are_raw_texts_with_plain_rrf_scores(library: KnowledgeService) -> None:
    result = await use(library, CHUNKS, query="Pipelines 1.10 artifact caching")
    found = payload_of(result)
    assert set(found) == {"chunks"}
    assert [set(chunk) for chunk in found["chunks"]] == [{"id", "text", "source_id", "score"}] * 4
    first = found["chunks"][0]
    assert (first["id"], first["source_id"]) == ("docs/pipelines.md:0", "handbook")
    assert first["score"] == pytest.approx(2 / 61)
    assert "https://www.example.org/g" in first["text"]
    assert json.loads(text_of(result)) == found


async def test_an_exact_shape_tells_how_it_was_searched_for_beside_the_result(library: KnowledgeService) -> None:
    for tool in (CHUNKS, ENVELOPE):
        meta = (await use(library, tool, **QUESTION)).meta
        assert meta is not None
        assert set(meta["citewell/retrieval"]) == {"intent", "mode", "reason"}


async def test_hits_are_ranked_passages_with_permalinks(library: KnowledgeService) -> None:
    result = await use(library, HITS, query="Which artifact caching arrives with Pipelines 1.10?", k=2)
    found = payload_of(result)
    assert set(found) == {"results", "retrieval"}
    assert [hit["rank"] for hit in found["results"]] == [1, 2]
    assert found["results"][0] == {
        "rank": 1,
        "path": "docs/pipelines.md",
        "lines": "1-3",
        "title": "Pipelines 1.10",
        "kind": "markdown",
        "score": found["results"][0]["score"],
        "permalink": "http://127.0.0.1:8765/documents/docs/pipelines.md?start_line=1&end_line=3",
        "text": found["results"][0]["text"],
    }
    assert found["results"][0]["text"].startswith("# Pipelines 1.10\n")
    assert json.loads(text_of(result)) == found


async def test_an_answer_in_hits_has_sources_and_the_trace_of_the_call(knowledge: KnowledgeService) -> None:
    tool, _ = CONTRACTS["ask_knowledge_base"]
    answer = payload_of(await use(knowledge, tool, question="What is the default timeout of a request?"))
    assert set(answer) == {"answerable", "answer", "sources", "trace"}
    assert answer["answerable"] is True
    assert set(answer["sources"][0]) == {"id", "path", "lines", "title", "score", "permalink", "quote"}
    assert set(answer["trace"]) == {"retrieval", "stages"}
    assert set(answer["trace"]["retrieval"]) == {"intent", "mode", "reason"}
    assert {"fuse", "read", "quote"} <= set(answer["trace"]["stages"])
    assert all(milliseconds >= 0 for milliseconds in answer["trace"]["stages"].values())


async def test_an_answer_that_cannot_be_given_is_declined_in_a_normal_result(knowledge: KnowledgeService) -> None:
    tool, _ = CONTRACTS["ask_knowledge_base"]
    answer = payload_of(await use(knowledge, tool, question="Who won the chess olympiad?"))
    assert (answer["answerable"], answer["answer"]) == (False, "")
    assert answer["reason"] in {"no_evidence", "low_support"}


async def test_an_envelope_holds_snippets(library: KnowledgeService) -> None:
    result = await use(library, ENVELOPE, query="Pipelines 1.10", top_k=1)
    assert payload_of(result) == {
        "ok": True,
        "results": [
            {
                "doc_id": "docs/pipelines.md",
                "title": "Pipelines 1.10",
                "chunk_id": "docs/pipelines.md:0",
                "snippet": payload_of(result)["results"][0]["snippet"],
                "score": payload_of(result)["results"][0]["score"],
            }
        ],
    }
    assert "Pipelines 1.10" in payload_of(result)["results"][0]["snippet"]
    assert json.loads(text_of(result)) == payload_of(result)


@pytest.mark.parametrize("tool", [EVIDENCE, CHUNKS, HITS, ENVELOPE], ids=lambda tool: tool.name)
async def test_what_the_caller_may_not_read_is_in_no_shape(library: KnowledgeService, tool: Tool) -> None:
    result = await use(library, tool, query="Artifact caching will be sold")
    assert "plan.md" not in json.dumps(payload_of(result))
    assert "sold" not in text_of(result)


@pytest.mark.parametrize("tool", [EVIDENCE, CHUNKS, HITS, ENVELOPE], ids=lambda tool: tool.name)
async def test_a_result_that_does_not_fit_is_cut_and_says_so(tool: Tool) -> None:
    pieces = [f"entry {n} {'long ' * 4_000}" for n in range(8)]
    knowledge = await build_knowledge([written("docs/entries.md", pieces), written("docs/line.md", ['quoted "\t" ' * 9_000])])
    several = await use(knowledge, tool, query="entry long")
    single = await use(knowledge, tool, query="quoted")
    for result in (several, single):
        assert len(text_of(result)) <= MAX_RESULT_CHARACTERS
        assert len(json.dumps(payload_of(result), ensure_ascii=False, separators=(",", ":"))) <= MAX_RESULT_CHARACTERS
    if tool is not ENVELOPE:
        assert payload_of(several)["truncated"] is True
        assert payload_of(single)["truncated"] is True
