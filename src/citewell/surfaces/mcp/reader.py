"""Documents as plain text: where the citations of files that have no address of their own lead to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from starlette.convertors import StringConvertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from citewell.core.access import Principal
from citewell.core.errors import BadLimit, CitewellError
from citewell.core.model import Lines
from citewell.core.requests import DocumentView, ReadRequest
from citewell.surfaces.auth.gates import caller_of
from citewell.surfaces.auth.problems import problem

if TYPE_CHECKING:
    from citewell.service import KnowledgeService
    from citewell.surfaces.mcp.server import LateService

_HEADERS: Final = {"X-Content-Type-Options": "nosniff"}


class _AnyText(StringConvertor):
    """Any text at all: a name may hold slashes and line breaks."""

    regex = "(?s:.*)"


register_url_convertor("text", _AnyText())


class DocumentReader:
    """Answers ``GET /documents/{id}?start_line=&end_line=`` for whoever sends the request."""

    def __init__(self, service: LateService) -> None:
        self._service = service

    @property
    def route(self) -> Route:
        """Where it answers."""
        return Route("/documents/{id:text}", self.answer)

    async def answer(self, request: Request) -> Response:
        """Return the lines asked for as plain text, all of them; or a problem with the code of the error."""
        try:
            view = await read_lines(await self._service.get(), caller_of(request), read_request(request))
        except CitewellError as error:
            return problem(error, _HEADERS)
        return PlainTextResponse(view.text, headers=_HEADERS)


async def read_lines(service: KnowledgeService, principal: Principal, request: ReadRequest) -> DocumentView:
    """Return the lines asked for, all of them, however many that is. Raises what `KnowledgeService.read` raises."""
    view = await service.read(principal, request)
    first, parts = view, [view.text]
    while view.next_start_line is not None:
        view = await service.read(principal, replace(request, start_line=view.next_start_line))
        parts.append(view.text)
    lines = Lines(first.lines.start, view.lines.end)
    return replace(first, text="".join(parts), lines=lines, next_start_line=None)


def read_request(request: Request) -> ReadRequest:
    """Return the lines that the address of ``request`` names. Raises BadLimit for what is no number."""
    start, end = (request.query_params.get(name) for name in ("start_line", "end_line"))
    try:
        return ReadRequest(id=request.path_params["id"], start_line=int(start or 1), end_line=None if not end else int(end))
    except ValueError as error:
        raise BadLimit("start_line and end_line are whole numbers.") from error
