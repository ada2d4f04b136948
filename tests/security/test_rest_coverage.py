"""Every route of REST, tried by every kind of caller: a route that is not in the table, or no longer there, fails."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from fastapi.routing import APIRoute
from guests import HOST, application, send
from household import Household, furnish
from test_action_coverage import CALLERS

from citewell.surfaces.rest import documents, searching, writing
from citewell.surfaces.rest.site import rest_site
from citewell.wiring import build_service

pytestmark = pytest.mark.anyio

ROUTES = {
    #                              anonymous other  same   revoked expired service admin
    "POST /search": "              hidden  hidden  ok     refused refused ok      hidden",
    "GET /search/stream": "        hidden  hidden  ok     refused refused ok      hidden",
    "POST /ask": "                 hidden  hidden  ok     refused refused ok      hidden",
    "POST /ask/stream": "          hidden  hidden  ok     refused refused ok      hidden",
    "POST /citations/verify": "    hidden  hidden  ok     refused refused ok      hidden",
    "GET /sources": "              hidden  hidden  ok     refused refused ok      hidden",
    "GET /documents": "            hidden  hidden  ok     refused refused ok      hidden",
    "GET /documents/{id:text}": "  hidden  hidden  ok     refused refused ok      hidden",
    "HEAD /documents/{id:text}": " hidden  hidden  ok     refused refused ok      hidden",
    "POST /documents": "           denied  denied  denied refused refused ok      closed",
    "PUT /documents/{id:text}": "  denied  denied  denied refused refused ok      hidden",
    "DELETE /documents/{id:text}": "denied denied  denied refused refused ok      hidden",
}
OPEN = ("/healthz", "/readyz", "/v1/healthz", "/v1/readyz", "/")
DRAFT = {"title": "Draft", "content": "Of the zephyr merger."}
BODIES: dict[str, dict[str, Any]] = {
    "POST /search": {"query": "zephyr"},
    "POST /ask": {"question": "When is the zephyr merger?"},
    "POST /ask/stream": {"question": "When is the zephyr merger?"},
    "POST /citations/verify": {"citations": [{"passage": "plan.md", "quote": "The zephyr merger"}]},
    "POST /documents": DRAFT,
    "PUT /documents/{id:text}": DRAFT,
}
TARGETS = {
    "GET /search/stream": "/search/stream?q=zephyr",
    "GET /documents/{id:text}": "/documents/plan.md",
    "HEAD /documents/{id:text}": "/documents/plan.md",
    "PUT /documents/{id:text}": "/documents/spare.md",
    "DELETE /documents/{id:text}": "/documents/sketch.md",
}
STATUSES = {201: "ok", 204: "ok", 401: "refused", 403: "denied", 404: "hidden", 409: "closed"}
EMPTY = ({"results": []}, {"citations": []}, {"sources": []}, {"items": []}, {"ok": False})


@pytest.fixture(scope="module")
async def household(tmp_path_factory: pytest.TempPathFactory) -> Household:
    return await furnish(tmp_path_factory.mktemp("household"))


@asynccontextmanager
async def serving(household: Household) -> AsyncIterator[Any]:
    site = rest_site(version="0", k=8)
    async with application(build_service(household.config), household.callers(), site=site) as app:
        yield app


def cells() -> Iterator[tuple[str, str, str]]:
    for action, row in ROUTES.items():
        yield from ((action, caller, expected) for caller, expected in zip(CALLERS, row.split(), strict=True))


def test_every_route_of_rest_is_in_the_table() -> None:
    routers = (searching.router, documents.router, writing.router)
    routes = [route for router in routers for route in router.routes]
    assert all(isinstance(route, APIRoute) for route in routes)
    assert {f"{method} {route.path}" for route in routes for method in route.methods} == ROUTES.keys()


@pytest.mark.parametrize("prefix", ["", "/v1"])
@pytest.mark.parametrize(("action", "caller", "expected"), list(cells()))
async def test_a_route_does_for_a_caller_what_the_table_says(
    household: Household, action: str, caller: str, expected: str, prefix: str
) -> None:
    method, path = action.split()
    if (method, prefix) == ("DELETE", "/v1") and expected == "ok":
        pytest.skip("there is nothing left to delete")
    headers = [HOST, ("Content-Type", "application/json"), *household.header(caller)]
    body = json.dumps(BODIES[action]).encode() if action in BODIES else b""
    async with serving(household) as app:
        reply = await send(app, prefix + TARGETS.get(action, path), headers, method=method, body=body)
    assert (told(method, reply) if reply.status == 200 else STATUSES[reply.status]) == expected


def told(method: str, reply: Any) -> str:
    """Return whether an answer shows anything of the document."""
    if method == "HEAD":
        return "ok"
    if reply.headers["content-type"].startswith("text/event-stream"):
        quiet = reply.body == b"data: [DONE]\n\n" or b'"citations":[]' in reply.body
        return "hidden" if quiet else "ok"
    return "hidden" if any(reply.json | empty == reply.json for empty in EMPTY) else "ok"


@pytest.mark.parametrize("path", OPEN)
async def test_what_is_open_to_all_tells_nothing_of_the_documents(household: Household, path: str) -> None:
    async with serving(household) as app:
        replies = [await send(app, path, [HOST, *household.header(caller)]) for caller in ("anonymous", "service")]
    assert replies[0].body == replies[1].body
    assert b"zephyr" not in replies[0].body


@pytest.mark.parametrize("route", [action for action, row in ROUTES.items() if "denied" in row])
async def test_a_page_of_another_site_may_not_write(household: Household, route: str) -> None:
    method, path = route.split()
    base = [HOST, ("Content-Type", "application/json"), *household.header("service")]
    body = json.dumps(DRAFT).encode()
    async with serving(household) as app:
        for sign in (("Origin", "https://evil.example"), ("Origin", "null"), ("Sec-Fetch-Site", "cross-site")):
            reply = await send(app, path.replace("{id:text}", "plan.md"), [*base, sign], method=method, body=body)
            assert reply.status == 403


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
async def test_writing_to_a_hidden_document_is_answered_as_to_an_absent_one(household: Household, method: str) -> None:
    headers = [HOST, ("Content-Type", "application/json"), *household.header("admin")]
    body = json.dumps(DRAFT).encode()
    async with serving(household) as app:
        hidden, absent = [
            await send(app, f"/documents/{name}", headers, method=method, body=body) for name in ("plan.md", "absent.md")
        ]
    assert (hidden.status, hidden.headers, hidden.body) == (absent.status, absent.headers, absent.body)


async def test_where_nobody_may_be_anonymous_who_shows_nothing_is_refused(household: Household) -> None:
    callers = household.callers()
    closed = type(callers)(authenticator=callers.authenticator, unnamed=None)
    site = rest_site(version="0", k=8)
    async with application(build_service(household.config), closed, site=site) as app:
        replies = [await send(app, path, [HOST]) for path in ("/documents", "/v1/sources", "/openapi.json", "/nowhere")]
    assert [reply.status for reply in replies] == [401, 401, 401, 401]
