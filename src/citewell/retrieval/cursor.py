"""Cursors: where the next page of a search begins, bound to the search it belongs to."""

from __future__ import annotations

import base64
import binascii
import hashlib

from citewell.core.errors import BadCursor
from citewell.core.requests import SearchRequest


def encode_cursor(request: SearchRequest, offset: int) -> str:
    """Return a cursor for the hits of ``request`` from ``offset`` on. It says nothing else."""
    return base64.urlsafe_b64encode(f"{offset}.{_seal(request)}".encode()).decode().rstrip("=")


def decode_cursor(request: SearchRequest) -> int:
    """Return the offset at which ``request`` asks to continue; 0 without a cursor.

    Raises BadCursor for a cursor of another query, mode or filters. ``k`` may differ.
    """
    if request.cursor is None:
        return 0
    try:
        padding = "=" * (-len(request.cursor) % 4)
        offset, _, seal = base64.urlsafe_b64decode(request.cursor + padding).decode().partition(".")
        start = int(offset)
    except (ValueError, binascii.Error) as error:
        raise BadCursor("This cursor was not issued here.") from error
    if seal != _seal(request) or start < 0:
        raise BadCursor("This cursor belongs to another search; search again without it.")
    return start


def _seal(request: SearchRequest) -> str:
    key = repr((request.query, request.mode, request.filters))
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:12]
