"""The assistant of ``examples/engineering`` over REST."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest
from people import Company
from running import EXAMPLES

pytestmark = [pytest.mark.anyio, pytest.mark.models, pytest.mark.xdist_group("engineering"), pytest.mark.timeout(300)]

BUDGET = "docs/finance/budget.md"
TIMEOUTS = "docs/runbooks/timeouts.md"


async def send(company: Company, user: str, method: str, path: str, **settings: Any) -> httpx2.Response:
    headers = {"Authorization": f"Bearer {company.tokens[user]}", "Accept": "application/json"} if user else {}
    async with httpx2.AsyncClient(base_url=company.address, headers=headers, timeout=60) as client:
        return await client.request(method, path, **settings)


@pytest.mark.parametrize("prefix", ["", "/v1"])
async def test_a_search_returns_every_field_of_a_passage(company: Company, prefix: str) -> None:
    body = {"query": "fine tuning of read_timeout", "k": 2}
    response = await send(company, "ada", "POST", f"{prefix}/search", json=body)
    assert response.status_code == 200
    found = response.json()
    assert set(found) - {"degraded", "cursor"} == {"query", "results", "citations", "retrieval"}
    assert found["query"] == body["query"]
    assert len(found["results"]) == 2
    first = found["results"][0]
    assert set(first) == {
        *("id", "doc_id", "chunk_id", "title", "snippet", "text", "path", "lines", "section", "version"),
        *("url", "score", "collection"),
    }
    assert (first["path"], first["lines"], first["collection"]) == (TIMEOUTS, "6-9", "docs")
    assert first["section"] == "Timeouts > Fine tuning"


async def test_a_search_shows_only_what_the_caller_may_read(company: Company) -> None:
    body = {"query": "the cloud budget of this year", "k": 50}
    his = (await send(company, "bo", "POST", "/search", json=body)).json()
    hers = (await send(company, "ada", "POST", "/search", json=body)).json()
    assert his["results"][0]["path"] == BUDGET
    assert BUDGET not in {result["path"] for result in hers["results"]}
    assert "412,000" not in str(hers)


async def test_a_question_is_answered_with_citations(company: Company) -> None:
    response = await send(company, "ada", "POST", "/ask", json={"question": "What is the highest read_timeout?"})
    answer = response.json()
    assert response.status_code == 200
    assert set(answer) - {"degraded"} == {"answerable", "answer", "citations", "retrieval"}
    assert answer["answer"] == "The highest `read_timeout` is 120 seconds. [c1]"
    assert answer["citations"][0]["path"] == TIMEOUTS


async def test_a_question_that_the_sources_do_not_answer_is_declined(company: Company) -> None:
    answer = (await send(company, "ada", "POST", "/ask", json={"question": "Who won the chess olympiad in 1972?"})).json()
    assert (answer["answerable"], answer["answer"]) == (False, "")
    assert answer["reason"] in {"no_evidence", "low_support"}


async def test_a_document_is_read_by_its_path_and_by_lines_both_included(company: Company) -> None:
    lines = (EXAMPLES / "engineering" / "corpus" / TIMEOUTS).read_text().splitlines(keepends=True)
    whole = (await send(company, "ada", "GET", f"/documents/{TIMEOUTS}")).json()
    part = (await send(company, "ada", "GET", f"/documents/{TIMEOUTS}?start_line=6&end_line=8")).json()
    assert {"id", "title", "content", "lines", "url", "metadata"} <= set(part)
    assert whole["content"] == "".join(lines)
    assert (part["content"], part["lines"]) == ("".join(lines[5:8]), "6-8")


async def test_a_forbidden_document_and_a_missing_one_answer_alike(company: Company) -> None:
    hidden = await send(company, "ada", "GET", f"/documents/{BUDGET}")
    absent = await send(company, "ada", "GET", "/documents/docs/finance/absent.md")
    assert (hidden.status_code, hidden.json()["code"]) == (404, "DOCUMENT_NOT_FOUND")
    assert hidden.content == absent.content
    assert (await send(company, "bo", "GET", f"/documents/{BUDGET}")).status_code == 200


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("/search", {"query": " "}, "EMPTY_QUERY"),
        ("/search", {"query": "x", "k": 51}, "BAD_LIMIT"),
        ("/search", {"query": "x", "collection": "none"}, "UNKNOWN_COLLECTION"),
        ("/ask", {"question": ""}, "EMPTY_QUERY"),
        ("/ask", {"question": "x", "all": True}, "INVALID_REQUEST"),
    ],
)
async def test_what_cannot_be_asked_is_a_problem_with_a_code(
    company: Company, path: str, body: dict[str, Any], code: str
) -> None:
    response = await send(company, "ada", "POST", path, json=body)
    assert (response.status_code, response.json()["code"]) == (422, code)
    assert response.headers["content-type"].startswith("application/problem+json")


async def test_who_shows_no_token_gets_nothing_but_the_state_of_the_server(company: Company) -> None:
    assert (await send(company, "", "POST", "/search", json={"query": "x"})).status_code == 401
    assert (await send(company, "", "GET", f"/documents/{TIMEOUTS}")).status_code == 401
    assert (await send(company, "", "GET", "/healthz")).status_code == 200
    assert (await send(company, "", "GET", "/readyz")).status_code == 200
