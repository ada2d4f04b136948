"""The knowledge base of ``examples/chinese`` as agents use it: ``kb_search`` over stdio and HTTP, in both eras."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal

import pytest
from library import FIELDS, Library, envelope, refusal, told
from mcp import Client
from running import ERAS, Era, environment, over_http, over_stdio

pytestmark = [pytest.mark.anyio, pytest.mark.models, pytest.mark.xdist_group("chinese"), pytest.mark.timeout(300)]

Way = Literal["stdio", "http"]
EVERY_WAY = [pytest.param(way, era, id=f"{way}-{era}") for way in ("stdio", "http") for era in ERAS]


@asynccontextmanager
async def agent(library: Library, way: Way, era: Era) -> AsyncIterator[Client]:
    if way == "stdio":
        async with over_stdio(library.config, era) as client:
            yield client
    else:
        async with over_http(library.address, era) as client:
            yield client


@pytest.mark.parametrize(("way", "era"), EVERY_WAY)
async def test_the_tool_has_the_name_parameters_and_default_of_the_contract(library: Library, way: Way, era: Era) -> None:
    async with agent(library, way, era) as client:
        (tool,) = (await client.list_tools()).tools
    assert tool.name == "kb_search"
    properties = tool.input_schema["properties"]
    assert {name: schema.get("default") for name, schema in properties.items()} == {"query": None, "top_k": 5}
    assert all(schema["description"] for schema in properties.values())
    assert tool.input_schema["required"] == ["query"]
    assert tool.input_schema["additionalProperties"] is False
    assert tool.annotations is not None
    assert (tool.annotations.read_only_hint, tool.annotations.destructive_hint) == (True, False)


@pytest.mark.parametrize(("way", "era"), EVERY_WAY)
async def test_an_envelope_that_says_yes_has_the_fields_of_the_contract(library: Library, way: Way, era: Era) -> None:
    async with agent(library, way, era) as client:
        found = await envelope(client, query="春天", top_k=3)
    assert set(found) == {"ok", "results"}
    assert found["ok"] is True
    assert len(found["results"]) == 3
    assert all(set(hit) == FIELDS for hit in found["results"])
    first = found["results"][0]
    assert (first["doc_id"], first["title"]) == ("chunri", "河湾的春天")
    assert first["chunk_id"] in ("chunri:0", "chunri:1")
    assert first["snippet"]
    scores = [hit["score"] for hit in found["results"]]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


@pytest.mark.parametrize(("way", "era"), EVERY_WAY)
async def test_an_envelope_that_says_no_has_the_fields_of_the_contract(library: Library, way: Way, era: Era) -> None:
    async with agent(library, way, era) as client:
        assert refusal(await envelope(client, query="  ")) == "EMPTY_QUERY"
        assert refusal(await envelope(client, query="量子计算机的纠错码")) == "NO_RELEVANT_RESULT"


async def test_five_results_are_returned_where_no_number_is_asked_for(library: Library) -> None:
    assert len((await told(library.address, query="春天"))["results"]) == 5


@pytest.mark.parametrize("top_k", [1, 50])
async def test_a_number_at_a_bound_is_taken(library: Library, top_k: int) -> None:
    found = await told(library.address, query="春天", top_k=top_k)
    assert found["ok"] is True
    assert len(found["results"]) <= top_k


@pytest.mark.parametrize(
    "arguments", [{"query": "春天", "top_k": 0}, {"query": "春天", "top_k": 51}, {"query": "春" * 2001}, {}]
)
async def test_arguments_beyond_the_bounds_are_refused_in_an_envelope(library: Library, arguments: dict[str, object]) -> None:
    assert refusal(await told(library.address, **arguments)) == "RETRIEVAL_FAILED"


async def test_a_parameter_that_is_not_offered_is_refused(library: Library) -> None:
    assert refusal(await told(library.address, query="春天", mode="bm25")) == "RETRIEVAL_FAILED"


async def test_a_shorter_list_is_the_head_of_a_longer_one(library: Library) -> None:
    short = await told(library.address, query="放风筝", top_k=2)
    long = await told(library.address, query="放风筝", top_k=9)
    assert long["results"][:2] == short["results"]


def smoke(library: Library, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(library.config.with_name("smoke.py")), *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", env=environment(None), timeout=200, check=False)


def test_the_smoke_script_speaks_mcp_and_finds_spring(library: Library) -> None:
    done = smoke(library, "春天", "--top-k", "3")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("server: ")
    assert lines[1] == "tools: kb_search"
    assert lines[2].startswith("1. chunri 《河湾的春天》")
    assert [line[:2] for line in lines[2::2]] == ["1.", "2.", "3."]


def test_the_smoke_script_says_why_nothing_was_found(library: Library) -> None:
    done = smoke(library, "量子计算机的纠错码")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "NO_RELEVANT_RESULT"
