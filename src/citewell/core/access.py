"""Who asks, and who may read: the vocabulary of permissions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from citewell.core.globs import path_matcher

Tokens = frozenset[str]
"""Access tokens: ``public``, ``user:NAME``, ``group:NAME``."""

Acl = frozenset[str]
"""The tokens that may read a document. An empty ACL admits nobody."""

PUBLIC: Final = "public"
"""The token, and the group name in rules, that everybody holds, anonymous callers too."""

LOCAL_USER: Final = "local"
"""Whoever sits at this machine: the command line and stdio have no other way to know who asks."""

ANONYMOUS: Final = "anonymous"
EVERYBODY_ELSE: Final = "*"

RESERVED_USERS: Final = frozenset({LOCAL_USER, ANONYMOUS, EVERYBODY_ELSE})
"""Names that no credential can give anybody: the configuration means something by them."""

MAX_NAME: Final = 256

Scope = Literal["read", "write", "admin"]
"""What kind of action: to ask and read; to synchronise and edit; to see and change access, tokens and the audit."""

Kind = Literal["user", "service", "anonymous"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """Somebody who asks: an identity that was verified by the surface named in ``via``."""

    id: str
    tokens: Tokens
    kind: Kind
    via: str
    scopes: frozenset[Scope] = frozenset({"read"})

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups he is a member of, sorted."""
        return tuple(sorted(token.removeprefix("group:") for token in self.tokens if token.startswith("group:")))


def is_user_name(name: str) -> bool:
    """Say whether a credential may carry ``name``: 1 to 256 printable characters, and nobody's reserved name."""
    return 0 < len(name) <= MAX_NAME and name.isprintable() and name == name.strip() and name not in RESERVED_USERS


def group_tokens(groups: Iterable[str]) -> Tokens:
    """Return the access tokens of membership in ``groups``; the group ``public`` is everybody."""
    return frozenset(PUBLIC if group == PUBLIC else f"group:{group}" for group in groups)


def user_principal(
    name: str, groups: frozenset[str], *, via: str, scopes: frozenset[Scope], kind: Kind = "user"
) -> Principal:
    """Return the principal of the user ``name``, who reads what is public, his own, or open to one of his ``groups``."""
    tokens = group_tokens(groups) | {PUBLIC, f"user:{name}"}
    return Principal(id=name, tokens=tokens, kind=kind, via=via, scopes=scopes)


def stranger(*, via: str) -> Principal:
    """Return whoever showed nothing that counts, and so may do nothing and read nothing, not even what is public."""
    return Principal(id=ANONYMOUS, tokens=frozenset(), kind="anonymous", via=via, scopes=frozenset())


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

    ``users`` gives each user his groups; ``*`` stands for everybody who is not named and has shown who he is. ``subgroups``
    gives groups the groups that are part of them: whoever is in ``backend`` is in ``engineering`` where it lists that.
    """

    rules: tuple[AccessRule, ...] = ()
    default: tuple[str, ...] = ()
    users: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    subgroups: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    @property
    def stamp(self) -> str:
        """What is equal for two policies that give every document the same ACL."""
        rules = [(rule.paths, rule.groups) for rule in self.rules]
        return hashlib.sha256(json.dumps([rules, self.default]).encode()).hexdigest()[:16]

    def rule(self, path: str) -> AccessRule | None:
        """Return the rule that decides about the document at ``path``, None where the default does."""
        return next((rule for rule in self.rules if path_matcher((rule.paths,))(path)), None)

    def acl(self, path: str) -> Acl:
        """Return the ACL of the document at ``path``."""
        rule = self.rule(path)
        return group_tokens(self.default if rule is None else rule.groups)

    def groups(self, user: str, claimed: Iterable[str] = ()) -> frozenset[str]:
        """Return the groups of ``user``: those the policy gives him, those ``claimed`` for him, and all these are part of."""
        return self.widened({*self.given(user), *claimed})

    def given(self, user: str) -> tuple[str, ...]:
        """Return the groups that ``user`` is put into by name, or as one of those who are not named."""
        stranger = () if user == ANONYMOUS else self.users.get(EVERYBODY_ELSE, ())
        return self.users.get(user, stranger)

    def widened(self, groups: Iterable[str]) -> frozenset[str]:
        """Return ``groups`` and every group that one of them is part of, at any depth."""
        known = set(groups)
        while wider := {group for group, parts in self.subgroups.items() if not known.isdisjoint(parts)} - known:
            known |= wider
        return frozenset(known)

    def chain(self, group: str, held: Iterable[str]) -> tuple[str, ...]:
        """Return how somebody in the groups ``held`` is in ``group``: the shortest chain of groups, each part of the next.

        It is empty where he is not.
        """
        members = frozenset(held)
        chains: list[tuple[str, ...]] = [(group,)]
        for chain in chains:
            if chain[0] in members:
                return chain
            known = {longer[0] for longer in chains}
            chains += [(part, *chain) for part in dict.fromkeys(self.subgroups.get(chain[0], ())) if part not in known]
        return ()

    def principal(
        self, user: str, *, via: str, scopes: frozenset[Scope], kind: Kind = "user", claimed: Iterable[str] = ()
    ) -> Principal:
        """Return the principal of ``user``, with the groups that `groups` gives him."""
        return user_principal(user, self.groups(user, claimed), via=via, scopes=scopes, kind=kind)

    def anonymous(self, *, via: str) -> Principal:
        """Return whoever did not say who he is: he reads what is public, and what the groups of ``anonymous`` may."""
        tokens = group_tokens(self.groups(ANONYMOUS)) | {PUBLIC}
        return Principal(id=ANONYMOUS, tokens=tokens, kind="anonymous", via=via)


OPEN_POLICY: Final = AccessPolicy(default=("everyone",), users={EVERYBODY_ELSE: ("everyone",)})
"""Everybody who has shown who he is may read everything: what holds while the configuration has no ``access`` section."""
