"""Tools are what their declarations say they are."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest
from agents import connect, payload_of, text_of

from citewell.core.errors import ConfigurationError, UnknownKey
from citewell.core.tools import Parameter, Tool, ToolKind
from citewell.service import KnowledgeService
from citewell.surfaces.mcp.declarations import declared_tools, default_tools

pytestmark = pytest.mark.anyio

QUESTION = Parameter(name="q", description="Words to look for.")
FINDER = Tool(
    name="find_in_docs",
    kind="search",
    description="Find passages in the documentation.",
    collections=("docs",),
    parameters={"query": QUESTION, "k": Parameter(name="top_k", default=2)},
)


def tool(kind: ToolKind, **settings: Any) -> Tool:
    return Tool(name=f"our_{kind}", kind=kind, description="Does what it is for.", **settings)


async def test_declared_tools_replace_the_default_ones(knowledge: KnowledgeService) -> None:
    async with connect(knowledge, tools=[FINDER]) as client:
        (listed,) = (await client.list_tools()).tools
    assert listed.name == "find_in_docs"
    assert listed.description == "Find passages in the documentation."


async def test_parameters_are_offered_under_their_declared_names(knowledge: KnowledgeService) -> None:
    async with connect(knowledge, tools=[FINDER]) as client:
        schema = (await client.list_tools()).tools[0].input_schema
        found = payload_of(await client.call_tool("find_in_docs", {"q": "catalogue entry", "top_k": 3}))
        refused = text_of(await client.call_tool("find_in_docs", {"query": "catalogue entry"}))
    assert list(schema["properties"]) == ["q", "top_k", "filters", "mode", "cursor"]
    assert schema["properties"]["q"]["description"] == "Words to look for."
    assert schema["required"] == ["q"]
    assert len(found["results"]) == 3
    assert "'query' is not known" in refused


async def test_a_declared_default_holds(knowledge: KnowledgeService) -> None:
    async with connect(knowledge, tools=[FINDER]) as client:
        assert (await client.list_tools()).tools[0].input_schema["properties"]["top_k"]["default"] == 2
        found = payload_of(await client.call_tool("find_in_docs", {"q": "catalogue entry"}))
    assert len(found["results"]) == 2


async def test_a_required_parameter_with_a_default_may_be_left_out(knowledge: KnowledgeService) -> None:
    greeting = tool("search", parameters={"query": Parameter(default="timeout")})
    async with connect(knowledge, tools=[greeting]) as client:
        assert "required" not in (await client.list_tools()).tools[0].input_schema
        found = payload_of(await client.call_tool("our_search", {}))
    assert found["results"][0]["path"] == "docs/timeouts.md"


async def test_a_tool_sees_nothing_outside_its_collections(knowledge: KnowledgeService) -> None:
    within = {"collections": ("code",)}
    tools = [tool("search", **within), tool("ask", **within), tool("read", **within), tool("sources", **within)]
    async with connect(knowledge, tools=tools) as client:
        found = payload_of(await client.call_tool("our_search", {"query": "timeout pool", "k": 50}))
        answer = payload_of(await client.call_tool("our_ask", {"question": "What is the default timeout of a request?"}))
        outside = text_of(await client.call_tool("our_read", {"id": "docs/timeouts.md"}))
        absent = text_of(await client.call_tool("our_read", {"id": "docs/absent.md"}))
        inside = payload_of(await client.call_tool("our_read", {"id": "src/pool.py"}))
        sources = payload_of(await client.call_tool("our_sources", {}))
    assert {result["path"] for result in found["results"]} == {"src/pool.py"}
    assert {citation["path"] for citation in answer["citations"]} <= {"src/pool.py"}
    assert outside == absent.replace("absent", "timeouts")
    assert inside["metadata"]["collection"] == "code"
    assert [source["name"] for source in sources["sources"]] == ["library"]


async def test_a_tool_of_several_collections_offers_the_choice_among_them(knowledge: KnowledgeService) -> None:
    both = tool("search", collections=("code", "docs"))
    async with connect(knowledge, tools=[both]) as client:
        schema = (await client.list_tools()).tools[0].input_schema
    assert schema["properties"]["collection"]["enum"] == ["code", "docs"]


def test_without_declarations_the_default_tools_are_offered() -> None:
    assert declared_tools(()) == default_tools()


@pytest.mark.parametrize(
    ("declared", "kind", "message"),
    [
        (tool("ask", parameters={"k": Parameter(default=3)}), UnknownKey, "'our_ask' of kind 'ask' has no parameter 'k'"),
        (tool("sources", parameters={"all": Parameter()}), UnknownKey, "it has: none"),
        (tool("search", parameters={"query": Parameter(name="k")}), ConfigurationError, "are called 'k'"),
        (tool("search", parameters={"k": Parameter(default=51)}), ConfigurationError, "51 as default of 'k'"),
        (tool("search", parameters={"k": Parameter(default="8")}), ConfigurationError, "'8' as default of 'k'"),
        (tool("search", parameters={"mode": Parameter(default="best")}), ConfigurationError, "'best' as default"),
    ],
)
def test_a_declaration_that_cannot_be_offered_is_refused(declared: Tool, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        declared_tools([declared])


@pytest.mark.parametrize("name", ["fetch", "list_sources"])
def test_the_code_knows_no_tool_by_name(name: str) -> None:
    modules = [path for path in files("citewell.surfaces.mcp").iterdir() if path.name.endswith(".py")]
    assert modules
    assert not [path.name for path in modules if name in path.read_text(encoding="utf-8")]
