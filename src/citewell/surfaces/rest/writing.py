"""Documents written, changed and deleted."""

from __future__ import annotations

import json
from http import HTTPStatus
from pathlib import PurePosixPath
from typing import Any, Final

from fastapi import APIRouter
from pydantic import ValidationError
from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request
from starlette.responses import Response

from citewell.core.errors import EmptyDocument, InvalidRequest, UnsupportedFileType
from citewell.core.requests import DocumentText
from citewell.service.writing import uploaded_text
from citewell.surfaces.rest.access import JSON_BODY, WRITES, Caller, Knowledge, media_type
from citewell.surfaces.rest.bodies import MAX_BODY_BYTES
from citewell.surfaces.rest.failures import invalid_request, problems
from citewell.surfaces.rest.models import DocumentAnswer, DocumentBody, schema_of
from citewell.surfaces.rest.replies import reply, view_payload

router = APIRouter(dependencies=WRITES)

PLAIN: Final = {"text/plain": ".txt", "text/markdown": ".md"}
"""Texts that are sent without a name, and the endings their files have."""

_POSTED: Final = (HTTPStatus.CONFLICT, HTTPStatus(413), HTTPStatus.UNSUPPORTED_MEDIA_TYPE, HTTPStatus.UNPROCESSABLE_ENTITY)
_WRITTEN: Final = (*_POSTED, HTTPStatus.BAD_GATEWAY, HTTPStatus.INSUFFICIENT_STORAGE)
_TEXT: Final = {"schema": {"type": "string", "minLength": 1, "pattern": r"\S"}}
_FORM: Final = {
    "type": "object",
    "properties": {"file": {"type": "string", "contentMediaType": "application/octet-stream"}, "title": {"type": "string"}},
    "required": ["file"],
}
_BODY: Final[dict[str, Any]] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": schema_of(DocumentBody)},
            "multipart/form-data": {"schema": _FORM},
            **dict.fromkeys(PLAIN, _TEXT),
        },
    }
}


@router.post(
    "/documents",
    status_code=201,
    responses={201: {"model": DocumentAnswer}, **problems(*_WRITTEN)},
    openapi_extra=_BODY,
)
async def create_document(
    request: Request, service: Knowledge, principal: Caller, collection: str = "", title: str = ""
) -> Response:
    """Write a new document: a title and its text as JSON, or a text file, as a form's field ``file`` or by itself.

    A file's title is ``title``, else the one it gives itself, else its name. ``collection`` says where it goes where several
    collections can be written to.
    """
    text, ending = await _sent_text(request, title)
    view = await service.documents.create(principal, text, collection=collection, ending=ending)
    return reply(view_payload(view), HTTPStatus.CREATED)


@router.put(
    "/documents/{id:text}",
    responses={200: {"model": DocumentAnswer}, **problems(HTTPStatus.NOT_FOUND, *_WRITTEN)},
    dependencies=JSON_BODY,
)
async def update_document(id: str, body: DocumentBody, service: Knowledge, principal: Caller) -> Response:
    """Put a title and a text in the place of a document."""
    text = DocumentText(title=body.title, content=body.content)
    return reply(view_payload(await service.documents.update(principal, id, text)))


@router.delete(
    "/documents/{id:text}",
    status_code=204,
    responses=problems(HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.BAD_GATEWAY),
)
async def delete_document(id: str, service: Knowledge, principal: Caller) -> Response:
    """Take a document away."""
    await service.documents.delete(principal, id)
    return Response(status_code=HTTPStatus.NO_CONTENT)


async def _sent_text(request: Request, title: str) -> tuple[DocumentText, str]:
    """Return the document that was sent, and the ending its file has. Raises UnsupportedFileType for any other kind."""
    kind = media_type(request)
    if kind == "application/json":
        return _read_json(await request.body()), ""
    if kind == "multipart/form-data":
        return await _read_form(request, title)
    if kind in PLAIN:
        return uploaded_text(await request.body(), PLAIN[kind], title), PLAIN[kind]
    raise UnsupportedFileType("Send JSON with a title and content, or a text file: text/plain, text/markdown, or as a form.")


def _read_json(body: bytes) -> DocumentText:
    try:
        sent = DocumentBody.model_validate(json.loads(body))
    except ValidationError as error:
        raise invalid_request([{**fault, "loc": ("body", *fault["loc"])} for fault in error.errors()]) from error
    except (ValueError, RecursionError) as error:
        raise InvalidRequest("The body is not JSON.") from error
    return DocumentText(title=sent.title, content=sent.content)


async def _read_form(request: Request, title: str) -> tuple[DocumentText, str]:
    form = await _parse_form(request)
    try:
        file = form.get("file")
        if not isinstance(file, UploadFile):
            raise EmptyDocument("The form has no file in its field 'file'.")
        name = PurePosixPath((file.filename or "").replace("\\", "/")).name
        return uploaded_text(await file.read(), name, str(form.get("title") or title)), PurePosixPath(name).suffix.lower()
    finally:
        await form.close()


class _InMemory(MultiPartParser):
    """Keeps files in memory: what has not been redacted is written to no disk."""

    spool_max_size = MAX_BODY_BYTES


async def _parse_form(request: Request) -> FormData:
    parser = _InMemory(request.headers, request.stream(), max_files=1, max_fields=8)
    try:
        return await parser.parse()
    except (MultiPartException, KeyError) as error:
        raise InvalidRequest("The form cannot be read; it takes one file.") from error
