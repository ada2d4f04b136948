"""Who asks, and who may read: the vocabulary of permissions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Tokens = frozenset[str]
"""Access tokens: ``public``, ``user:NAME``, ``group:NAME``."""

Acl = frozenset[str]
"""The tokens that may read a document. An empty ACL admits nobody."""

PUBLIC: Final = "public"

Scope = Literal["read", "write"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """Somebody who asks: an identity that was verified by the surface named in ``via``."""

    id: str
    tokens: Tokens
    kind: Literal["user", "service", "anonymous"]
    via: str
    scopes: frozenset[Scope] = frozenset({"read"})


def group_tokens(groups: frozenset[str]) -> Tokens:
    """Return the access tokens of membership in ``groups``."""
    return frozenset(f"group:{group}" for group in groups)


def user_principal(name: str, groups: frozenset[str], *, via: str, scopes: frozenset[Scope]) -> Principal:
    """Return the principal of the user ``name``, who reads what is public, his own, or open to one of his ``groups``."""
    tokens = group_tokens(groups) | {PUBLIC, f"user:{name}"}
    return Principal(id=name, tokens=tokens, kind="user", via=via, scopes=scopes)


def may_read(acl: Acl, visible: Tokens) -> bool:
    """Say whether a reader who holds ``visible`` may read what ``acl`` protects."""
    return not acl.isdisjoint(visible)
