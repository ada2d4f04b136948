"""Every action there is, tried by every kind of caller: an action that is not in these tables, or no longer there, fails."""

from __future__ import annotations

import inspect
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from guests import HERE, HOST, application, call, send
from household import Household, furnish, outcome
from stdio_server import INFO

from citewell.core.citations import QuotedCitation, VerifyRequest
from citewell.core.errors import Forbidden
from citewell.core.requests import AskRequest, DocumentText, ListRequest, ReadRequest, SearchRequest, SyncRequest
from citewell.core.tools import Tool
from citewell.service import KnowledgeService
from citewell.service.access import AccessService
from citewell.service.audit import AuditService
from citewell.service.documents import DocumentService
from citewell.service.tokens import TokenService
from citewell.surfaces.mcp.declarations import default_tools
from citewell.surfaces.mcp.http import http_app
from citewell.wiring import build_access, build_audit_desk, build_service, build_tokens

pytestmark = pytest.mark.anyio

CALLERS = ("anonymous", "other group", "same group", "revoked", "expired", "service", "admin")
"""`same group`, `service` and the holder of the revoked and the expired token are in the document's group, `admin` is not."""

SERVICES = {
    #                          anonymous other  same   revoked expired service admin
    "KnowledgeService.search": "hidden  hidden  ok     refused refused ok      hidden",
    "KnowledgeService.ask": "   hidden  hidden  ok     refused refused ok      hidden",
    "KnowledgeService.read": "  hidden  hidden  ok     refused refused ok      hidden",
    "KnowledgeService.sources": "hidden hidden  ok     refused refused ok      hidden",
    "KnowledgeService.verify": "hidden  hidden  ok     refused refused ok      hidden",
    "KnowledgeService.ready": " ok      ok      ok     refused refused ok      ok",
    "DocumentService.list": "   hidden  hidden  ok     refused refused ok      hidden",
    "DocumentService.read": "   hidden  hidden  ok     refused refused ok      hidden",
    "DocumentService.create": " denied  denied  denied refused refused ok      closed",
    "DocumentService.update": " denied  denied  denied refused refused ok      hidden",
    "DocumentService.delete": " denied  denied  denied refused refused ok      hidden",
    "KnowledgeService.sync": "  denied  denied  denied refused refused ok      ok",
    "KnowledgeService.refused": "ok     ok      ok     refused refused ok      ok",
    "AccessService.explain": "  denied  denied  denied refused refused denied  ok",
    "AccessService.who": "      denied  denied  denied refused refused denied  ok",
    "AccessService.pin": "      denied  denied  denied refused refused denied  ok",
    "AccessService.release": "  denied  denied  denied refused refused denied  ok",
    "AuditService.check": "     denied  denied  denied refused refused denied  ok",
    "AuditService.sightings": " denied  denied  denied refused refused denied  ok",
    "AuditService.events": "    denied  denied  denied refused refused denied  ok",
    "AuditService.erase": "     denied  denied  denied refused refused denied  ok",
    "TokenService.create": "    denied  denied  denied refused refused denied  ok",
    "TokenService.list": "      denied  denied  denied refused refused denied  ok",
    "TokenService.revoke": "    denied  denied  denied refused refused denied  ok",
}
TOOLS = {
    "search": "                 hidden  hidden  ok     refused refused ok      hidden",
    "fetch": "                  hidden  hidden  ok     refused refused ok      hidden",
    "ask": "                    hidden  hidden  ok     refused refused ok      hidden",
    "list_sources": "           hidden  hidden  ok     refused refused ok      hidden",
    "find_docs": "              hidden  hidden  ok     refused refused ok      hidden",
    "open_docs": "              hidden  hidden  ok     refused refused ok      hidden",
    "ask_docs": "               hidden  hidden  ok     refused refused ok      hidden",
    "count_docs": "             hidden  hidden  ok     refused refused ok      hidden",
}
ROUTES = {
    "/healthz": "               ok      ok      ok     ok      ok      ok      ok",
    "/.well-known/oauth-protected-resource": "ok ok ok ok      ok      ok      ok",
    "/.well-known/oauth-protected-resource/mcp": "ok ok ok ok  ok      ok      ok",
    "/documents/{id:text}": "   hidden  hidden  ok     refused refused ok      hidden",
    "/mcp": "                   ok      ok      ok     refused refused ok      ok",
}
DRAFT = DocumentText(title="Draft", content="Of the zephyr.")
QUOTED = QuotedCitation(passage="plan.md", quote="The zephyr merger")
CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "KnowledgeService.search": lambda desk, who: desk.search(who, SearchRequest(query="zephyr")),
    "KnowledgeService.ask": lambda desk, who: desk.ask(who, AskRequest(question="When is the zephyr merger?")),
    "KnowledgeService.read": lambda desk, who: desk.read(who, ReadRequest(id="plan.md")),
    "KnowledgeService.sources": lambda desk, who: desk.sources(who),
    "KnowledgeService.verify": lambda desk, who: desk.verify(who, VerifyRequest(citations=(QUOTED,))),
    "KnowledgeService.ready": lambda desk, who: desk.ready(who),
    "DocumentService.list": lambda desk, who: desk.list(who, ListRequest()),
    "DocumentService.read": lambda desk, who: desk.read(who, "plan.md"),
    "DocumentService.create": lambda desk, who: desk.create(who, DRAFT),
    "DocumentService.update": lambda desk, who: desk.update(who, "spare.md", DRAFT),
    "DocumentService.delete": lambda desk, who: desk.delete(who, "draft.md"),
    "KnowledgeService.sync": lambda desk, who: desk.sync(who, SyncRequest(), lambda _: None),
    "KnowledgeService.refused": lambda desk, who: desk.refused(who, Forbidden("No.")),
    "AccessService.explain": lambda desk, who: desk.explain(who, "ada", "plan.md"),
    "AccessService.who": lambda desk, who: desk.who(who, "plan.md"),
    "AccessService.pin": lambda desk, who: desk.pin(who, "spare.md", groups=["board"], users=[]),
    "AccessService.release": lambda desk, who: desk.release(who, "spare.md"),
    "AuditService.check": lambda desk, who: desk.check(who),
    "AuditService.sightings": lambda desk, who: desk.sightings(who, "plan.md"),
    "AuditService.events": lambda desk, who: desk.events(who, "bo"),
    "AuditService.erase": lambda desk, who: desk.erase(who, "nobody"),
    "TokenService.create": lambda desk, who: desk.create(who, "eve"),
    "TokenService.list": lambda desk, who: desk.list(who),
    "TokenService.revoke": lambda desk, who: desk.revoke(who, user="spare"),
}
ARGUMENTS: dict[str, dict[str, str]] = {
    "search": {"query": "zephyr"},
    "read": {"id": "plan.md"},
    "ask": {"question": "When is the zephyr merger?"},
    "sources": {},
}
DECLARED = [
    Tool(name=f"{name}_docs", kind=kind, description="Documents.", collections=("docs",))
    for name, kind in (("find", "search"), ("open", "read"), ("ask", "ask"), ("count", "sources"))
]
OFFERED = [*default_tools(), *DECLARED]
"""The tools that citewell comes with, and one of each kind as a configuration declares it."""

DESKS: dict[type, Callable[[Any], Any]] = {
    KnowledgeService: build_service,
    DocumentService: lambda config: build_service(config).documents,
    AccessService: build_access,
    AuditService: build_audit_desk,
    TokenService: build_tokens,
}
STATUSES = {200: "ok", 401: "refused", 403: "denied", 404: "hidden"}
FAILURES = {"DOCUMENT_NOT_FOUND": "hidden", "FORBIDDEN": "denied"}


@pytest.fixture(scope="module")
async def household(tmp_path_factory: pytest.TempPathFactory) -> Household:
    return await furnish(tmp_path_factory.mktemp("household"))


def cells(table: dict[str, str]) -> list[tuple[str, str, str]]:
    return [
        (action, caller, expected)
        for action, row in table.items()
        for caller, expected in zip(CALLERS, row.split(), strict=True)
    ]


def public_methods(service: type) -> dict[str, Any]:
    return {
        f"{service.__name__}.{name}": method
        for name, method in inspect.getmembers(service, inspect.isfunction)
        if not name.startswith("_")
    }


def routes_of(app: Any) -> Iterator[str]:
    """Yield the paths of every route, of applications within the application, too."""
    yield from (route.path for route in getattr(app, "routes", ()))
    for within in ("router", "default", "_app", "protocol", "elsewhere"):
        if hasattr(app, within):
            yield from routes_of(getattr(app, within))


def test_every_method_of_a_service_but_its_end_takes_a_principal_first_and_is_in_the_table() -> None:
    methods = {name: method for service in DESKS for name, method in public_methods(service).items()}
    asked = {name for name, method in methods.items() if list(inspect.signature(method).parameters)[1:2] == ["principal"]}
    assert methods.keys() - asked == {f"{service.__name__}.close" for service in DESKS}
    assert asked == SERVICES.keys()
    assert asked == CALLS.keys()


@asynccontextmanager
async def serving(household: Household) -> AsyncIterator[Any]:
    async def build() -> KnowledgeService:
        return build_service(household.config)

    app = http_app(build, household.callers(), OFFERED, INFO, HERE)
    async with app.router.lifespan_context(app):
        yield app


async def test_every_tool_that_agents_are_offered_is_in_the_table(household: Household) -> None:
    async with serving(household) as app:
        reply = await call(app, household.header("other group"), "tools/list", {})
    assert {tool["name"] for tool in reply.json["result"]["tools"]} == TOOLS.keys()


async def test_every_route_of_the_server_is_in_the_table(household: Household) -> None:
    async with application(build_service(household.config), household.callers()) as app:
        assert set(routes_of(app)) == ROUTES.keys()


@pytest.mark.parametrize(("action", "caller", "expected"), cells(SERVICES))
async def test_a_method_does_for_a_caller_what_the_table_says(
    household: Household, action: str, caller: str, expected: str
) -> None:
    async def attempt() -> Any:
        who = await household.principal(caller)
        return await CALLS[action](desk, who)

    (build,) = (build for service, build in DESKS.items() if action.startswith(service.__name__))
    desk = build(household.config)
    try:
        assert await outcome(attempt()) == expected
    finally:
        await desk.close()


@pytest.mark.parametrize(("tool", "caller", "expected"), cells(TOOLS))
async def test_a_tool_does_for_a_caller_what_the_table_says(
    household: Household, tool: str, caller: str, expected: str
) -> None:
    kind = next(offered.kind for offered in OFFERED if offered.name == tool)
    async with serving(household) as app:
        request = {"name": tool, "arguments": ARGUMENTS[kind]}
        reply = await call(app, household.header(caller), "tools/call", request)
    assert (told(reply.json["result"]) if reply.status == 200 else STATUSES[reply.status]) == expected


def told(result: dict[str, Any]) -> str:
    """Return what a tool's result comes to: an error is told by its code, and a list without the document hides it."""
    if result.get("isError"):
        return FAILURES[result["content"][0]["text"].partition(":")[0]]
    shown = result["structuredContent"]
    assert json.loads(result["content"][0]["text"]) == shown
    return "ok" if any(word in json.dumps(shown) for word in ("plan.md", "handbook")) else "hidden"


@pytest.mark.parametrize(("route", "caller", "expected"), cells(ROUTES))
async def test_a_route_does_for_a_caller_what_the_table_says(
    household: Household, route: str, caller: str, expected: str
) -> None:
    shown = household.header(caller)
    async with application(build_service(household.config), household.callers()) as app:
        if route == "/mcp":
            reply = await call(app, shown, "tools/list", {})
        else:
            reply = await send(app, route.replace("{id:text}", "plan.md"), [HOST, *shown])
    assert STATUSES[reply.status] == expected


async def test_where_nobody_may_be_anonymous_who_shows_nothing_is_refused(household: Household, tmp_path: Path) -> None:
    callers = household.callers()
    closed = type(callers)(authenticator=callers.authenticator, unnamed=None)
    async with application(build_service(household.config), closed) as app:
        replies = [await send(app, path, [HOST]) for path in ("/documents/plan.md", "/mcp", "/nowhere")]
    assert [reply.status for reply in replies] == [401, 401, 401]
