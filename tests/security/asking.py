"""What the service and MCP tell whoever asks, word for word; only the time of the last sync is taken out."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import asdict, replace
from typing import Any

import anyio
from agents import connect
from comparison import Surface, Telling, overheard
from mcp.types import CallToolResult
from scenes import Key, Question, Scene
from worlds import World, Wrap, world

from citewell.core.access import Principal
from citewell.core.errors import CitewellError
from citewell.core.ports import Embedder
from citewell.core.requests import AskRequest, Filters, ReadRequest, SearchRequest
from citewell.service import KnowledgeService
from citewell.surfaces.mcp.server import ServerInfo

INFO = ServerInfo(version="0.0.0", collections=("code", "docs"))


def through_service(*, embedder: Embedder | None = None, wrap: Wrap = lambda store: store) -> Surface:
    """Ask the service itself."""

    async def ask(scene: Scene, made: World) -> list[str]:
        principal = scene.principal("test")
        return [told for question in scene.questions for told in await _ask_service(made.service, principal, question)]

    return _surface(ask, embedder, wrap)


def through_mcp(*, wrap: Wrap = lambda store: store) -> Surface:
    """Ask as an agent does, by a client session of the official SDK."""

    async def ask(scene: Scene, made: World) -> list[str]:
        async with connect(made.service, principal=scene.principal("mcp-stdio"), info=INFO) as client:
            told = [(await client.list_tools()).model_dump_json()]
            for question in scene.questions:
                told += await _ask_agent(client, question)
        return told

    return _surface(ask, None, wrap)


def _surface(ask: Any, embedder: Embedder | None, wrap: Wrap) -> Surface:
    async def tell(scene: Scene, present: frozenset[Key]) -> Telling:
        with overheard() as lines:
            async with world(scene, present, embedder=embedder, wrap=wrap) as made:
                told = await ask(scene, made)
        return Telling(told, [*lines, *map(repr, made.audit.events)])

    return lambda scene, present: anyio.run(tell, scene, present)


async def _ask_service(service: KnowledgeService, principal: Principal, question: Question) -> Sequence[str]:
    match question:
        case SearchRequest():
            return await _search_to_the_end(service, principal, question)
        case AskRequest():
            return [await _told(service.ask(principal, question))]
        case ReadRequest():
            return [await _told(service.read(principal, question))]
        case _:
            return [repr([replace(info, last_sync="") for info in await service.sources(principal)])]


async def _search_to_the_end(service: KnowledgeService, principal: Principal, request: SearchRequest) -> list[str]:
    pages: list[str] = []
    while True:
        try:
            result = await service.search(principal, request)
        except CitewellError as error:
            return [*pages, _refusal(error)]
        pages.append(repr(result))
        if result.cursor is None:
            return pages
        request = replace(request, cursor=result.cursor)


async def _told(call: Awaitable[object]) -> str:
    try:
        return repr(await call)
    except CitewellError as error:
        return _refusal(error)


def _refusal(error: CitewellError) -> str:
    return f"{type(error).__name__} {error.code} {error.exit_status} {error.message}"


async def _ask_agent(client: Any, question: Question) -> list[str]:
    tool, arguments = tool_call(question)
    pages: list[str] = []
    while True:
        result: CallToolResult = await client.call_tool(tool, arguments)
        pages.append(_without_times(result))
        cursor = (result.structured_content or {}).get("cursor")
        if cursor is None:
            return pages
        arguments = {**arguments, "cursor": cursor}


def _without_times(result: CallToolResult) -> str:
    """Return both channels of the result as JSON."""
    told = result.model_dump_json()
    for source in (result.structured_content or {}).get("sources", ()):
        told = told.replace(source["last_sync"], "")
    return told


def tool_call(question: Question) -> tuple[str, dict[str, Any]]:
    """Return the tool and the arguments that put ``question`` to an agent's server."""
    match question:
        case SearchRequest():
            given = {"query": question.query, "k": question.k, "mode": question.mode, "cursor": question.cursor}
            return "search", given | _narrowed(question.filters)
        case AskRequest():
            return "ask", {"question": question.question} | _collection(question.filters)
        case ReadRequest():
            return "fetch", asdict(question)
        case _:
            return "list_sources", {}


def _collection(filters: Filters) -> dict[str, Any]:
    return {"collection": filters.collections[0]} if filters.collections else {}


def _narrowed(filters: Filters) -> dict[str, Any]:
    fields = {
        "source": filters.sources,
        "path": filters.paths,
        "language": filters.languages,
        "kind": filters.kinds,
        "version": filters.versions,
    }
    narrowed = {name: list(values) for name, values in fields.items() if values}
    return _collection(filters) | ({"filters": narrowed} if narrowed else {})
