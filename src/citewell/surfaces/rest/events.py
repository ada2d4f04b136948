"""Server-sent events: texts that arrive character by character, and what stands around them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from typing import Any, Final

from starlette.responses import StreamingResponse

from citewell.core.errors import CitewellError
from citewell.surfaces.mcp.paging import compact_json

DONE: Final = "[DONE]"
_HEADERS: Final = {"X-Content-Type-Options": "nosniff", "X-Accel-Buffering": "no"}


def event(data: str, name: str = "") -> str:
    """Return one event. Each line of ``data`` stands on a line of its own, as the format wants it."""
    lines = data.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    head = f"event: {name}\n" if name else ""
    return head + "".join(f"data: {line}\n" for line in lines) + "\n"


def characters(text: str) -> Iterable[str]:
    """Yield one event for each character of ``text``, then the one that ends the stream."""
    yield from (event(character) for character in text)
    yield event(DONE)


def named(name: str, payload: Any) -> str:
    """Return an event called ``name`` whose data is JSON."""
    return event(compact_json(payload), name)


class EventStream(StreamingResponse):
    """An answer of server-sent events."""

    media_type = "text/event-stream"


def stream(events: AsyncIterator[str]) -> EventStream:
    """Return ``events`` as a stream. What fails after it has begun is told in an event called ``error``."""
    return EventStream(_encoded(events), headers=_HEADERS)


async def _encoded(events: AsyncIterator[str]) -> AsyncIterator[bytes]:
    try:
        async for one in events:
            yield one.encode("utf-8", "replace")
    except CitewellError as error:
        yield named("error", {"code": error.code, "detail": error.message}).encode()


async def one_by_one(events: Iterable[str]) -> AsyncIterator[str]:
    """Yield ``events`` in turn."""
    for one in events:
        yield one
