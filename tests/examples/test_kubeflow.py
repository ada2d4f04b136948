"""The documentation assistant of ``examples/kubeflow``, from its own pages, issues and manifests to an agent's tools."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx2
import pytest
from mcp import Client
from running import ERAS, Era, over_http, over_stdio, payload_of, serving, text_of

pytest.importorskip("pymilvus", reason="the extra milvus is not installed")

from assistant import Assistant, founded

pytestmark = [pytest.mark.anyio, pytest.mark.models, pytest.mark.xdist_group("kubeflow"), pytest.mark.timeout(300)]

URL = re.compile(r"https?://|www\.", re.IGNORECASE)
TOOLS = {
    "search_kubeflow_docs": {"query", "top_k"},
    "search_github_issues": {"query", "top_k", "repo", "state"},
    "search_kubeflow_code": {"query", "top_k", "resource_kind", "repo"},
}
OPTIONAL = {
    "search_kubeflow_docs": {"section", "version", "release_date", "doc_type", "file_path"},
    "search_github_issues": {
        *("section", "version", "release_date", "doc_type", "file_path"),
        *("repo_name", "issue_number", "issue_state", "issue_labels"),
    },
    "search_kubeflow_code": {
        *("section", "version", "release_date", "doc_type", "file_path", "repo_name"),
        *("resource_kind", "resource_name", "resource_namespace", "file_type"),
    },
}


@pytest.fixture(scope="module")
def assistant(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    """The example, synchronised into Milvus' own core where it is built, else into Milvus Lite in pure Python."""
    with founded(tmp_path_factory.mktemp("kubeflow")) as assistant:
        yield assistant


@pytest.fixture(scope="module")
async def address(assistant: Assistant) -> AsyncIterator[str]:
    async with serving(assistant.config, assistant.env) as address:
        yield address


@pytest.fixture
async def agent(address: str) -> AsyncIterator[Client]:
    async with over_http(address, "auto") as client:
        yield client


async def ask(agent: Client, tool: str, query: str, **more: Any) -> dict[str, Any]:
    return payload_of(await agent.call_tool(tool, {"query": query, **more}))


async def test_the_three_tools_have_the_parameters_and_defaults_of_the_contract(agent: Client) -> None:
    listed = {tool.name: tool.input_schema for tool in (await agent.list_tools()).tools}
    assert {name: set(schema["properties"]) for name, schema in listed.items()} == TOOLS
    for schema in listed.values():
        top_k, query = schema["properties"]["top_k"], schema["properties"]["query"]
        assert (top_k["default"], top_k["minimum"], top_k["maximum"]) == (5, 1, 20)
        assert query["maxLength"] == 512
        assert schema["required"] == ["query"]
        filters = set(schema["properties"]) - {"query", "top_k"}
        assert all(schema["properties"][name]["default"] == "" for name in filters)


async def test_every_description_says_what_the_tool_is_not_for(agent: Client) -> None:
    for tool in (await agent.list_tools()).tools:
        others = set(TOOLS) - {tool.name}
        assert tool.description is not None
        assert all(other in tool.description for other in others)


@pytest.mark.parametrize("tool", TOOLS)
async def test_a_result_is_evidence_citations_and_retrieval(agent: Client, tool: str) -> None:
    result = await agent.call_tool(tool, {"query": "how many trials run in parallel, and what fails"})
    found = payload_of(result)
    assert set(found) - {"degraded"} == {"evidence", "citations", "retrieval"}
    assert set(found["retrieval"]) == {"intent", "retrieval_mode", "reason"}
    assert 1 <= len(found["citations"]) <= 5
    assert [citation["id"] for citation in found["citations"]] == [f"c{n}" for n in range(1, len(found["citations"]) + 1)]
    for citation in found["citations"]:
        assert set(citation) - OPTIONAL[tool] == {"id", "url", "score"}
        assert citation["url"].startswith("https://")
        assert 0 <= citation["score"] <= 1
        assert f"[{citation['id']}]" in found["evidence"]
    assert not URL.search(found["evidence"])
    assert text_of(result) == found["evidence"]


async def test_a_comparison_has_both_versions_in_its_evidence(agent: Client) -> None:
    found = await ask(agent, "search_kubeflow_docs", "Compare Kubeflow 1.9 and 1.10", top_k=3)
    assert found["retrieval"]["intent"] == "comparison"
    assert found["retrieval"]["retrieval_mode"] == "hybrid"
    versions = {citation.get("version", "") for citation in found["citations"]}
    assert any(version.startswith("1.9") for version in versions)
    assert any(re.match(r"1\.10(\.|$)", version) for version in versions)


async def test_when_a_version_was_released_is_answered_by_that_version_first(agent: Client) -> None:
    found = await ask(agent, "search_kubeflow_docs", "When was Kubeflow 1.10 released?")
    assert (found["retrieval"]["intent"], found["retrieval"]["retrieval_mode"]) == ("release_date", "bm25")
    first = found["citations"][0]
    assert re.match(r"1\.10(\.|$)", first["version"])
    assert first["release_date"] == "2025-04-01"
    assert first["doc_type"] == "release"


async def test_a_version_is_not_the_beginning_of_another(agent: Client) -> None:
    found = await ask(agent, "search_kubeflow_docs", "When was Kubeflow 1.1 released?")
    assert re.match(r"1\.1(\.0)?$", found["citations"][0]["version"])
    assert found["citations"][0]["release_date"] == "2020-07-31"


@pytest.mark.parametrize(
    "question", ["What is the latest Kubeflow release?", "Kubeflow'un en son sürümü nedir?", "Kubeflow 的最新版本是什么？"]
)
async def test_the_newest_release_comes_first(agent: Client, question: str) -> None:
    found = await ask(agent, "search_kubeflow_docs", question)
    assert found["retrieval"]["intent"] == "temporal"
    dates = [citation["release_date"] for citation in found["citations"] if "release_date" in citation]
    assert dates == sorted(dates, reverse=True)
    assert found["citations"][0]["version"] == "26.03"


async def test_issues_are_found_by_their_error_message_and_narrowed_by_repository_and_state(agent: Client) -> None:
    error = "Objective metric accuracy is not found in training logs"
    found = await ask(agent, "search_github_issues", error)
    assert (
        found["citations"][0]
        | {
            "repo_name": "kubeflow/katib",
            "issue_number": "90003",
            "issue_state": "open",
            "url": "https://github.com/kubeflow/katib/issues/90003",
        }
        == found["citations"][0]
    )
    elsewhere = await ask(agent, "search_github_issues", error, repo="kubeflow/pipelines")
    assert {citation["repo_name"] for citation in elsewhere["citations"]} == {"kubeflow/pipelines"}
    closed = await ask(agent, "search_github_issues", error, state="closed", top_k=20)
    assert {citation["issue_state"] for citation in closed["citations"]} == {"closed"}


async def test_code_is_found_by_a_key_and_narrowed_by_the_kind_of_resource(agent: Client) -> None:
    found = await ask(agent, "search_kubeflow_code", "CULL_IDLE_TIME")
    assert found["retrieval"]["intent"] == "exact"
    assert {citation["file_path"] for citation in found["citations"]} >= {"notebook-controller.yaml", "culling.go"}
    services = await ask(agent, "search_kubeflow_code", "ml-pipeline", resource_kind="Service")
    assert [citation["resource_name"] for citation in services["citations"]] == ["ml-pipeline"]
    assert services["citations"][0]["resource_namespace"] == "kubeflow"
    assert (await ask(agent, "search_kubeflow_code", "ml-pipeline", repo="kubeflow/manifests"))["citations"]


@pytest.mark.parametrize("hostile", ['x" or true', "') || 1==1 --", "*", "a\\", "kubeflow/%", "\n", "你好'"])
async def test_a_filter_is_data_and_never_a_query(agent: Client, hostile: str) -> None:
    for tool, name in (("search_github_issues", "repo"), ("search_kubeflow_code", "resource_kind")):
        found = await ask(agent, tool, "kubeflow", **{name: hostile})
        assert (found["citations"], found["evidence"]) == ([], "")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"query": "   "}, "EMPTY_QUERY"),
        ({"query": "x" * 513}, "BAD_LIMIT"),
        ({"query": "x", "top_k": 21}, "BAD_LIMIT"),
        ({"query": "x", "top_k": 0}, "BAD_LIMIT"),
        ({"query": "x", "mode": "dense"}, "INVALID_REQUEST"),
        ({}, "INVALID_REQUEST"),
    ],
)
async def test_what_cannot_be_asked_is_refused_with_a_code(agent: Client, arguments: dict[str, Any], code: str) -> None:
    result = await agent.call_tool("search_kubeflow_docs", arguments)
    assert result.is_error
    assert text_of(result).startswith(f"{code}: ")


@pytest.mark.parametrize("era", ERAS)
async def test_clients_of_both_eras_get_the_same_over_stdio_and_http(assistant: Assistant, address: str, era: Era) -> None:
    async with over_http(address, era) as over_net, over_stdio(assistant.config, era, assistant.env) as over_pipe:
        for tool in TOOLS:
            assert await ask(over_net, tool, "caching") == await ask(over_pipe, tool, "caching")


async def test_the_same_collections_are_searched_over_rest(address: str) -> None:
    async with httpx2.AsyncClient(base_url=address, timeout=60) as http:
        body = {"query": "When was Kubeflow 1.10 released?", "collection": "kubeflow_docs", "top_k": 3}
        found = (await http.post("/search", json=body)).json()
        narrowed = {"query": "ml-pipeline", "collection": "code_rag", "filters": {"resource_kind": "Service"}}
        services = (await http.post("/search", json=narrowed)).json()
    assert found["retrieval"]["intent"] == "release_date"
    assert found["results"][0]["version"].startswith("1.10")
    assert {item["collection"] for item in found["results"]} == {"kubeflow_docs"}
    assert [item["title"] for item in services["results"]]
    assert {item["collection"] for item in services["results"]} == {"code_rag"}
