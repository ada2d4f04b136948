"""The parameters of declared tools: hidden, bounded, and filters of their own."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from agents import connect, payload_of, text_of
from contracts import ALONE, CONTRACTS, ENVELOPE, EVIDENCE, HITS, QUERY, REPO, furnished, search_tool, tool
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import citewell
from citewell.core.errors import ConfigurationError, UnknownKey
from citewell.core.tools import OfferedFilter, Parameter, Tool
from citewell.service import KnowledgeService
from citewell.surfaces.mcp.arguments import read_arguments, search_request
from citewell.surfaces.mcp.declarations import declared_tools, default_k
from citewell.surfaces.mcp.instructions import write_instructions

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def library() -> AsyncIterator[KnowledgeService]:
    service = await furnished()
    yield service
    await service.close()


SHIPPED = {
    path: path.read_text(encoding="utf-8")
    for path in Path(citewell.__file__).parent.rglob("*")
    if path.suffix in (".py", ".yaml", ".js", ".html", ".css")
}
"""Every text of the package; its own four tools are declared in one of them, as anybody declares his."""


def offered_filter(name: str, field: str) -> OfferedFilter:
    return OfferedFilter(name=name, field=field, description="Only these.")


@pytest.mark.parametrize("name", CONTRACTS)
async def test_a_tool_of_the_contracts_can_be_declared_exactly(library: KnowledgeService, name: str) -> None:
    declared, parameters = CONTRACTS[name]
    async with connect(library, tools=[declared]) as client:
        (listed,) = (await client.list_tools()).tools
    properties = listed.input_schema["properties"]
    assert {key: schema.get("default") for key, schema in properties.items()} == parameters
    assert listed.input_schema["additionalProperties"] is False
    Draft202012Validator.check_schema(listed.input_schema)
    Draft202012Validator.check_schema(listed.output_schema)


@pytest.mark.parametrize("name", CONTRACTS)
def test_no_name_of_the_contracts_stands_in_the_code(name: str) -> None:
    word = re.compile(rf"\b{name}\b")
    standing = [path.name for path, text in SHIPPED.items() if word.search(text)]
    assert standing == (["tools.yaml"] if name == "list_sources" else [])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"query": "x" * 513}, "BAD_LIMIT: 'query' must be text of 1 to 512 characters."),
        ({"query": "x", "top_k": 0}, "BAD_LIMIT: 'top_k' must be a whole number, 1 to 20."),
        ({"query": "x", "top_k": 21}, "BAD_LIMIT: 'top_k' must be a whole number, 1 to 20."),
        ({"query": "x", "k": 3}, "INVALID_REQUEST: The parameter 'k' is not known; allowed: query, top_k."),
        ({"query": "x", "mode": "bm25"}, "INVALID_REQUEST: The parameter 'mode' is not known; allowed: query, top_k."),
        ({"query": "x", "mode": None}, "INVALID_REQUEST: The parameter 'mode' is not known; allowed: query, top_k."),
    ],
)
async def test_bounds_hold_and_what_is_hidden_is_not_known(
    library: KnowledgeService, arguments: dict[str, Any], message: str
) -> None:
    async with connect(library, tools=[EVIDENCE]) as client:
        result = await client.call_tool(EVIDENCE.name, arguments)
    assert text_of(result) == message


async def test_what_reaches_a_bound_is_admitted(library: KnowledgeService) -> None:
    async with connect(library, tools=[EVIDENCE]) as client:
        assert not (await client.call_tool(EVIDENCE.name, {"query": "x" * 512, "top_k": 20})).is_error


async def test_a_bound_is_told_in_the_description(library: KnowledgeService) -> None:
    async with connect(library, tools=[EVIDENCE]) as client:
        properties = (await client.list_tools()).tools[0].input_schema["properties"]
    assert properties["top_k"]["description"] == "Most results to return, 1 to 20."
    assert properties["query"]["description"] == "Question or words, 1 to 512 characters."


async def test_a_hidden_parameter_keeps_its_default() -> None:
    words = tool("words", "search", parameters={"mode": Parameter(default="bm25", hidden=True)})
    assert search_request(words, read_arguments(words, (), {"query": "x"})).mode == "bm25"


@pytest.mark.parametrize(
    ("arguments", "paths"),
    [
        ({}, {"issues/42.md", "issues/7.md", "src/cache.yaml", "docs/pipelines.md"}),
        ({"repo": ""}, {"issues/42.md", "issues/7.md", "src/cache.yaml", "docs/pipelines.md"}),
        ({"repo": "acme/pipelines"}, {"issues/42.md", "src/cache.yaml"}),
        ({"repo": "acme/pipelines", "state": "open"}, {"issues/42.md"}),
        ({"repo": "acme/katib", "state": "open"}, set()),
        ({"repo": "acme"}, set()),
    ],
)
async def test_filters_of_a_tool_narrow_its_search(
    library: KnowledgeService, arguments: dict[str, str], paths: set[str]
) -> None:
    issues, _ = CONTRACTS["search_github_issues"]
    async with connect(library, tools=[issues]) as client:
        found = payload_of(await client.call_tool(issues.name, {"query": "artifact caching", **arguments}))
    assert {citation["file_path"] for citation in found["citations"]} == paths


@pytest.mark.parametrize(
    ("field", "value", "paths"),
    [
        ("source", "library", {"src/cache.yaml"}),
        ("path", "issues/*", {"issues/42.md", "issues/7.md"}),
        ("kind", "python", {"src/cache.yaml"}),
        ("version", "1.10", {"docs/pipelines.md"}),
        ("version", "1.1", set()),
        ("issue_labels", "area/caching", {"issues/42.md"}),
    ],
)
async def test_a_filter_may_be_by_any_field(library: KnowledgeService, field: str, value: str, paths: set[str]) -> None:
    only = search_tool("find", "hits", k=Parameter(), filters=(offered_filter("only", field),))
    async with connect(library, tools=[only]) as client:
        found = payload_of(await client.call_tool("find", {"query": "artifact caching", "only": value}))
    assert {hit["path"] for hit in found["results"]} == paths


@given(st.text(max_size=60).filter(bool))
def test_the_value_of_a_filter_arrives_as_it_is(value: str) -> None:
    declared = search_tool("find", "evidence", k=Parameter(), filters=(REPO,))
    request = search_request(declared, read_arguments(declared, (), {"query": "x", "repo": value}))
    assert request.filters.fields == (("repo_name", (value,)),)


@pytest.mark.parametrize(("value", "code"), [(5, "BAD_FILTER"), (["a"], "BAD_FILTER"), ("x" * 513, "BAD_FILTER")])
async def test_a_filter_that_is_no_text_is_refused(library: KnowledgeService, value: Any, code: str) -> None:
    issues, _ = CONTRACTS["search_github_issues"]
    async with connect(library, tools=[issues]) as client:
        result = await client.call_tool(issues.name, {"query": "x", "repo": value})
    assert text_of(result).startswith(f"{code}: 'repo' must be text")


async def test_the_built_in_filters_leave_out_what_a_tool_filters_by_itself(library: KnowledgeService) -> None:
    declared = tool("find", "search", filters=(offered_filter("release", "version"),))
    async with connect(library, tools=[declared]) as client:
        properties = (await client.list_tools()).tools[0].input_schema["properties"]
    assert list(properties["filters"]["properties"]) == ["source", "path", "language", "kind"]
    assert properties["release"]["default"] == ""


@pytest.mark.parametrize(
    ("declared", "kind", "message"),
    [
        (tool("a", "search", parameters={"k": Parameter(maximum=51)}), ConfigurationError, "maximum 51; it goes to 50"),
        (tool("a", "search", parameters={"query": Parameter(maximum=2001)}), ConfigurationError, "it goes to 2000"),
        (tool("a", "search", parameters={"mode": Parameter(maximum=3)}), ConfigurationError, "cannot have a maximum"),
        (tool("a", "search", parameters={"k": Parameter(default=9, maximum=8)}), ConfigurationError, "9 as default of 'k'"),
        (tool("a", "search", parameters={"query": Parameter(hidden=True)}), ConfigurationError, "needs a default then"),
        (tool("a", "search", parameters={"limit": Parameter()}), UnknownKey, "no parameter 'limit'"),
        (tool("a", "search", parameters={"querry": Parameter()}), UnknownKey, "did you mean 'query'?"),
        (tool("a", "search", filters=(offered_filter("k", "version"),)), ConfigurationError, "are called 'k'"),
        (tool("a", "search", filters=(offered_filter("x", "repo"),)), ConfigurationError, "did you mean 'repo_name'?"),
        (tool("a", "search", filters=(REPO, offered_filter("x", "repo_name"))), ConfigurationError, "Two filters"),
        (tool("a", "ask", filters=(REPO,)), ConfigurationError, "only a search can"),
        (tool("a", "ask", "evidence"), ConfigurationError, "no result 'evidence'; it has: native, hits"),
        (tool("a", "read", "hits"), ConfigurationError, "no result 'hits'; it has: native"),
        (tool("a", "sources", "envelope"), ConfigurationError, "it has: native"),
    ],
)
def test_a_declaration_that_makes_no_sense_is_refused(declared: Tool, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as caught:
        declared_tools([declared])
    assert message in str(caught.value)


def test_a_name_that_a_hidden_parameter_had_is_free() -> None:
    free = tool("a", "search", parameters=ALONE | {"query": QUERY}, filters=(offered_filter("mode", "kind"),))
    assert declared_tools([free]) == (free,)


def test_the_configured_number_of_results_stays_within_the_bound_of_a_tool() -> None:
    bounded = tool("a", "search", parameters={"k": Parameter(maximum=5)})
    (chosen,) = default_k([bounded], 8)
    assert chosen.parameters["k"].default == 5


def test_agents_are_told_to_answer_from_evidence_and_never_to_print_an_address() -> None:
    told = write_instructions([EVIDENCE], ("docs",))
    assert "Answer from `evidence` alone" in told
    assert "Never print a URL or a list of sources" in told
    assert "Cite the `url`" not in told


def test_agents_are_told_how_to_cite_what_each_tool_returns() -> None:
    told = write_instructions([EVIDENCE, HITS, replace(ENVELOPE, title="Search")], ())
    assert "From `search_kubeflow_docs`: Answer from `evidence` alone" in told
    assert "From `search_knowledge_base`: Cite the `permalink`" in told
    assert "From `kb_search`: Name the `title`" in told


def test_agents_are_told_to_read_by_what_the_parameter_is_called() -> None:
    reader, _ = CONTRACTS["read_file"]
    assert "pass its path to `read_file`" in write_instructions([HITS, reader], ())
