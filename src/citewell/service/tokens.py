"""Access tokens: made, listed and revoked by those who may."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from citewell.core.access import MAX_NAME, RESERVED_USERS, Kind, Principal, Scope, is_user_name
from citewell.core.errors import InvalidRequest, NotFound
from citewell.core.ports import AccessToken, TokenStore
from citewell.core.tokens import digest, new_token
from citewell.service.auditing import Auditor
from citewell.service.scopes import require


class TokenService:
    """Makes, lists and revokes tokens for a principal with the scope ``admin``."""

    def __init__(self, store: TokenStore, auditor: Auditor, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._auditor = auditor
        self._clock = clock

    async def create(
        self,
        principal: Principal,
        user: str,
        *,
        scopes: Sequence[Scope] = ("read",),
        kind: Kind = "user",
        days: float | None = 90,
        note: str = "",
    ) -> tuple[AccessToken, str]:
        """Return a new token of ``user`` as it is kept, and as its holder gets it: nobody sees that a second time.

        Raises Forbidden, InvalidRequest for a name that no token may carry or a life that is none.
        """
        async with self._auditor.call(principal, "token_create", target=user):
            require(principal, "admin")
            _check_name(user)
            if days is not None and days <= 0:
                raise InvalidRequest("A token must live for a while: give days, hours, or never.")
            identity, secret = new_token()
            now = int(self._clock())
            expires = None if days is None else now + int(days * 86_400)
            wanted = tuple(dict.fromkeys(scopes))
            token = AccessToken(
                id=identity,
                digest=digest(secret),
                user=user,
                kind=kind,
                scopes=wanted,
                created=now,
                expires=expires,
                note=note,
            )
            self._store.add(token)
            return token, secret

    async def list(self, principal: Principal) -> tuple[AccessToken, ...]:
        """Return all tokens, oldest first. Raises Forbidden."""
        async with self._auditor.call(principal, "token_list"):
            require(principal, "admin")
            return self._store.tokens()

    async def revoke(self, principal: Principal, *, token: str = "", user: str = "") -> int:
        """Revoke the token with the id ``token``, or all of ``user``; return how many were good until now.

        Raises Forbidden, NotFound where there is no such token.
        """
        async with self._auditor.call(principal, "token_revoke", target=token or user):
            require(principal, "admin")
            ids = frozenset(known.id for known in self._store.tokens() if known.id == token or (user and known.user == user))
            if not ids:
                raise NotFound("There is no such token; `citewell token list` shows all.")
            return self._store.revoke(ids, int(self._clock()))

    async def close(self) -> None:
        """Release the audit."""
        await self._auditor.close()


def _check_name(user: str) -> None:
    if user in RESERVED_USERS:
        raise InvalidRequest(f"{user!r} means something else in the configuration; no token can carry it.")
    if not is_user_name(user):
        raise InvalidRequest(f"A user's name has 1 to {MAX_NAME} printable characters, and no blank at its ends.")
