"""Every action put into practice: by whom it is wanted, on the premises, through the real thing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import premises
from guests import HOST, Reply, call, send
from starlette.applications import Starlette

from citewell import wiring
from citewell.config import Config
from citewell.core.access import Principal
from citewell.core.errors import Forbidden
from citewell.core.requests import AskRequest, ReadRequest, SearchRequest, SyncRequest
from citewell.service import KnowledgeService
from citewell.service.access import AccessService
from citewell.service.audit import AuditService
from citewell.service.tokens import TokenService

QUESTION = "When is the merger planned?"
SEARCH, ASK, READ = {"query": QUESTION}, {"question": QUESTION}, {"id": premises.HIDDEN}
TOOLS: dict[str, dict[str, Any]] = {
    "search": SEARCH,
    "fetch": READ,
    "ask": ASK,
    "list_sources": {},
    "find_minutes": SEARCH,
    "open_minutes": READ,
    "ask_minutes": ASK,
    "count_minutes": {},
}
METADATA = "/.well-known/oauth-protected-resource"
ROUTES = {
    "/healthz": "/healthz",
    METADATA: METADATA,
    f"{METADATA}/mcp": f"{METADATA}/mcp",
    "/documents/{id:text}": f"/documents/{premises.HIDDEN}",
    "/mcp": "/mcp",
}
SERVICES: dict[type, Callable[[Config], Any]] = {
    KnowledgeService: wiring.build_service,
    AccessService: wiring.build_access,
    AuditService: wiring.build_audit_desk,
    TokenService: wiring.build_tokens,
}
CALLS: dict[str, Callable[[Any, Principal], Awaitable[Any]]] = {
    "KnowledgeService.search": lambda desk, who: desk.search(who, SearchRequest(query=QUESTION)),
    "KnowledgeService.ask": lambda desk, who: desk.ask(who, AskRequest(question=QUESTION)),
    "KnowledgeService.read": lambda desk, who: desk.read(who, ReadRequest(id=premises.HIDDEN)),
    "KnowledgeService.sources": lambda desk, who: desk.sources(who),
    "KnowledgeService.sync": lambda desk, who: desk.sync(who, SyncRequest(), lambda _: None),
    "KnowledgeService.refused": lambda desk, who: desk.refused(who, Forbidden("No.")),
    "AccessService.explain": lambda desk, who: desk.explain(who, "bo", premises.HIDDEN),
    "AccessService.who": lambda desk, who: desk.who(who, premises.HIDDEN),
    "AccessService.pin": lambda desk, who: desk.pin(who, premises.HIDDEN, groups=["board"], users=[]),
    "AccessService.release": lambda desk, who: desk.release(who, premises.HIDDEN),
    "AuditService.check": lambda desk, who: desk.check(who),
    "AuditService.sightings": lambda desk, who: desk.sightings(who, premises.HIDDEN),
    "AuditService.events": lambda desk, who: desk.events(who, "root"),
    "AuditService.erase": lambda desk, who: desk.erase(who, "nobody"),
    "TokenService.create": lambda desk, who: desk.create(who, "zoe"),
    "TokenService.list": lambda desk, who: desk.list(who),
    "TokenService.revoke": lambda desk, who: desk.revoke(who, user="gone"),
}
REFUSALS = {HTTPStatus.UNAUTHORIZED: "401", HTTPStatus.FORBIDDEN: "forbidden", HTTPStatus.NOT_FOUND: "absent"}


@dataclass(frozen=True)
class Visit:
    """The premises, with the application that serves them and everybody's tokens."""

    config: Config
    app: Starlette
    tokens: dict[str, str]

    def headers(self, who: str) -> list[tuple[str, str]]:
        """Return what ``who`` shows."""
        return [("Authorization", f"Bearer {self.tokens[who]}")] if who in self.tokens else []

    async def tool_names(self) -> list[str]:
        """Return the tools that the server offers."""
        reply = await call(self.app, self.headers("ada"), "tools/list", {})
        return [tool["name"] for tool in reply.json["result"]["tools"]]


async def ask_tool(visit: Visit, name: str, who: str) -> str:
    """Say what ``who`` gets from the tool ``name``, by the protocol over HTTP."""
    reply = await call(visit.app, visit.headers(who), "tools/call", {"name": name, "arguments": TOOLS[name]})
    if reply.status != HTTPStatus.OK:
        return _refusal(reply)
    result = reply.json["result"]
    text = str(result["content"])
    return ("absent" if "DOCUMENT_NOT_FOUND" in text else text) if result.get("isError") else premises.told(text)


async def ask_route(visit: Visit, path: str, who: str) -> str:
    """Say what ``who`` gets at ``path``; for MCP, when he asks for the list of tools."""
    if path == "/mcp":
        reply = await call(visit.app, visit.headers(who), "tools/list", {})
    else:
        reply = await send(visit.app, ROUTES[path], [HOST, *visit.headers(who)])
    return premises.told(reply.body.decode().replace("_minutes", "")) if reply.status == HTTPStatus.OK else _refusal(reply)


async def ask_service(visit: Visit, name: str, who: str) -> str:
    """Say what ``who`` gets from the method ``name`` of a service. What only administrators may do shows nothing hidden."""
    build = next(build for service, build in SERVICES.items() if name.startswith(service.__name__))

    async def ask() -> Any:
        principal = await premises.principal(visit.config, who, visit.tokens)
        async with premises.opened(build(visit.config)) as desk:
            return await CALLS[name](desk, principal)

    word = await premises.outcome(ask)
    return "ok" if word == "empty" and who == "root" and _is_administration(name) else word


def _is_administration(name: str) -> bool:
    return name == "KnowledgeService.sync" or not name.startswith("KnowledgeService")


def _refusal(reply: Reply) -> str:
    return REFUSALS.get(HTTPStatus(reply.status), str(reply.status))
