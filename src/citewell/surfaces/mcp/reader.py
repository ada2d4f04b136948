"""Documents as plain text: where the citations of files that have no address of their own lead to."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from citewell.core.errors import BadLimit, CitewellError, Forbidden, InvalidRequest, NotFound
from citewell.core.requests import ReadRequest

if TYPE_CHECKING:
    from citewell.surfaces.mcp.server import LateService, PrincipalResolver

logger = logging.getLogger(__name__)

_HEADERS: Final = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}
_STATUS: Final = (
    (NotFound, HTTPStatus.NOT_FOUND),
    (InvalidRequest, HTTPStatus.UNPROCESSABLE_ENTITY),
    (Forbidden, HTTPStatus.FORBIDDEN),
)


class DocumentReader:
    """Answers ``GET /documents/{id}?start_line=&end_line=`` for the principal of the server."""

    def __init__(self, service: LateService, principal: PrincipalResolver) -> None:
        self._service = service
        self._principal = principal

    async def answer(self, request: Request) -> Response:
        """Return the lines asked for as plain text, all of them; or a problem with the code of the error."""
        try:
            text = await self._read(_read_request(request))
        except CitewellError as error:
            return _problem(error)
        return PlainTextResponse(text, headers=_HEADERS)

    async def _read(self, request: ReadRequest) -> str:
        service, principal = await self._service.get(), self._principal()
        view = await service.read(principal, request)
        parts = [view.text]
        while view.next_start_line is not None:
            view = await service.read(principal, replace(request, start_line=view.next_start_line))
            parts.append(view.text)
        return "".join(parts)


def _read_request(request: Request) -> ReadRequest:
    start, end = (request.query_params.get(name) for name in ("start_line", "end_line"))
    try:
        return ReadRequest(id=request.path_params["id"], start_line=int(start or 1), end_line=None if not end else int(end))
    except ValueError as error:
        raise BadLimit("start_line and end_line are whole numbers.") from error


def _problem(error: CitewellError) -> Response:
    status = next((status for kind, status in _STATUS if isinstance(error, kind)), HTTPStatus.INTERNAL_SERVER_ERROR)
    body = {"title": status.phrase, "status": status.value, "detail": error.message, "code": error.code}
    return Response(json.dumps(body), status.value, headers=_HEADERS, media_type="application/problem+json")
