"""Who may read what, shown and changed by those who may."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from citewell.core.access import ANONYMOUS, EVERYBODY_ELSE, Acl, Principal, group_tokens, may_read
from citewell.core.errors import DocumentNotFound
from citewell.core.ports import Change, CurrentPolicy, PinAccess, Recorded, SetAccess, Store
from citewell.service.auditing import Auditor
from citewell.service.following import AccessFollower
from citewell.service.knowledge import require


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Whether somebody may read a document, and what decides.

    ``decided_by`` is ``pinned``, ``default``, or the glob of the rule; ``through`` are the tokens that open the document to
    him. ``indexed`` is false for a path that is no document: then it says what would hold.
    """

    user: str
    path: str
    allowed: bool
    decided_by: str
    acl: tuple[str, ...]
    groups: tuple[str, ...]
    through: tuple[str, ...]
    indexed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Readers:
    """Who may read a document: the tokens that open it, and those named in the configuration who hold one.

    ``everybody_else`` says whether somebody may who has shown who he is and is not named; ``public`` whether anybody may.
    """

    path: str
    decided_by: str
    acl: tuple[str, ...]
    users: tuple[str, ...]
    everybody_else: bool
    public: bool
    indexed: bool


@dataclass(frozen=True, slots=True)
class _Place:
    """A document, or a path that is none."""

    path: str
    sources: tuple[str, ...]
    acl: Acl
    pinned: bool


class AccessService:
    """Explains and changes access for a principal with the scope ``admin``."""

    def __init__(self, *, store: Store, policy: CurrentPolicy, auditor: Auditor) -> None:
        self._store = store
        self._policy = policy
        self._auditor = auditor
        self._access = AccessFollower(store, policy)

    async def explain(self, principal: Principal, user: str, document: str, claimed: Sequence[str] = ()) -> Explanation:
        """Say whether ``user``, in the groups ``claimed`` besides those of the policy, may read ``document``, and why.

        ``document`` is an id or a path; one that is not indexed is judged by its path. Raises Forbidden.
        """
        async with self._auditor.call(principal, "access_explain", target=f"{user} {document}"):
            require(principal, "admin")
            place = await self._find(document)
            policy = self._policy()
            asker = policy.anonymous(via="access") if user == ANONYMOUS else None
            asker = asker or policy.principal(user, via="access", scopes=frozenset(), claimed=claimed)
            return Explanation(
                user=user,
                path=place.path,
                allowed=may_read(place.acl, asker.tokens),
                decided_by=self._decided_by(place),
                acl=tuple(sorted(place.acl)),
                groups=asker.groups,
                through=tuple(sorted(place.acl & asker.tokens)),
                indexed=bool(place.sources),
            )

    async def who(self, principal: Principal, document: str) -> Readers:
        """Say who may read ``document``. Raises Forbidden."""
        async with self._auditor.call(principal, "access_who", target=document):
            require(principal, "admin")
            place = await self._find(document)
            policy = self._policy()
            named = [user for user in policy.users if user not in (EVERYBODY_ELSE, ANONYMOUS)]
            opened = [user for user in named if self._may(user, place.acl)]
            own = {token.removeprefix("user:") for token in place.acl if token.startswith("user:")}
            return Readers(
                path=place.path,
                decided_by=self._decided_by(place),
                acl=tuple(sorted(place.acl)),
                users=tuple(sorted({*opened, *own})),
                everybody_else=self._may(EVERYBODY_ELSE, place.acl),
                public=may_read(place.acl, policy.anonymous(via="access").tokens),
                indexed=bool(place.sources),
            )

    async def pin(self, principal: Principal, document: str, *, groups: Sequence[str], users: Sequence[str]) -> Acl:
        """Give ``document`` readers of its own, whatever the rules say; neither groups nor users mean nobody.

        Raises Forbidden, DocumentNotFound, StoreBusy.
        """
        async with self._auditor.call(principal, "access_set", target=document):
            require(principal, "admin")
            acl = group_tokens(groups) | {f"user:{user}" for user in users}
            place = await self._indexed(document)
            await self._store.apply([PinAccess(source=source, path=place.path, acl=acl) for source in place.sources])
            return acl

    async def release(self, principal: Principal, document: str) -> Acl:
        """Let ``document`` follow the rules again; return its readers. Raises Forbidden, DocumentNotFound, StoreBusy."""
        async with self._auditor.call(principal, "access_reset", target=document):
            require(principal, "admin")
            place = await self._indexed(document)
            acl = self._policy().acl(place.path)
            for source in place.sources:
                changes: list[Change] = [PinAccess(source=source, path=place.path, acl=None)]
                await self._store.apply([*changes, SetAccess(source=source, path=place.path, acl=acl)])
            return acl

    async def close(self) -> None:
        """Release the store and the audit."""
        await self._store.close()
        await self._auditor.close()

    def _may(self, user: str, acl: Acl) -> bool:
        return may_read(acl, self._policy().principal(user, via="access", scopes=frozenset()).tokens)

    def _decided_by(self, place: _Place) -> str:
        rule = self._policy().rule(place.path)
        return "pinned" if place.pinned else "default" if rule is None else rule.paths

    async def _indexed(self, document: str) -> _Place:
        place = await self._find(document)
        if not place.sources:
            raise DocumentNotFound
        return place

    async def _find(self, document: str) -> _Place:
        """Return the document of that id or path, of every source that has it; the first one's access is told."""
        await self._access.follow()
        found: list[tuple[str, Recorded]] = []
        for state in await self._store.states():
            ledger = (await self._store.ledger(state.name)).values()
            found += [(state.name, recorded) for recorded in ledger if _is_called(recorded, document)]
        if not found:
            return _Place(document, (), self._policy().acl(document), pinned=False)
        path, acl, pinned = found[0][1].entry.path, found[0][1].acl or frozenset(), found[0][1].pinned
        return _Place(path, tuple(source for source, recorded in found if recorded.entry.path == path), acl, pinned)


def _is_called(recorded: Recorded, document: str) -> bool:
    return recorded.acl is not None and document in (recorded.entry.path, recorded.entry.document_id)
