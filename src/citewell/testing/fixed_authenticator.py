"""An authenticator that knows a fixed set of credentials: the double of ``Authenticator``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from citewell.core.access import Principal
from citewell.core.errors import Unauthenticated


@dataclass(frozen=True, slots=True)
class FixedAuthenticator:
    """Takes each of ``holders``' credentials for its principal, and no other."""

    holders: Mapping[str, Principal]

    async def authenticate(self, credential: str, *, via: str) -> Principal:
        """Return who holds ``credential``."""
        if credential not in self.holders:
            raise Unauthenticated(detail="no such credential")
        return replace(self.holders[credential], via=via)
