"""The REST application."""

from __future__ import annotations

from typing import Any, Final

from fastapi import FastAPI
from starlette.types import ASGIApp, Receive, Scope, Send

from citewell.core.tools import TOOL_TIMEOUT_SECONDS
from citewell.surfaces.mcp.server import LateService
from citewell.surfaces.rest import documents, searching, writing
from citewell.surfaces.rest.bodies import BodyLimit
from citewell.surfaces.rest.failures import answer_failures
from citewell.surfaces.rest.models import Problem

PREFIX: Final = "/v1"
_DESCRIPTION: Final = "Every path is also served under /v1. Errors are problem documents (RFC 9457) with a stable `code`."


def rest_app(service: LateService, *, version: str, k: int, timeout: int = TOOL_TIMEOUT_SECONDS) -> FastAPI:
    """Return the application that answers REST calls by ``service``.

    A search shows ``k`` results unless it says so itself, and no question takes longer than ``timeout`` seconds.

    It takes whom `citewell.surfaces.auth` let through, and nobody else.
    """
    app = _Described(
        title="citewell",
        version=version,
        description=_DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.service = service
    app.state.k = k
    app.state.timeout = timeout
    answer_failures(app)
    app.include_router(searching.router)
    app.include_router(documents.router)
    app.include_router(writing.router)
    app.add_middleware(BodyLimit)
    app.add_middleware(VersionPrefix)
    return app


class _Described(FastAPI):
    """An application whose OpenAPI document has what its routes only refer to."""

    def openapi(self) -> dict[str, Any]:
        """Return the document."""
        document = super().openapi()
        document["components"]["schemas"]["Problem"] = Problem.model_json_schema()
        return document


class VersionPrefix:
    """Answers ``/v1/...`` as what follows the prefix."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on, without the prefix."""
        if scope["type"] == "http" and scope["path"].startswith(f"{PREFIX}/"):
            scope = {**scope, "path": scope["path"].removeprefix(PREFIX)}
        await self._app(scope, receive, send)
