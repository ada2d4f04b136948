"""Documents: listed, and read as JSON by programs, as plain text by browsers that follow a citation."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from citewell.core.requests import Filters, ListRequest
from citewell.surfaces.mcp.reader import DocumentReader, read_lines, read_request
from citewell.surfaces.rest.access import Caller, Knowledge
from citewell.surfaces.rest.failures import problems
from citewell.surfaces.rest.models import DocumentAnswer, DocumentPageAnswer
from citewell.surfaces.rest.replies import page_payload, reply, view_payload

router = APIRouter()

_INVALID: Final = HTTPStatus.UNPROCESSABLE_ENTITY
_READ: Final = {
    **problems(HTTPStatus.NOT_FOUND, _INVALID),
    200: {"model": DocumentAnswer, "content": {"text/plain": {"schema": {"type": "string"}}}},
}
LINES: Final = ("start_line", "end_line")
_LINES: Final = [
    {"name": name, "in": "query", "required": False, "schema": {"type": "integer", "minimum": 1}} for name in LINES
]


@router.get("/documents", responses={200: {"model": DocumentPageAnswer}, **problems(_INVALID)})
async def list_documents(
    service: Knowledge,
    principal: Caller,
    page: Annotated[int, Query(json_schema_extra={"minimum": 1})] = 1,
    size: Annotated[int, Query(json_schema_extra={"minimum": 1, "maximum": 100})] = 20,
    collection: str | None = None,
) -> Response:
    """Return a page of the documents that the caller may read."""
    filters = Filters(collections=(collection,) if collection else ())
    return reply(page_payload(await service.documents.list(principal, ListRequest(page=page, size=size, filters=filters))))


@router.head("/documents/{id:text}", include_in_schema=False)
@router.get("/documents/{id:text}", responses=_READ, openapi_extra={"parameters": _LINES})
async def read_document(id: str, request: Request, service: Knowledge, principal: Caller) -> Response:
    """Return a document, or lines of it: as JSON, or as plain text for who asks for that or for a page."""
    if prefers_text(request.headers.get("accept", "")):
        return await DocumentReader(request.app.state.service).answer(request)
    if not any(request.query_params.get(name) for name in LINES):
        return reply(view_payload(await service.documents.read(principal, id)))
    return reply(view_payload(await read_lines(service, principal, read_request(request))))


def prefers_text(accept: str) -> bool:
    """Say whether ``accept`` names text or a page, and wants it at least as much as JSON; ``*/*`` names neither."""
    wanted = {"text": 0.0, "json": 0.0}
    for part in accept.lower().split(","):
        kind, *parameters = (word.strip() for word in part.split(";"))
        form = {"text/plain": "text", "text/html": "text", "application/json": "json"}.get(kind)
        if form is not None:
            wanted[form] = max(wanted[form], _quality(parameters))
    return wanted["text"] > 0 and wanted["text"] >= wanted["json"]


def _quality(parameters: list[str]) -> float:
    given = next((word.removeprefix("q=") for word in parameters if word.startswith("q=")), "1")
    try:
        return float(given)
    except ValueError:
        return 0.0
