"""What ``citewell serve`` serves beside MCP."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from citewell.core.access import stranger
from citewell.core.errors import CitewellError, StoreUnavailable
from citewell.core.tools import TOOL_TIMEOUT_SECONDS
from citewell.surfaces.auth.problems import problem_document
from citewell.surfaces.mcp.http import Site, SiteBuilder
from citewell.surfaces.mcp.server import LateService
from citewell.surfaces.rest.access import VIA
from citewell.surfaces.rest.app import rest_app
from citewell.surfaces.web.pages import web_routes

logger = logging.getLogger(__name__)

READY_PATHS: Final = ("/readyz", "/v1/readyz")
HEALTH_PATH: Final = "/v1/healthz"


def rest_site(*, version: str, k: int, timeout: int = TOOL_TIMEOUT_SECONDS) -> SiteBuilder:
    """Return what builds the site: REST for whoever passes the gates; for everybody the page, and whether we are ready."""

    def build(service: LateService) -> Site:
        readiness = Readiness(service)
        opened = [Route(path, readiness.answer) for path in READY_PATHS]
        app = rest_app(service, version=version, k=k, timeout=timeout)
        return Site(app, [*web_routes(), Route(HEALTH_PATH, _report_health), *opened])

    return build


class Readiness:
    """Says whether the store answers, and nothing else: whoever asks has not shown who he is."""

    def __init__(self, service: LateService) -> None:
        self._service = service

    async def answer(self, _: Request) -> Response:
        """Return 200, or 503."""
        try:
            await (await self._service.get()).ready(stranger(via=VIA))
        except CitewellError as error:
            logger.warning("Not ready: %s: %s (%s)", error.code, error.message, error.detail)
            return problem_document(HTTPStatus.SERVICE_UNAVAILABLE, StoreUnavailable.code, "The index cannot be asked yet.")
        return PlainTextResponse("ready")


async def _report_health(_: Request) -> Response:
    return PlainTextResponse("ok")
