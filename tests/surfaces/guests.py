"""People with tokens, and an application that serves them, spoken to without a network: every header as it is written."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import unquote

import anyio
from starlette.applications import Starlette
from stdio_server import INFO

from citewell.config.place import Place
from citewell.core.access import AccessPolicy, Principal
from citewell.core.errors import Unauthenticated
from citewell.service import KnowledgeService
from citewell.surfaces.auth.callers import Callers
from citewell.surfaces.mcp.http import http_app

HERE = Place(host="127.0.0.1", port=8080)
HOST = ("Host", "127.0.0.1:8080")
POLICY = AccessPolicy(users={"ada": ("everyone",), "bo": ("everyone", "board"), "eve": ("everyone",)})
BODY = {"jsonrpc": "2.0", "id": 1}
MODERN = "2026-07-28"
HEADERS = [HOST, ("Accept", "application/json, text/event-stream"), ("Content-Type", "application/json")]
RawHeaders = Sequence[tuple[str, str]]


class Badges:
    """An authenticator by a list of tokens, which may be changed at any time."""

    def __init__(self, policy: AccessPolicy = POLICY) -> None:
        self.policy = policy
        self.holders = {"ada-token": "ada", "bo-token": "bo", "eve-token": "eve"}

    async def authenticate(self, credential: str, *, via: str) -> Principal:
        if credential not in self.holders:
            raise Unauthenticated(detail="not on the list")
        user = self.holders[credential]
        return self.policy.principal(user, via=via, scopes=frozenset({"write"} if user == "eve" else {"read"}))

    def callers(self, *, anonymous: bool = False) -> Callers:
        unnamed = (lambda: self.policy.anonymous(via="mcp-http")) if anonymous else None
        return Callers(authenticator=self, unnamed=unnamed)


@dataclass(frozen=True)
class Reply:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def bearer(name: str) -> tuple[str, str]:
    return ("Authorization", f"Bearer {name}-token")


@asynccontextmanager
async def application(
    knowledge: KnowledgeService, callers: Callers, place: Place = HERE, **settings: Any
) -> AsyncIterator[Starlette]:
    async def lend() -> KnowledgeService:
        return knowledge

    app = http_app(lend, callers, (), INFO, place, **settings)
    async with app.router.lifespan_context(app):
        yield app


async def send(app: Starlette, target: str, headers: RawHeaders, *, method: str = "GET", body: bytes = b"") -> Reply:
    """Send one request as it is written: nothing is put in order, added or left out."""
    path, _, query = target.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in headers],
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 8080),
    }
    parts: Iterator[Any] = iter([{"type": "http.request", "body": body, "more_body": False}])
    heard: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        part = next(parts, None)
        if part is None:
            await anyio.sleep_forever()
        return part

    async def hear(message: Any) -> None:
        heard.append(message)

    await app(scope, receive, hear)
    begin = heard[0]
    rest = b"".join(message.get("body", b"") for message in heard[1:])
    return Reply(begin["status"], {name.decode(): value.decode() for name, value in begin["headers"]}, rest)


async def call(app: Starlette, headers: RawHeaders, method: str, params: dict[str, Any], **changes: str) -> Reply:
    """Send one message of the 2026 protocol; ``changes`` replace headers that mirror the message."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "0"},
    }
    mirrored = {"MCP-Protocol-Version": MODERN, "Mcp-Method": method}
    if "name" in params:
        mirrored["Mcp-Name"] = params["name"]
    mirrored |= {name.replace("_", "-"): value for name, value in changes.items()}
    body = json.dumps(BODY | {"method": method, "params": params | {"_meta": meta}}).encode()
    return await send(app, "/mcp", [*HEADERS, *headers, *mirrored.items()], method="POST", body=body)


async def use(app: Starlette, who: str, tool: str, **arguments: Any) -> Any:
    """Return what ``tool`` says to ``who``: its structured result, or its error."""
    reply = await call(app, [bearer(who)], "tools/call", {"name": tool, "arguments": arguments})
    result = reply.json["result"]
    return result["content"][0]["text"] if result.get("isError") else result["structuredContent"]


def without(policy: AccessPolicy, user: str) -> AccessPolicy:
    return replace(policy, users={name: groups for name, groups in policy.users.items() if name != user})
