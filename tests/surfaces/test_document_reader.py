"""Documents as plain text: where the citations of local files lead."""

from __future__ import annotations

import httpx2
import pytest
from assembly import build_knowledge, written
from hosting import hosted

from citewell.service import KnowledgeService

pytestmark = pytest.mark.anyio


async def get(knowledge: KnowledgeService, path: str) -> httpx2.Response:
    async with hosted(knowledge) as address, httpx2.AsyncClient() as client:
        return await client.get(f"{address}/documents/{path}")


async def test_a_citation_url_leads_to_its_lines(knowledge: KnowledgeService) -> None:
    response = await get(knowledge, "docs/timeouts.md?start_line=3&end_line=3")
    assert response.text == "The default timeout of a request is five seconds.\n"
    assert response.headers["content-type"] == "text/plain; charset=utf-8"
    assert response.headers["x-content-type-options"] == "nosniff"


async def test_a_long_document_is_given_whole(knowledge: KnowledgeService) -> None:
    response = await get(knowledge, "docs/long.md")
    assert response.text == "# Long\n" + "Line of a long tale.\n" * 900


async def test_an_id_may_hold_any_character() -> None:
    name = "docs/a b/%41?#ü.md"
    knowledge = await build_knowledge([written(name, ["Found.\n"])])
    response = await get(knowledge, "docs/a%20b/%2541%3F%23%C3%BC.md")
    assert response.text == "Found.\n"


async def test_an_absent_document_is_a_problem_with_its_code(knowledge: KnowledgeService) -> None:
    response = await get(knowledge, "docs/nowhere.md")
    assert response.status_code == 404
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["code"] == "DOCUMENT_NOT_FOUND"


async def test_a_hidden_document_is_the_same_problem_as_an_absent_one(knowledge: KnowledgeService) -> None:
    hidden, absent = await get(knowledge, "private/board.md"), await get(knowledge, "private/absent.md")
    assert (hidden.status_code, hidden.content) == (absent.status_code, absent.content)


@pytest.mark.parametrize("lines", ["start_line=x", "start_line=0", "start_line=3&end_line=2", "start_line=9999"])
async def test_lines_that_cannot_be_are_a_problem(knowledge: KnowledgeService, lines: str) -> None:
    response = await get(knowledge, f"docs/timeouts.md?{lines}")
    assert response.status_code == 422
    assert response.json()["code"] == "BAD_LIMIT"


async def test_an_unexpected_failure_says_nothing_about_itself() -> None:
    knowledge = await build_knowledge([])

    async def fail(*_: object) -> None:
        raise RuntimeError("the password is hunter2")

    knowledge.read = fail
    response = await get(knowledge, "docs/timeouts.md")
    assert response.status_code == 500
    assert "hunter2" not in response.text
