"""Errors as answers over HTTP (RFC 9457)."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from starlette.responses import Response

from citewell.core.errors import CitewellError
from citewell.surfaces.statuses import status_of

logger = logging.getLogger(__name__)

PROBLEM: Final = "application/problem+json"


def problem(error: CitewellError, headers: Mapping[str, str] | None = None) -> Response:
    """Return ``error`` as a problem document: its message and its code, nothing of its detail, which goes to the log."""
    if error.detail:
        logger.warning("%s: %s (%s)", error.code, error.message, error.detail)
    return problem_document(status_of(error), error.code, error.message, headers)


def problem_document(status: HTTPStatus, code: str, detail: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return a problem document of that ``status`` and ``code``; ``detail`` says in words what is wrong."""
    body = {"title": status.phrase, "status": status.value, "detail": detail, "code": code}
    return Response(json.dumps(body), status.value, headers=headers, media_type=PROBLEM)
