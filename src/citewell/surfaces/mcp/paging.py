"""Results kept short enough for an agent to receive them whole, with the place where the rest begins."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, takewhile
from typing import TYPE_CHECKING, Any, Final

from citewell.core.requests import DocumentView, Hit, ReadRequest, SearchRequest, SearchResult
from citewell.surfaces.payloads import Payload, document_payload, sources_payload

if TYPE_CHECKING:
    from citewell.core.access import Principal
    from citewell.service import KnowledgeService

MAX_RESULT_CHARACTERS: Final = 45_000
"""Characters of a result's JSON text. Agents replace results of 50,000 and more by a file they may never open."""

Rendering = Callable[[SearchResult], Payload]
"""Gives the passages found one of the forms of results."""

_ROOM_FOR_PLACE: Final = 500
"""Characters left for a cursor, line numbers and an address that change with the length of the result."""


def compact_json(payload: Any) -> str:
    """Return ``payload`` as JSON without a superfluous character; what is not Unicode text becomes ``?``."""
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace").decode("utf-8")


async def search_page(
    service: KnowledgeService, principal: Principal, request: SearchRequest, rendering: Rendering, *, continued: bool
) -> tuple[Payload, SearchResult]:
    """Return as many of the passages asked for as fit, and what they were made of. One passage always comes.

    Where results are ``continued``, ``cursor`` goes on exactly after the last. Else, and where the one passage had to be
    cut, ``truncated`` says that there is more.
    """
    first = result = await service.search(principal, request)
    while len(result.hits) > 1 and not _fits(rendering(result)):
        result = await service.search(principal, replace(request, k=_count_hits(result, rendering)))
    shown = result if continued else replace(result, cursor=None)
    payload = rendering(shown)
    cut = not _fits(payload)
    if cut:
        payload = rendering(replace(shown, hits=(_cut_hit(shown, rendering),)))
    missing = not continued and len(result.hits) < len(first.hits)
    return payload | ({"truncated": True} if cut or missing else {}), result


async def read_page(service: KnowledgeService, principal: Principal, request: ReadRequest) -> Payload:
    """Return as many of the lines asked for as fit; ``next_start_line`` continues after the last.

    A single line that is too long is cut, and ``metadata.truncated`` says so.
    """
    view = await service.read(principal, request)
    payload = document_payload(view)
    if _fits(payload):
        return payload
    room = _room(payload | {"text": ""})
    last = view.lines.start + max(_count_lines(view, room), 1) - 1
    shorter = await service.read(principal, ReadRequest(id=request.id, start_line=view.lines.start, end_line=last))
    following = last + 1 if last < view.lines.end else view.next_start_line
    payload = document_payload(replace(shorter, next_start_line=following))
    return payload if _fits(payload) else _cut_line(payload, room)


async def sources_page(service: KnowledgeService, principal: Principal, collections: Sequence[str]) -> Payload:
    """Return the sources in ``collections`` (all where there are none named); ``truncated`` says that not all fit."""
    infos = [info for info in await service.sources(principal) if not collections or info.collection in collections]
    payload = sources_payload(infos)
    if _fits(payload):
        return payload
    return {"sources": payload["sources"][: _count_fitting(payload, "sources")], "truncated": True}


def _fits(payload: Payload) -> bool:
    return len(compact_json(payload)) <= MAX_RESULT_CHARACTERS


def _room(frame: Payload) -> int:
    return MAX_RESULT_CHARACTERS - _ROOM_FOR_PLACE - len(compact_json(frame))


def _count_fitting(payload: Payload, key: str) -> int:
    return max(_count_within((len(compact_json(item)) + 1 for item in payload[key]), _room(payload | {key: []})), 1)


def _count_hits(result: SearchResult, rendering: Rendering) -> int:
    """Return how many of the passages found fit, of all but the last; no fewer than one."""

    def size(count: int) -> int:
        return len(compact_json(rendering(replace(result, hits=result.hits[:count]))))

    counts = range(1, len(result.hits))
    return max(bisect_right(counts, MAX_RESULT_CHARACTERS - _ROOM_FOR_PLACE, key=size), 1)


def _cut_hit(result: SearchResult, rendering: Rendering) -> Hit:
    """Return the only passage found with as much of its text as fits."""
    (hit,) = result.hits
    kept = _count_characters(hit.stored.chunk.text, _room(rendering(replace(result, hits=(_shortened(hit, 0),)))))
    return _shortened(hit, kept)


def _shortened(hit: Hit, kept: int) -> Hit:
    chunk = replace(hit.stored.chunk, text=hit.stored.chunk.text[:kept])
    return replace(hit, stored=replace(hit.stored, chunk=chunk), snippet=hit.snippet[:kept])


def _count_lines(view: DocumentView, room: int) -> int:
    return _count_within((len(compact_json(line)) for line in view.text.split("\n")), room)


def _count_within(sizes: Iterable[int], room: int) -> int:
    """Return how many of ``sizes``, from the first on, add up to no more than ``room``."""
    totals = accumulate(sizes)
    return sum(1 for _ in takewhile(lambda total: total <= room, totals))


def _cut_line(payload: Payload, room: int) -> Payload:
    text: str = payload["text"]
    return payload | {"text": text[: _count_characters(text, room)], "metadata": {**payload["metadata"], "truncated": "true"}}


def _count_characters(text: str, room: int) -> int:
    return _count_within((len(compact_json(character)) - 2 for character in text), room)
