"""Who asks, and who may read: the vocabulary of permissions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from citewell.core.globs import path_matcher

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


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessRule:
    """Documents whose path matches ``paths`` are open to ``groups``."""

    paths: str
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessPolicy:
    """Who may read what: the first rule whose glob matches decides, else ``default``; where both are silent, nobody may.

    ``users`` gives each user his groups; ``*`` stands for everybody who is not named.
    """

    rules: tuple[AccessRule, ...] = ()
    default: tuple[str, ...] = ()
    users: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    def acl(self, path: str) -> Acl:
        """Return the ACL of the document at ``path``."""
        groups = next((rule.groups for rule in self.rules if path_matcher((rule.paths,))(path)), self.default)
        return group_tokens(frozenset(groups))

    def groups(self, user: str) -> frozenset[str]:
        """Return the groups of ``user``."""
        return frozenset(self.users.get(user, self.users.get("*", ())))


OPEN_POLICY: Final = AccessPolicy(default=("everyone",), users={"*": ("everyone",)})
"""Everybody may read everything: what holds while the configuration has no ``access`` section."""
