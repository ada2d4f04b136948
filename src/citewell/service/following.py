"""Keeping the ACLs in the store equal to the rules as they are now."""

from __future__ import annotations

from typing import Final

import anyio

from citewell.core.access import AccessPolicy
from citewell.core.errors import StoreBusy
from citewell.core.ports import CurrentPolicy, SourceState, Store
from citewell.ingest.access import follow_rules

TRIES: Final = 20
PAUSE_SECONDS: Final = 0.25
"""Another process that writes notices changed rules itself, between two batches: so long its batch may take."""


class AccessFollower:
    """Gives documents the ACLs of a changed policy before anything is answered under the old one."""

    def __init__(self, store: Store, policy: CurrentPolicy) -> None:
        self._store = store
        self._policy = policy
        self._followed: tuple[str, tuple[SourceState, ...]] | None = None
        self._lock = anyio.Lock()

    async def follow(self) -> None:
        """Return once the store follows the policy as it is now. Nothing is read from sources or embedded.

        The store is asked each time: another process may have written to it under rules that it had read earlier.
        Raises StoreBusy or another StoreError where it cannot be made to follow: then nothing may be answered.
        """
        policy = self._policy()
        if self._followed == (policy.stamp, await self._store.states()):
            return
        async with self._lock:
            if self._followed != (policy.stamp, await self._store.states()):
                await self._persist(policy)

    async def _persist(self, policy: AccessPolicy) -> None:
        for _ in range(TRIES):
            try:
                async with self._store.writing():
                    await follow_rules(self._store, policy)
            except StoreBusy:
                await anyio.sleep(PAUSE_SECONDS)
            else:
                self._followed = policy.stamp, await self._store.states()
                return
        raise StoreBusy("The access rules have changed, and another process writes to the index. Try again in a moment.")
