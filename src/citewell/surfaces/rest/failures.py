"""Every failure of a REST call as a problem document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from citewell.core.errors import (
    BadFilter,
    BadLimit,
    BadPagination,
    CitewellError,
    InvalidRequest,
    NotFound,
    UnsupportedFileType,
)
from citewell.surfaces.auth.problems import PROBLEM, problem, problem_document
from citewell.surfaces.rest.models import Problem, schema_of

UNEXPECTED: Final = "Something went wrong inside citewell; its log says what."

HEADERS: Final = {"X-Content-Type-Options": "nosniff"}

CODES: Final[Mapping[int, str]] = {
    404: NotFound.code,
    405: InvalidRequest.code,
    413: BadLimit.code,
    415: UnsupportedFileType.code,
}
"""The codes of failures that never reach the service."""

_REFUSALS: Final[Mapping[str, type[InvalidRequest]]] = {
    "page": BadPagination,
    "size": BadPagination,
    "filters": BadFilter,
    "top_k": BadLimit,
    "k": BadLimit,
    "start_line": BadLimit,
    "end_line": BadLimit,
}


def answer_failures(app: FastAPI) -> None:
    """Make ``app`` answer every failure with a problem document."""
    app.add_exception_handler(CitewellError, _answer_error)
    app.add_exception_handler(RequestValidationError, _answer_invalid)
    app.add_exception_handler(HTTPException, _answer_refused)
    app.add_exception_handler(Exception, _answer_unexpected)


def problems(*statuses: HTTPStatus) -> dict[int | str, dict[str, Any]]:
    """Return how the OpenAPI document describes answers of ``statuses``, and those that any call may have."""
    refused = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.MISDIRECTED_REQUEST)
    failing = (HTTPStatus.INTERNAL_SERVER_ERROR, HTTPStatus.SERVICE_UNAVAILABLE)
    content = {PROBLEM: {"schema": schema_of(Problem)}}
    described = {"description": "A problem.", "content": content}
    return {status.value: described for status in (*statuses, *refused, *failing)}


def invalid_request(faults: Sequence[Mapping[str, Any]]) -> InvalidRequest:
    """Return the refusal of what was sent, by the first of its ``faults``; an unknown key is named before others."""
    fault = min(faults, key=lambda fault: fault["type"] != "extra_forbidden")
    steps = [str(step) for step in fault["loc"][1:]]
    kind = next((_REFUSALS[step] for step in steps[:1] if step in _REFUSALS), InvalidRequest)
    if fault["type"] == "json_invalid":
        return InvalidRequest("The body is not JSON.")
    if fault["type"] == "extra_forbidden":
        return kind(f"{'.'.join(steps)!r:.80} is not known here.")
    return kind(f"{'.'.join(steps) or 'The body'}: {fault['msg']}.")


async def _answer_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, CitewellError)
    return problem(error, HEADERS)


async def _answer_invalid(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return problem(invalid_request(error.errors()), HEADERS)


async def _answer_refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    # A body that cannot be taken apart is as wrong as one that says what cannot be.
    unreadable = error.status_code == HTTPStatus.BAD_REQUEST
    status = HTTPStatus.UNPROCESSABLE_ENTITY if unreadable else HTTPStatus(error.status_code)
    code = CODES.get(status.value, InvalidRequest.code)
    return problem_document(status, code, error.detail, {**HEADERS, **(error.headers or {})})


async def _answer_unexpected(_: Request, __: Exception) -> Response:
    return problem_document(HTTPStatus.INTERNAL_SERVER_ERROR, CitewellError.code, UNEXPECTED, HEADERS)
