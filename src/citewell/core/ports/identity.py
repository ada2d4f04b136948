"""Who somebody is, by what he shows for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from citewell.core.access import AccessPolicy, Kind, Principal, Scope

CurrentPolicy = Callable[[], AccessPolicy]
"""Gives the access policy as it is now; it is asked at every call, so that a change acts at the next one."""


class Authenticator(Protocol):
    """Turns a credential into a principal. It gets the credential and nothing else that a caller can write."""

    async def authenticate(self, credential: str, *, via: str) -> Principal:
        """Return who holds ``credential``, with the groups and scopes he has now.

        Raises Unauthenticated, always with the same message; the reason stands in its detail.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessToken:
    """An access token as it is kept: ``digest`` is the SHA-256 of its secret part. Times are seconds since 1970.

    ``expires`` None means never; ``revoked`` None means not.
    """

    id: str
    digest: str
    user: str
    kind: Kind
    scopes: tuple[Scope, ...]
    created: int
    expires: int | None = None
    revoked: int | None = None
    note: str = ""

    def is_good(self, now: float) -> bool:
        """Say whether the token still opens anything."""
        return self.revoked is None and (self.expires is None or now < self.expires)


class TokenStore(Protocol):
    """Keeps access tokens. Blocking, and quick. What another process changes shows at the next call."""

    def add(self, token: AccessToken) -> None:
        """Keep ``token``. Raises ConfigurationError where it cannot be written."""
        ...

    def tokens(self) -> tuple[AccessToken, ...]:
        """Return all tokens, oldest first. Raises ConfigurationError for a store that cannot be read or trusted."""
        ...

    def revoke(self, ids: frozenset[str], now: int) -> int:
        """Revoke those among ``ids`` that are not yet; return how many that were."""
        ...
