"""From a request to who sends it: the Authorization header, and nothing else that a client can write."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from citewell.core.access import Principal
from citewell.core.errors import Unauthenticated
from citewell.core.ports.identity import Authenticator

RawHeaders = Iterable[tuple[bytes, bytes]]
"""The headers of a request as they came, names in small letters."""

_BEARER: Final = re.compile(rb"bearer +([A-Za-z0-9._~+/-]+=*) *", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Callers:
    """Says who sends a request. It is asked at every request, so that a revoked token or a changed group acts at the next.

    ``authenticator`` judges credentials; without one nobody's are looked at. ``unnamed`` is who shows no credential: the
    local user, the anonymous one, or None where such a caller is refused.
    """

    authenticator: Authenticator | None
    unnamed: Callable[[], Principal] | None
    via: str = "mcp-http"

    async def identify(self, headers: RawHeaders) -> Principal:
        """Return who sends a request with these ``headers``. Raises Unauthenticated; a bad credential is never overlooked."""
        if self.authenticator is not None:
            shown = [value for name, value in headers if name == b"authorization"]
            if shown:
                return await self.authenticator.authenticate(_credential(shown), via=self.via)
        if self.unnamed is None:
            raise Unauthenticated(detail="no credential")
        return self.unnamed()


def shows_credential(headers: RawHeaders) -> bool:
    """Say whether a request with these ``headers`` shows anything at all to say who sends it."""
    return any(name == b"authorization" for name, _ in headers)


def _credential(shown: list[bytes]) -> str:
    if len(shown) != 1:
        raise Unauthenticated(detail="more than one Authorization header")
    bearer = _BEARER.fullmatch(shown[0])
    if bearer is None:
        raise Unauthenticated(detail="the Authorization header holds no bearer token")
    return bearer[1].decode("ascii")
