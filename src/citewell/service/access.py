"""Who may read what, shown and changed by those who may."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from citewell.core.access import (
    ANONYMOUS,
    EVERYBODY_ELSE,
    PUBLIC,
    AccessPolicy,
    Acl,
    Principal,
    group_tokens,
    may_read,
)
from citewell.core.errors import DocumentNotFound, InvalidRequest
from citewell.core.ports import CurrentPolicy, PinAccess, SetAccess, Store
from citewell.ingest.disguise import is_disguised
from citewell.ingest.plan import unlisted_acl
from citewell.service.auditing import Auditor
from citewell.service.following import AccessFollower
from citewell.service.scopes import require

VIA = "access"


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What opens a document to somebody: ``token``, and for a group how he is in it, each group part of the next."""

    token: str
    chain: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What decides who may read a document.

    ``by`` is ``pinned`` (readers of its own), ``rule`` (that of ``glob``; ``number`` counts rules from 1), ``default``, or
    ``disguised``: its path holds something that was redacted, so only a sync knows its rule.
    """

    by: str
    glob: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Whether somebody may read a document, and why. ``source`` is empty for a path that is no document: it would be so."""

    user: str
    source: str
    path: str
    allowed: bool
    decision: Decision
    acl: tuple[str, ...]
    groups: tuple[str, ...]
    through: tuple[Opening, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Readers:
    """Who may read a document: the tokens that open it, and those named in the rules or by the document who hold one.

    ``everybody_else`` says whether somebody may who has shown who he is and is not named; ``anonymous`` whether somebody may
    who has not. ``source`` is empty for a path that is no document: it would be so.
    """

    source: str
    path: str
    decision: Decision
    acl: tuple[str, ...]
    users: tuple[str, ...]
    everybody_else: bool
    anonymous: bool


@dataclass(frozen=True, slots=True)
class _Place:
    """A document, or with no source a path that is none."""

    source: str
    path: str
    acl: Acl
    pinned: bool = False


class AccessService:
    """Explains and changes access for a principal with the scope ``admin``.

    A document is named by its path or its id; where several are called so, ``source`` says which is meant.
    """

    def __init__(self, *, store: Store, policy: CurrentPolicy, auditor: Auditor) -> None:
        self._store = store
        self._policy = policy
        self._auditor = auditor
        self._access = AccessFollower(store, policy)

    async def explain(
        self, principal: Principal, user: str, document: str, *, claimed: Sequence[str] = (), source: str = ""
    ) -> Explanation:
        """Say whether ``user``, in the groups ``claimed`` besides those of the policy, may read ``document``, and why.

        Of several documents it is the one he would be shown. One that is not indexed is judged by its path. Raises Forbidden.
        """
        async with self._auditor.call(principal, "access_explain", target=f"{user} {document}"):
            require(principal, "admin")
            places = await self._find(document, source)
            policy = self._policy()
            asker = _asker(policy, user, claimed)
            place = next((place for place in places if may_read(place.acl, asker.tokens)), places[0])
            held = (*policy.given(user), *claimed)
            return Explanation(
                user=user,
                source=place.source,
                path=place.path,
                allowed=may_read(place.acl, asker.tokens),
                decision=_decision(policy, place),
                acl=tuple(sorted(place.acl)),
                groups=asker.groups,
                through=tuple(_opening(policy, token, held) for token in sorted(place.acl & asker.tokens)),
            )

    async def who(self, principal: Principal, document: str, *, source: str = "") -> Readers:
        """Say who may read ``document``. Raises Forbidden; InvalidRequest where several are called so."""
        async with self._auditor.call(principal, "access_who", target=document):
            require(principal, "admin")
            place = _only(await self._find(document, source))
            policy = self._policy()
            known = {*policy.users, *_users(place.acl)} - {EVERYBODY_ELSE, ANONYMOUS}
            may = {user: may_read(place.acl, _asker(policy, user).tokens) for user in known | {EVERYBODY_ELSE, ANONYMOUS}}
            return Readers(
                source=place.source,
                path=place.path,
                decision=_decision(policy, place),
                acl=tuple(sorted(place.acl)),
                users=tuple(sorted(user for user in known if may[user])),
                everybody_else=may[EVERYBODY_ELSE],
                anonymous=may[ANONYMOUS],
            )

    async def pin(
        self, principal: Principal, document: str, *, groups: Sequence[str], users: Sequence[str], source: str = ""
    ) -> Acl:
        """Give ``document`` readers of its own, whatever the rules say; neither groups nor users mean nobody.

        Raises Forbidden, DocumentNotFound, StoreBusy, InvalidRequest for names that can be nobody's or several documents.
        """
        async with self._auditor.call(principal, "access_set", target=document):
            require(principal, "admin")
            acl = _own_acl(groups, users)
            place = await self._indexed(document, source)
            async with self._store.writing():
                await self._store.apply([PinAccess(source=place.source, path=place.path, acl=acl)])
            return acl

    async def release(self, principal: Principal, document: str, *, source: str = "") -> Acl:
        """Let ``document`` follow the rules again; return its readers. Raises what `pin` raises.

        One whose path holds something that was redacted is closed until the next sync: only that knows its rule.
        """
        async with self._auditor.call(principal, "access_reset", target=document):
            require(principal, "admin")
            place = await self._indexed(document, source)
            acl = unlisted_acl(self._policy().acl, place.path)
            release = PinAccess(source=place.source, path=place.path, acl=None)
            async with self._store.writing():
                await self._store.apply([release, SetAccess(source=place.source, path=place.path, acl=acl)])
            return acl

    async def close(self) -> None:
        """Release the store and the audit."""
        await self._store.close()
        await self._auditor.close()

    async def _indexed(self, document: str, source: str) -> _Place:
        place = _only(await self._find(document, source))
        if not place.source:
            raise DocumentNotFound
        return place

    async def _find(self, document: str, source: str) -> list[_Place]:
        """Return the documents at that path, else those of that id, by source and path; else the path that is none."""
        await self._access.follow()
        by_path: list[_Place] = []
        by_id: list[_Place] = []
        for state in await self._store.states():
            if source not in ("", state.name):
                continue
            for path, recorded in sorted((await self._store.ledger(state.name)).items()):
                if recorded.acl is not None and document in (path, recorded.entry.document_id):
                    place = _Place(state.name, path, recorded.acl, recorded.pinned)
                    (by_path if path == document else by_id).append(place)
        return by_path or by_id or [_Place("", document, unlisted_acl(self._policy().acl, document))]


def _asker(policy: AccessPolicy, user: str, claimed: Sequence[str] = ()) -> Principal:
    if user == ANONYMOUS:
        return policy.anonymous(via=VIA)
    return policy.principal(user, via=VIA, scopes=frozenset(), claimed=claimed)


def _opening(policy: AccessPolicy, token: str, held: Sequence[str]) -> Opening:
    kind, _, name = token.partition(":")
    return Opening(token=token, chain=policy.chain(name, held) if kind == "group" else ())


def _decision(policy: AccessPolicy, place: _Place) -> Decision:
    if place.pinned:
        return Decision(by="pinned")
    if is_disguised(place.path):
        return Decision(by="disguised")
    rule = policy.rule(place.path)
    if rule is None:
        return Decision(by="default")
    return Decision(by="rule", glob=rule.paths, number=policy.rules.index(rule) + 1)


def _users(acl: Acl) -> set[str]:
    return {token.removeprefix("user:") for token in acl if token.startswith("user:")}


def _only(places: Sequence[_Place]) -> _Place:
    if len(places) > 1:
        named = "; ".join(f"{place.path} of {place.source}" for place in places[:5])
        raise InvalidRequest(f"{len(places)} documents are called so: {named}. Name one by its path and its source.")
    return places[0]


def _own_acl(groups: Sequence[str], users: Sequence[str]) -> Acl:
    if not all(name.strip() for name in (*groups, *users)):
        raise InvalidRequest("The name of a group or user is blank.")
    if nobody := [user for user in users if user in (ANONYMOUS, EVERYBODY_ELSE)]:
        raise InvalidRequest(f"{nobody[0]} is nobody's name. What is open to the group {PUBLIC} is open to everybody.")
    return group_tokens(groups) | {f"user:{user}" for user in users}
