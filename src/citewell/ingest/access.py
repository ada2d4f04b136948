"""Giving what is stored the readers that changed rules give it, without reading or embedding anything."""

from __future__ import annotations

from dataclasses import replace

from citewell.core.access import AccessPolicy
from citewell.core.errors import StoreError
from citewell.core.ports import SourceState, Store
from citewell.ingest.plan import follow_policy


async def follow_rules(store: Store, policy: AccessPolicy, *, but: str = "") -> None:
    """Give the documents of every source the ACLs of ``policy``, where they follow another. ``but`` names one to leave out.

    Raises StoreBusy or another StoreError where that cannot be.
    """
    for state in await store.states():
        if state.access != policy.stamp and state.name != but:
            await _follow(store, policy, state)


async def _follow(store: Store, policy: AccessPolicy, state: SourceState) -> None:
    changes = follow_policy(state.name, await store.ledger(state.name), policy.acl)
    if changes:
        await store.apply(changes)
    try:
        await store.set_state(replace(state, access=policy.stamp))
    except StoreError:
        # An index that nobody may write to is served as long as its ACLs are right.
        if changes:
            raise
