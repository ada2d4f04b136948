"""How much may be sent."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from citewell.surfaces.auth.problems import problem_document
from citewell.surfaces.rest.failures import CODES, HEADERS

MAX_BODY_BYTES: Final = 16_000_000
"""A text of the largest size that is indexed takes up to three times as much in JSON."""

_TOO_LARGE: Final = HTTPStatus(413)


class BodyLimit:
    """Refuses bodies that are too large, by what their head says and by what then comes."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 413, or let the request through."""
        if scope["type"] == "http" and _announced(scope) > MAX_BODY_BYTES:
            refusal = problem_document(_TOO_LARGE, CODES[413], f"At most {MAX_BODY_BYTES:,} bytes are taken.", HEADERS)
            await refusal(scope, receive, send)
        else:
            await self._app(scope, _counted(receive), send)


def _announced(scope: Scope) -> int:
    lengths = [value[:20] for name, value in scope["headers"] if name == b"content-length" and value.isdigit()]
    return max(map(int, lengths), default=0)


def _counted(receive: Receive) -> Receive:
    received = 0

    async def count() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > MAX_BODY_BYTES:
            raise HTTPException(413, f"At most {MAX_BODY_BYTES:,} bytes are taken.")
        return message

    return count
