"""Callers who show one of our own access tokens."""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable
from dataclasses import dataclass

from citewell.adapters.identity.json_web_tokens import JwtAuthenticator
from citewell.core.access import Principal
from citewell.core.errors import Unauthenticated
from citewell.core.ports import CurrentPolicy, TokenStore
from citewell.core.tokens import parse_token

_NO_DIGEST = "0" * 64


@dataclass(frozen=True, slots=True)
class TokenAuthenticator:
    """Implements ``Authenticator``. An unknown, a wrong, an expired and a revoked token take the same way to one refusal."""

    store: TokenStore
    policy: CurrentPolicy
    clock: Callable[[], float] = time.time

    async def authenticate(self, credential: str, *, via: str) -> Principal:
        """Return the holder of the token, with the groups that the policy gives him now."""
        identity, digest = parse_token(credential)
        known = {token.id: token for token in self.store.tokens()}
        token = known.get(identity)
        right = hmac.compare_digest(token.digest if token else _NO_DIGEST, digest or _NO_DIGEST[:-1])
        if token is None or not right or not token.is_good(self.clock()):
            raise Unauthenticated(detail=f"the token {identity or 'shown'} is unknown, wrong, expired or revoked")
        return self.policy().principal(token.user, via=via, scopes=frozenset(token.scopes), kind=token.kind)


@dataclass(frozen=True, slots=True)
class EitherAuthenticator:
    """Implements ``Authenticator``: what looks like a token of ours is judged by ``ours``, all else by ``others``."""

    ours: TokenAuthenticator | None
    others: JwtAuthenticator | None

    async def authenticate(self, credential: str, *, via: str) -> Principal:
        """Return who shows ``credential``."""
        judge = self.ours if credential.startswith("cw_") else self.others
        if judge is None:
            raise Unauthenticated(detail="credentials of this kind are not accepted")
        return await judge.authenticate(credential, via=via)
