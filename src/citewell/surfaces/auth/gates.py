"""What every request passes before anything answers it: the check of where it comes from, and of who sends it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from citewell.config.place import Place
from citewell.core.access import Principal
from citewell.core.errors import CitewellError, Forbidden, Unauthenticated
from citewell.surfaces.auth.callers import Callers, RawHeaders, shows_credential
from citewell.surfaces.auth.problems import problem, problem_document

Refused = Callable[[Unauthenticated | Forbidden, Principal | None], Awaitable[None]]
"""Takes down that a request was refused at the gate, and whose it was where that is known."""

_CALLER: Final = "citewell.caller"
_NEEDED: Final = "read"
_UNSHARED: Final = "no-store, no-transform"


class HostGate:
    """Refuses requests for another host, or from a page of another origin: no web page may reach a server behind its back.

    Both are compared letter by letter, and there may be one of each: what is not spelled as browsers do is refused.
    """

    def __init__(self, app: ASGIApp, place: Place) -> None:
        self._app = app
        self._hosts = place.hosts
        self._origins = place.origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 421 or 403, or let the request through."""
        refusal = self._refusal(scope["headers"]) if scope["type"] != "lifespan" else None
        await (refusal or self._app)(scope, receive, send)

    def _refusal(self, headers: RawHeaders) -> Response | None:
        hosts, origins = _values(headers, b"host"), _values(headers, b"origin")
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return _refused(HTTPStatus.MISDIRECTED_REQUEST, "This server is not reached by that name.")
        if len(origins) > 1 or not self._origins.issuperset(origins):
            return _refused(HTTPStatus.FORBIDDEN, "Pages of that origin may not ask here.")
        return None


class CallerGate:
    """Finds out who sends a request, for what answers it to ask `caller_of`; refuses who may not read at all.

    What passes is marked as nobody else's: no cache between may keep it.
    """

    def __init__(self, app: ASGIApp, callers: Callers, metadata_url: str, refused: Refused) -> None:
        self._app = app
        self._callers = callers
        self._metadata_url = metadata_url
        self._refused = refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 401 or 403 with what is missing, or let the request through with its caller."""
        try:
            answer: ASGIApp = self._app
            scope = {**scope, _CALLER: await self._admit(scope["headers"])}
        except CitewellError as error:
            answer = problem(error, self._challenge(error, scope["headers"]))
        await answer(scope, receive, _unshared(send))

    async def _admit(self, headers: RawHeaders) -> Principal:
        try:
            caller = await self._callers.identify(headers)
        except Unauthenticated as error:
            await self._refused(error, None)
            raise
        if _NEEDED not in caller.scopes:
            refusal = Forbidden(f"This takes the scope {_NEEDED!r}.")
            await self._refused(refusal, caller)
            raise refusal
        return caller

    def _challenge(self, error: CitewellError, headers: RawHeaders) -> dict[str, str]:
        """Return the header by which OAuth clients learn what to get, and where (RFC 6750, RFC 9728)."""
        if not isinstance(error, Unauthenticated | Forbidden):
            return {}
        fault = "insufficient_scope" if isinstance(error, Forbidden) else "invalid_token"
        known = [f'error="{fault}"'] if isinstance(error, Forbidden) or shows_credential(headers) else []
        parts = [*known, f'scope="{_NEEDED}"', f'resource_metadata="{self._metadata_url}"']
        return {"WWW-Authenticate": f"Bearer {', '.join(parts)}"}


def caller_of(request: Request | None) -> Principal:
    """Return who sent ``request``, as its gate found out. Raises Unauthenticated for one that passed no gate."""
    caller = None if request is None else request.scope.get(_CALLER)
    if not isinstance(caller, Principal):
        raise Unauthenticated(detail="the request passed no gate")
    return caller


def _refused(status: HTTPStatus, detail: str) -> Response:
    return problem_document(status, Forbidden.code, detail)


def _values(headers: RawHeaders, wanted: bytes) -> list[str]:
    return [value.decode("latin-1") for name, value in headers if name == wanted]


def _unshared(send: Send) -> Send:
    async def forward(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message)["Cache-Control"] = _UNSHARED
        await send(message)

    return forward
