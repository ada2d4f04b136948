"""Errors as answers over HTTP (RFC 9457)."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from starlette.responses import Response

from citewell.core.errors import CitewellError, Forbidden, InvalidRequest, NotFound, StoreBusy, Unauthenticated

logger = logging.getLogger(__name__)

_STATUS: Final = (
    (NotFound, HTTPStatus.NOT_FOUND),
    (InvalidRequest, HTTPStatus.UNPROCESSABLE_ENTITY),
    (Unauthenticated, HTTPStatus.UNAUTHORIZED),
    (Forbidden, HTTPStatus.FORBIDDEN),
    (StoreBusy, HTTPStatus.SERVICE_UNAVAILABLE),
)


def problem(error: CitewellError, headers: Mapping[str, str] | None = None) -> Response:
    """Return ``error`` as a problem document: its message and its code, nothing of its detail, which goes to the log."""
    if error.detail:
        logger.warning("%s: %s (%s)", error.code, error.message, error.detail)
    status = next((status for kind, status in _STATUS if isinstance(error, kind)), HTTPStatus.INTERNAL_SERVER_ERROR)
    body = {"title": status.phrase, "status": status.value, "detail": error.message, "code": error.code}
    return Response(json.dumps(body), status.value, headers=headers, media_type="application/problem+json")
