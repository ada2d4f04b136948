"""Callers who show a signed token (JWT, RFC 7519) of the configured identity provider."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast, get_args

import jwt

from citewell.adapters.identity.key_set import KeySet
from citewell.core.access import Principal, Scope, is_user_name
from citewell.core.errors import Unauthenticated
from citewell.core.ports import CurrentPolicy

MAX_CHARACTERS: Final = 8_000
SKEW_SECONDS: Final = 60
REQUIRED: Final = ("exp", "aud", "iss", "sub")
_SCOPE_PREFIX: Final = "citewell:"


@dataclass(frozen=True, slots=True, kw_only=True)
class JwtAuthenticator:
    """Implements ``Authenticator``. Keys come from ``keys`` alone; what a token's header says of keys is not looked at."""

    issuer: str
    audience: str
    keys: KeySet
    policy: CurrentPolicy
    algorithms: Sequence[str] = ("RS256", "ES256", "EdDSA")
    user_claim: str = "sub"
    groups_claim: str = "groups"

    async def authenticate(self, credential: str, *, via: str) -> Principal:
        """Return the user whom the token names, with the groups it vouches for and those the policy gives him."""
        claims = await self._claims(credential)
        user = self._user(claims)
        scopes = frozenset(
            scope for scope in get_args(Scope) if f"{_SCOPE_PREFIX}{scope}" in _words(claims.get("scope", claims.get("scp")))
        )
        claimed = claims.get(self.groups_claim)
        groups = [claimed] if isinstance(claimed, str) else _words(claimed)
        return self.policy().principal(user, via=via, scopes=scopes or frozenset({"read"}), claimed=groups)

    async def _claims(self, credential: str) -> dict[str, Any]:
        header = _header(credential)
        algorithm, name = header.get("alg"), header.get("kid")
        if (
            not isinstance(algorithm, str)
            or algorithm not in self.algorithms
            or not isinstance(name, str)
            or "crit" in header
        ):
            raise Unauthenticated(detail="the token's header names no accepted algorithm and key")
        key = await self.keys.key(name)
        if key is None or algorithm not in key.algorithms:
            raise Unauthenticated(detail="the token's key is unknown, or for another algorithm")
        try:
            return jwt.decode(
                credential,
                key.key,
                algorithms=[algorithm],
                audience=self.audience,
                issuer=self.issuer,
                leeway=SKEW_SECONDS,
                options={"require": list(REQUIRED)},
            )
        except (jwt.PyJWTError, ValueError, TypeError) as error:
            raise Unauthenticated(detail=f"the token is not valid: {error}") from error

    def _user(self, claims: Mapping[str, Any]) -> str:
        user = claims.get(self.user_claim)
        if self.user_claim == "email" and claims.get("email_verified") is not True:
            raise Unauthenticated(detail="the token's e-mail address is not verified")
        if not isinstance(user, str) or not is_user_name(user):
            raise Unauthenticated(detail="the token names no user")
        return user


def _header(credential: str) -> dict[str, Any]:
    """Return the header of a token of three parts, none of which names anything twice. Raises Unauthenticated."""
    parts = credential.split(".")
    if len(credential) > MAX_CHARACTERS or len(parts) != 3:
        raise Unauthenticated(detail="the credential is no signed token")
    try:
        header, _ = (json.loads(_decoded(part), object_pairs_hook=_once) for part in parts[:2])
    except (ValueError, RecursionError) as error:
        raise Unauthenticated(detail="the token cannot be read") from error
    if not isinstance(header, dict):
        raise Unauthenticated(detail="the token's header is no object")
    return cast(dict[str, Any], header)


def _decoded(part: str) -> bytes:
    return base64.b64decode(part + "=" * (-len(part) % 4), altchars=b"-_", validate=True)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a name stands twice")
    return fields


def _words(claim: Any) -> list[str]:
    """Return the words of a claim that is a list of texts, or one text with blanks between them."""
    if isinstance(claim, str):
        return claim.split()
    return [word for word in claim if isinstance(word, str)] if isinstance(claim, list) else []
