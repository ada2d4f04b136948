"""ACTION by PRINCIPAL: what everybody gets from every tool, route, service method and command. None may be missing."""

from __future__ import annotations

import inspect
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import premises
import pytest
from actions import ROUTES, SERVICES, TOOLS, Visit, ask_route, ask_service, ask_tool
from commands import KEYS
from guests import HERE
from premises import PEOPLE
from starlette.routing import Route

from citewell import wiring
from citewell.config import Config
from citewell.core.requests import SyncRequest
from citewell.core.tools import Tool
from citewell.surfaces.auth.callers import Callers
from citewell.surfaces.mcp.declarations import default_tools
from citewell.surfaces.mcp.http import http_app
from citewell.surfaces.mcp.server import ServerInfo

pytestmark = pytest.mark.anyio

TABLE = """
action                        anonymous  other      same       revoked  expired  service    admin

tool search                   empty      empty      ok         401      401      ok         empty
tool fetch                    absent     absent     ok         401      401      ok         absent
tool ask                      empty      empty      ok         401      401      ok         empty
tool list_sources             empty      empty      ok         401      401      ok         empty
tool find_minutes             empty      empty      ok         401      401      ok         empty
tool open_minutes             absent     absent     ok         401      401      ok         absent
tool ask_minutes              empty      empty      ok         401      401      ok         empty
tool count_minutes            empty      empty      ok         401      401      ok         empty

route /healthz                empty      empty      empty      empty    empty    empty      empty
route /.well-known/oauth-protected-resource      empty empty empty empty empty empty empty
route /.well-known/oauth-protected-resource/mcp  empty empty empty empty empty empty empty
route /documents/{id:text}    absent     absent     ok         401      401      ok         absent
route /mcp                    empty      empty      empty      401      401      empty      empty

KnowledgeService.search       empty      empty      ok         401      401      ok         empty
KnowledgeService.ask          empty      empty      ok         401      401      ok         empty
KnowledgeService.read         absent     absent     ok         401      401      ok         absent
KnowledgeService.sources      empty      empty      ok         401      401      ok         empty
KnowledgeService.sync         forbidden  forbidden  forbidden  401      401      forbidden  ok
KnowledgeService.refused      empty      empty      empty      401      401      empty      empty
AccessService.explain         forbidden  forbidden  forbidden  401      401      forbidden  ok
AccessService.who             forbidden  forbidden  forbidden  401      401      forbidden  ok
AccessService.pin             forbidden  forbidden  forbidden  401      401      forbidden  ok
AccessService.release         forbidden  forbidden  forbidden  401      401      forbidden  ok
AuditService.check            forbidden  forbidden  forbidden  401      401      forbidden  ok
AuditService.sightings        forbidden  forbidden  forbidden  401      401      forbidden  ok
AuditService.events           forbidden  forbidden  forbidden  401      401      forbidden  ok
AuditService.erase            forbidden  forbidden  forbidden  401      401      forbidden  ok
TokenService.create           forbidden  forbidden  forbidden  401      401      forbidden  ok
TokenService.list             forbidden  forbidden  forbidden  401      401      forbidden  ok
TokenService.revoke           forbidden  forbidden  forbidden  401      401      forbidden  ok
"""
ROWS = {
    " ".join(words[: -len(PEOPLE)]): dict(zip(PEOPLE, words[-len(PEOPLE) :], strict=True))
    for words in (line.split() for line in TABLE.strip().splitlines()[1:] if line)
}
DECLARED = [
    Tool(name=f"{name}_minutes", kind=kind, description="Minutes.", collections=("minutes",))
    for name, kind in (("find", "search"), ("open", "read"), ("ask", "ask"), ("count", "sources"))
]
CELLS = [(action, who) for action in ROWS for who in PEOPLE]


@pytest.fixture(scope="module")
def environment() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("CITEWELL_")]:
            patch.delenv(name)
        for name, key in KEYS.items():
            patch.setenv(name, key)
        yield


@pytest.fixture(scope="module")
async def visit(environment: None, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Visit]:
    config = premises.found(tmp_path_factory.mktemp("premises"))
    async with premises.opened(wiring.build_service(config)) as service:
        await service.sync(premises.local_user(config), SyncRequest(), lambda _: None)
    app = application(config)
    async with app.router.lifespan_context(app):
        yield Visit(config, app, premises.issue_tokens(config))


def application(config: Config) -> Any:
    async def build() -> Any:
        return wiring.build_service(config)

    policy = wiring.build_policy(config)
    callers = Callers(
        authenticator=wiring.build_authenticator(config, policy), unnamed=lambda: policy().anonymous(via="mcp-http")
    )
    return http_app(build, callers, [*default_tools(), *DECLARED], ServerInfo(), HERE)


@pytest.mark.parametrize(("action", "who"), CELLS, ids=[f"{action} by {who}" for action, who in CELLS])
async def test_everybody_gets_from_every_action_what_the_table_says(visit: Visit, action: str, who: str) -> None:
    kind, _, name = action.partition(" ")
    ask: Callable[[Visit, str, str], Awaitable[str]] = {"tool": ask_tool, "route": ask_route}.get(kind, ask_service)
    assert await ask(visit, name or action, who) == ROWS[action][who]


async def test_every_tool_that_a_server_offers_has_a_row(visit: Visit) -> None:
    offered = {f"tool {name}" for name in await visit.tool_names()}
    assert offered == {action for action in ROWS if action.startswith("tool ")} == {f"tool {name}" for name in TOOLS}


def test_every_route_of_the_application_has_a_row(environment: None, tmp_path: Path) -> None:
    served = {f"route {path}" for path in paths(application(premises.found(tmp_path)))}
    assert served == {action for action in ROWS if action.startswith("route ")} == {f"route {path}" for path in ROUTES}


def test_every_public_method_of_every_service_has_a_row() -> None:
    methods = {f"{service.__name__}.{name}" for service in SERVICES for name in acting_methods(service)}
    assert methods == {action for action in ROWS if "Service." in action}


def acting_methods(service: type) -> Iterator[str]:
    """Yield what a service does for somebody. All it does but closing is done for somebody."""
    for name, method in inspect.getmembers(service, inspect.isfunction):
        if not name.startswith("_") and name != "close":
            assert list(inspect.signature(method).parameters)[1] == "principal", name
            yield name


def paths(part: Any) -> Iterator[str]:
    """Yield the path of every route below ``part``, through every gate."""
    for route in getattr(part, "routes", ()):
        assert isinstance(route, Route)
        yield route.path
    inner = getattr(part, "_app", None) or getattr(getattr(part, "router", part), "default", None)
    if inner is not None and not inspect.ismethod(inner):
        yield from paths(inner)
