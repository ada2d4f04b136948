"""The assistant of ``examples/engineering`` through MCP: what each person may find, read and ask."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

import pytest
from mcp import Client
from people import Company
from running import ERAS, EXAMPLES, Era, over_http, over_stdio, payload_of, text_of

pytestmark = [pytest.mark.anyio, pytest.mark.models, pytest.mark.xdist_group("engineering"), pytest.mark.timeout(300)]

DEFAULTS = {
    "search_knowledge_base": {"query": None, "k": 6},
    "read_file": {"path": None, "start_line": 1, "end_line": None},
    "ask_knowledge_base": {"question": None},
    "list_sources": {},
}
BUDGET = "docs/finance/budget.md"
TIMEOUTS = "docs/runbooks/timeouts.md"
MISSING = "DOCUMENT_NOT_FOUND: There is no such document, or you may not read it."


async def use(company: Company, user: str, tool: str, era: Era = "auto", **arguments: Any) -> Any:
    """What ``tool`` says over HTTP: its structured result, or its error."""
    async with over_http(company.address, era, company.tokens[user]) as client:
        result = await client.call_tool(tool, arguments)
    return text_of(result) if result.is_error else payload_of(result)


async def paths_found(company: Company, user: str, query: str, k: int = 50) -> set[str]:
    found = await use(company, user, "search_knowledge_base", query=query, k=k)
    return {hit["path"] for hit in found["results"]}


async def check_tools(client: Client) -> None:
    """The tools are those of the contract, each read-only, with described parameters and results."""
    listed = {tool.name: tool for tool in (await client.list_tools()).tools}
    offered = {
        name: {key: schema.get("default") for key, schema in tool.input_schema["properties"].items()}
        for name, tool in listed.items()
    }
    assert offered == DEFAULTS
    for tool in listed.values():
        assert tool.annotations is not None
        assert (tool.annotations.read_only_hint, tool.annotations.idempotent_hint) == (True, True)
        assert tool.annotations.destructive_hint is False
        assert tool.output_schema is not None
        assert all(schema["description"] for schema in tool.input_schema["properties"].values())


@pytest.mark.parametrize("era", ERAS)
async def test_the_tools_are_those_of_the_contract_over_stdio(company: Company, era: Era) -> None:
    async with over_stdio(company.config, era) as client:
        await check_tools(client)
        found = payload_of(await client.call_tool("search_knowledge_base", {"query": "highest read_timeout"}))
    assert found["results"][0]["path"] == TIMEOUTS


@pytest.mark.parametrize("era", ERAS)
async def test_the_tools_are_those_of_the_contract_over_http(company: Company, era: Era) -> None:
    async with over_http(company.address, era, company.tokens["ada"]) as client:
        await check_tools(client)


@pytest.mark.parametrize("era", ERAS)
async def test_a_search_returns_ranked_passages_with_every_field(company: Company, era: Era) -> None:
    async with over_http(company.address, era, company.tokens["ada"]) as client:
        result = await client.call_tool("search_knowledge_base", {"query": "fine tuning of read_timeout"})
    found = payload_of(result)
    assert json.loads(text_of(result)) == found
    assert set(found) - {"degraded"} == {"results", "retrieval"}
    assert set(found["retrieval"]) == {"intent", "mode", "reason"}
    assert [hit["rank"] for hit in found["results"]] == [1, 2, 3, 4, 5, 6]
    scores = [hit["score"] for hit in found["results"]]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    first = found["results"][0]
    assert first == {
        "rank": 1,
        "path": TIMEOUTS,
        "lines": "6-9",
        "title": "Timeouts > Fine tuning",
        "kind": "markdown",
        "score": scores[0],
        "permalink": first["permalink"],
        "text": first["text"],
    }
    assert first["text"].startswith("## Fine tuning\n\nSet `read_timeout`")
    assert first["permalink"].endswith(f"/documents/{TIMEOUTS}?start_line=6&end_line=9")


async def test_an_identifier_is_found_whole_and_by_its_parts(company: Company) -> None:
    for query in ("max_keepalive_connections", "keepalive connections of the pool"):
        found = await use(company, "ada", "search_knowledge_base", query=query, k=1)
        (hit,) = found["results"]
        assert (hit["path"], hit["kind"]) == ("src/http_pool/pool.py", "python")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({}, "INVALID_REQUEST"),
        ({"query": " "}, "EMPTY_QUERY"),
        ({"query": "x" * 2001}, "BAD_LIMIT"),
        ({"query": "x", "k": 0}, "BAD_LIMIT"),
        ({"query": "x", "k": 51}, "BAD_LIMIT"),
        ({"query": "x", "collection": "docs"}, "INVALID_REQUEST"),
    ],
)
async def test_what_cannot_be_searched_for_is_refused_with_a_code(
    company: Company, arguments: dict[str, Any], code: str
) -> None:
    assert (await use(company, "ada", "search_knowledge_base", **arguments)).startswith(f"{code}: ")


async def test_lines_are_read_from_the_first_to_the_last_both_included(company: Company) -> None:
    whole = await use(company, "ada", "read_file", path=TIMEOUTS)
    lines = (EXAMPLES / "engineering" / "corpus" / TIMEOUTS).read_text().splitlines(keepends=True)
    assert whole["text"] == "".join(lines)
    part = await use(company, "ada", "read_file", path=TIMEOUTS, start_line=6, end_line=8)
    assert part["text"] == "".join(lines[5:8])
    assert part["metadata"]["lines"] == "6-8"
    rest = await use(company, "ada", "read_file", path=TIMEOUTS, start_line=len(lines))
    assert rest["text"] == lines[-1]


@pytest.mark.parametrize("lines", [{"start_line": 0}, {"start_line": 3, "end_line": 2}, {"start_line": 999}])
async def test_lines_that_cannot_be_are_refused(company: Company, lines: dict[str, int]) -> None:
    assert (await use(company, "ada", "read_file", path=TIMEOUTS, **lines)).startswith("BAD_LIMIT: ")


async def test_a_forbidden_file_and_a_missing_one_answer_alike(company: Company) -> None:
    assert await use(company, "ada", "read_file", path=BUDGET) == MISSING
    assert await use(company, "ada", "read_file", path="docs/finance/absent.md") == MISSING
    assert (await use(company, "bo", "read_file", path=BUDGET))["title"] == "Budget of the platform"


@pytest.mark.parametrize(
    ("user", "readable", "closed"),
    [
        ("ada", {TIMEOUTS, "docs/handbook/onboarding.md"}, {BUDGET, "src/billing/invoices.py"}),
        ("bo", {BUDGET, "src/billing/invoices.py", "docs/handbook/onboarding.md"}, {TIMEOUTS, "src/gateway/limits.go"}),
        ("sue", {"docs/security/incident-response.md", "src/gateway/limits.go"}, {BUDGET}),
        ("gus", {"docs/handbook/releases.md"}, {TIMEOUTS, BUDGET, "src/http_pool/pool.py"}),
    ],
)
async def test_everybody_finds_what_his_groups_may_read_and_nothing_else(
    company: Company, user: str, readable: set[str], closed: set[str]
) -> None:
    words = "budget invoices timeouts incident onboarding releases limits connections database"
    found = await paths_found(company, user, words)
    assert readable <= found
    assert not closed & found


async def test_what_is_closed_to_somebody_is_in_no_answer_and_no_source_of_it(company: Company) -> None:
    question = "How large is the cloud budget of this year?"
    his = await use(company, "bo", "ask_knowledge_base", question=question)
    hers = await use(company, "ada", "ask_knowledge_base", question=question)
    assert "412,000" in his["answer"]
    assert his["sources"][0]["path"] == BUDGET
    assert "412,000" not in json.dumps(hers)
    assert BUDGET not in json.dumps(hers)


async def test_an_answer_has_sources_and_the_trace_of_the_call(company: Company) -> None:
    question = "What is the highest read_timeout?"
    answer = await use(company, "ada", "ask_knowledge_base", question=question)
    assert set(answer) - {"degraded"} == {"answerable", "answer", "sources", "trace"}
    assert answer["answerable"] is True
    assert "120 seconds" in answer["answer"]
    assert "[c1]" in answer["answer"]
    assert set(answer["sources"][0]) == {"id", "path", "lines", "title", "score", "permalink", "quote"}
    assert answer["sources"][0]["path"] == TIMEOUTS
    assert set(answer["trace"]["retrieval"]) == {"intent", "mode", "reason"}
    assert answer["trace"]["stages"]


async def test_a_question_that_the_sources_do_not_answer_is_declined(company: Company) -> None:
    answer = await use(company, "ada", "ask_knowledge_base", question="Who won the chess olympiad in 1972?")
    assert (answer["answerable"], answer["answer"]) == (False, "")
    assert answer["reason"] in {"no_evidence", "low_support"}


async def test_a_question_may_be_in_another_language_than_its_source(company: Company) -> None:
    found = await use(company, "ada", "search_knowledge_base", query="Veritabanı yedeği ne kadar saklanır?", k=3)
    assert "docs/runbooks/database.md" in {hit["path"] for hit in found["results"]}


async def test_the_sources_are_listed_with_their_commits_and_what_the_caller_may_read(company: Company) -> None:
    hers = {s["name"]: s for s in (await use(company, "ada", "list_sources"))["sources"]}
    guest = {s["name"]: s for s in (await use(company, "gus", "list_sources"))["sources"]}
    assert set(hers["platform-docs"]) == {
        *("name", "collection", "repository", "commit", "last_sync", "stale", "documents", "chunks"),
    }
    assert {source["commit"] for source in hers.values()} == {company.head}
    assert {name: source["documents"] for name, source in hers.items()} == {"platform-docs": 4, "platform-code": 3}
    assert {name: source["documents"] for name, source in guest.items()} == {"platform-docs": 2}


async def test_personal_data_is_redacted_before_it_is_indexed(company: Company) -> None:
    budget = await use(company, "bo", "read_file", path=BUDGET)
    assert re.search(r"paid from \[IBAN:\w+\]", budget["text"])
    onboarding = await use(company, "ada", "read_file", path="docs/handbook/onboarding.md")
    assert re.search(r"call \[PHONE:\w+\]", onboarding["text"])


async def test_every_call_stands_in_the_audit(company: Company) -> None:
    await use(company, "sue", "search_knowledge_base", query="revoking credentials after a leak")
    log = (company.config.parent / ".citewell" / "audit").glob("*.jsonl")
    entries = [json.loads(line) for file in log for line in file.read_text().splitlines()]
    (event,) = [entry["record"] for entry in entries if entry.get("query") == "revoking credentials after a leak"]
    assert (event["who"], event["action"], event["via"]) == ("sue", "search", "mcp-http")
    assert any("incident-response.md" in shown for shown in event["shown"])


def test_the_smoke_script_speaks_to_every_tool(company: Company) -> None:
    command = [sys.executable, str(EXAMPLES / "engineering" / "smoke.py"), "--config", str(company.config)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "tools: search_knowledge_base, read_file, ask_knowledge_base, list_sources" in done.stdout
    assert "answer: The highest `read_timeout` is 120 seconds. [c1]" in done.stdout
