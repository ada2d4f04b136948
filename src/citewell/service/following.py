"""Keeping the ACLs in the store equal to the rules as they are now."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import anyio

from citewell.core.access import AccessPolicy
from citewell.core.errors import StoreBusy, StoreError
from citewell.core.ports import CurrentPolicy, SourceState, Store
from citewell.ingest.plan import follow_policy

TRIES: Final = 20
PAUSE_SECONDS: Final = 0.25
"""Another process that writes notices changed rules itself, between two batches: so long its batch may take."""


class AccessFollower:
    """Gives documents the ACLs of a changed policy before anything is answered under the old one."""

    def __init__(self, store: Store, policy: CurrentPolicy) -> None:
        self._store = store
        self._policy = policy
        self._followed: AccessPolicy | None = None
        self._lock = anyio.Lock()

    async def follow(self) -> None:
        """Return once the store follows the policy as it is now. Nothing is read from sources or embedded.

        Raises StoreBusy or another StoreError where it cannot be made to: then nothing may be answered.
        """
        policy = self._policy()
        if policy is self._followed:
            return
        async with self._lock:
            if self._followed is None or self._followed.stamp != policy.stamp:
                await self._persist(policy)
            self._followed = policy

    async def _persist(self, policy: AccessPolicy) -> None:
        for _ in range(TRIES):
            try:
                await self._change(policy)
            except StoreBusy:
                await anyio.sleep(PAUSE_SECONDS)
            else:
                return
        raise StoreBusy("The access rules have changed, and another process writes to the index. Try again in a moment.")

    async def _change(self, policy: AccessPolicy) -> None:
        for state in await self._store.states():
            if state.access != policy.stamp:
                await self._change_source(policy, state)

    async def _change_source(self, policy: AccessPolicy, state: SourceState) -> None:
        changes = follow_policy(state.name, await self._store.ledger(state.name), policy.acl)
        if changes:
            await self._store.apply(changes)
        try:
            await self._store.set_state(replace(state, access=policy.stamp))
        except StoreError:
            # An index that nobody may write to is served as long as its ACLs are right.
            if changes:
                raise
