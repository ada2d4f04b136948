"""What REST tells whoever asks: statuses, headers and bodies, byte for byte; only the time of the last sync is taken out."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import quote, urlencode

import anyio
from asking import tool_call
from comparison import Surface, Telling, overheard
from guests import HOST, Reply, application, send
from scenes import Key, Question, Scene
from worlds import Wrap, world

from citewell.core.requests import AskRequest, ReadRequest, SearchRequest
from citewell.surfaces.auth.callers import Callers
from citewell.surfaces.rest.site import rest_site

SITE = rest_site(version="0", k=8)
JSON = ("Content-Type", "application/json")
PAGES = 50
TIME = re.compile(rb'"last_sync":"[^"]*"')
SAID = "The default timeout"


def through_rest(*, wrap: Wrap = lambda store: store, threshold: float | None = None) -> Surface:
    """Ask as a program does, at every door that REST has for readers."""

    async def tell(scene: Scene, present: frozenset[Key]) -> Telling:
        with overheard() as lines:
            async with world(scene, present, wrap=wrap, threshold=threshold) as made:
                callers = Callers(authenticator=None, unnamed=lambda: scene.principal("rest"))
                async with application(made.service, callers, site=SITE) as app:
                    told = [_written(reply) for question in scene.questions async for reply in _ask(app, question)]
        return Telling(told, [*lines, *map(repr, made.audit.events)])

    return lambda scene, present: anyio.run(tell, scene, present)


def _written(reply: Reply) -> str:
    headers = {name: value for name, value in reply.headers.items() if name != "content-length"}
    return f"{reply.status} {headers} {TIME.sub(b'', reply.body)!r}"


async def _ask(app: Any, question: Question) -> AsyncIterator[Reply]:
    match question:
        case SearchRequest():
            async for reply in _search(app, question):
                yield reply
        case AskRequest():
            body = tool_call(question)[1]
            for path in ("/ask", "/v1/ask/stream"):
                yield await _post(app, path, body)
            yield await _get(app, "/search/stream", q=question.question, answer="true")
        case ReadRequest():
            async for reply in _read(app, question):
                yield reply
        case _:
            yield await _get(app, "/sources")
            async for reply in _list(app):
                yield reply


async def _search(app: Any, question: SearchRequest) -> AsyncIterator[Reply]:
    """Ask for the list to its end, and for the stream."""
    body = {name: value for name, value in tool_call(question)[1].items() if value is not None}
    yield await _get(app, "/search/stream", q=question.query, top_k=question.k)
    while True:
        reply = await _post(app, "/search", body)
        yield reply
        cursor = reply.json.get("cursor")
        if not cursor:
            return
        body["cursor"] = cursor


async def _read(app: Any, question: ReadRequest) -> AsyncIterator[Reply]:
    path = f"/documents/{quote(question.id)}"
    lines = {"start_line": question.start_line} | ({"end_line": question.end_line} if question.end_line else {})
    yield await _get(app, path)
    yield await _get(app, path, **lines)
    yield await _get(app, f"/v1{path}", accept="text/plain", **lines)
    named = [{name: question.id, "quote": SAID} for name in ("passage", "path", "id")]
    yield await _post(app, "/citations/verify", {"citations": named, "answer": "So it is. [c1]"})


async def _list(app: Any) -> AsyncIterator[Reply]:
    """Ask for pages of documents until there is none left, of all collections and of one."""
    for narrowed in ({}, {"collection": "docs"}):
        for page in range(1, PAGES):
            reply = await _get(app, "/documents", page=page, size=3, **narrowed)
            yield reply
            if not reply.json["items"]:
                break


async def _get(app: Any, path: str, accept: str = "application/json", **query: object) -> Reply:
    return await send(app, f"{path}?{urlencode(query)}", [HOST, ("Accept", accept)])


async def _post(app: Any, path: str, body: dict[str, Any]) -> Reply:
    return await send(app, path, [HOST, JSON], method="POST", body=json.dumps(body).encode())
