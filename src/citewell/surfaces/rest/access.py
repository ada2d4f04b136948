"""What every route is handed: who asks, and the service that answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Final

from fastapi import Depends, HTTPException
from starlette.requests import Request

from citewell.core.access import Principal
from citewell.core.errors import Forbidden
from citewell.service import KnowledgeService
from citewell.surfaces.auth.gates import caller_of

VIA: Final = "rest"


async def knowledge(request: Request) -> KnowledgeService:
    """Return the service."""
    service: KnowledgeService = await request.app.state.service.get()
    return service


def caller(request: Request) -> Principal:
    """Return who sent ``request``, as its gate found out."""
    return replace(caller_of(request), via=VIA)


def same_site(request: Request) -> None:
    """Refuse what a page of another site sends: its browser would show our user's rights for it. Raises Forbidden."""
    if request.headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
        raise Forbidden("Pages of other sites may not write here.")


def json_only(request: Request) -> None:
    """Refuse a body that does not say it is JSON, as a form's cannot. Raises HTTPException (415)."""
    if media_type(request) != "application/json":
        raise HTTPException(415, "Send JSON, with the content type application/json.")


def media_type(request: Request) -> str:
    """Return the media type of the body, without parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


Knowledge = Annotated[KnowledgeService, Depends(knowledge)]
Caller = Annotated[Principal, Depends(caller)]
JSON_BODY: Final = [Depends(json_only)]
WRITES: Final = [Depends(same_site)]
