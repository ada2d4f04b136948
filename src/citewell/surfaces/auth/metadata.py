"""What an OAuth client is told of this server: whose tokens it takes, and for what (RFC 9728)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

METADATA_PATH: Final = "/.well-known/oauth-protected-resource"


def metadata_routes(resource: str, path: str, issuers: Sequence[str]) -> list[Route]:
    """Return the routes that describe the protected ``resource``, which is served at ``path``.

    ``issuers`` are the authorization servers whose tokens count; where there are none, tokens are made by the operator.
    """
    described: dict[str, object] = {
        "resource": resource,
        "resource_name": "citewell",
        "scopes_supported": ["read"],
        "bearer_methods_supported": ["header"],
    }
    if issuers:
        described["authorization_servers"] = list(issuers)

    async def describe(_: Request) -> Response:
        return JSONResponse(described)

    return [Route(METADATA_PATH, describe), Route(f"{METADATA_PATH}{path}", describe)]
