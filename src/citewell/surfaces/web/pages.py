"""The files of the page, served to everybody who reaches the server: they hold no data, only the way to ask for it."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from importlib.resources import files
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

PREFIX: Final = "/page"

_TYPES: Final = {"html": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}

HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'; "
        "require-trusted-types-for 'script'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
"""Nothing is loaded from elsewhere, nothing runs that is not one of our files, and no other page may frame this one."""


def web_routes() -> list[Route]:
    """Return the routes of the page: ``/`` and the files below ``/page/``, each read once, here."""
    static = sorted(files(__package__).joinpath("static").iterdir(), key=lambda file: file.name)
    routes = [Route(f"{PREFIX}/{file.name}", _serving(file.name, file.read_bytes()), name=file.name) for file in static]
    index = next(route for route in routes if route.name == "index.html")
    return [Route("/", index.endpoint, name="page"), *(route for route in routes if route is not index)]


def _serving(name: str, data: bytes) -> Callable[[Request], Awaitable[Response]]:
    tag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
    headers = {**HEADERS, "ETag": tag}
    media_type = _TYPES[name.rpartition(".")[2]]

    async def serve(request: Request) -> Response:
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        return Response(data, headers=headers, media_type=media_type)

    return serve
