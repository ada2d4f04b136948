"""What every store does about access: rules change it, a document of its own keeps it, and what is hidden leaves no count."""

from __future__ import annotations

import pytest

from citewell.core.errors import DocumentNotFound
from citewell.core.model import LedgerEntry
from citewell.core.ports import Note, PinAccess, Remove, SetAccess, SourceState, Store
from citewell.testing.store_samples import ANYONE, find, ids, sample

STAFF = frozenset({"group:staff"})
BOARD = frozenset({"group:board"})


class AccessRules:
    """Part of the store suite."""

    async def test_a_pinned_acl_holds_whatever_the_rules_say(self, store: Store) -> None:
        """Neither rules nor a new version of the file change it."""
        await store.apply([sample("a", "tea"), PinAccess(source="handbook", path="a", acl=STAFF)])
        await store.apply([SetAccess(source="handbook", path="a", acl=ANYONE), sample("a", "tea pot")])
        assert ids(await find(store, "tea")) == []
        assert ids(await find(store, "pot", visible=STAFF)) == ["handbook/a#0"]
        recorded = (await store.ledger("handbook"))["a"]
        assert (recorded.acl, recorded.pinned) == (STAFF, True)

    async def test_a_released_document_follows_the_rules_again(self, store: Store) -> None:
        """Until they speak, it keeps what it has."""
        await store.apply([sample("a", "tea"), PinAccess(source="handbook", path="a", acl=STAFF)])
        await store.apply([PinAccess(source="handbook", path="a", acl=None)])
        assert ids(await find(store, "tea")) == []
        await store.apply([SetAccess(source="handbook", path="a", acl=ANYONE)])
        assert ids(await find(store, "tea")) == ["handbook/a#0"]
        assert not (await store.ledger("handbook"))["a"].pinned

    async def test_a_document_that_comes_back_is_not_pinned(self, store: Store) -> None:
        """Taking a document away takes its own ACL away."""
        await store.apply([sample("a", "tea"), PinAccess(source="handbook", path="a", acl=STAFF)])
        await store.apply([Remove(source="handbook", path="a"), sample("a", "tea")])
        assert ids(await find(store, "tea")) == ["handbook/a#0"]

    async def test_pinning_what_is_not_there_does_nothing(self, store: Store) -> None:
        """There is nothing to be kept for later."""
        await store.apply([PinAccess(source="handbook", path="a", acl=STAFF), sample("a", "tea")])
        assert ids(await find(store, "tea")) == ["handbook/a#0"]

    async def test_the_stamp_of_the_policy_is_kept(self, store: Store) -> None:
        """A later service can tell whether the ACLs are those of its policy."""
        state = SourceState(name="handbook", collection="docs", access="cafe")
        await store.set_state(state)
        assert await store.states() == (state,)

    async def test_outdated_documents_are_counted_for_those_who_may_read_them(self, store: Store) -> None:
        """A hidden file that fails shows to nobody else, nor does a file that never was a document."""
        await store.apply([sample("a", "tea"), sample("b", "pot", acl=["group:board"])])
        notes = [Note(source="handbook", entry=LedgerEntry(path=path, outcome="failed", reason="x")) for path in "bc"]
        await store.apply(notes)
        (mine,), (theirs,) = await store.sources(visible=ANYONE), await store.sources(visible=BOARD)
        assert (mine.outdated, theirs.outdated) == (0, 1)

    async def test_of_two_documents_with_one_id_each_reader_sees_the_first_that_is_his(self, store: Store) -> None:
        """Within one source, the order is that of paths."""
        first = sample("a", "tea", acl=["group:board"], id="same")
        await store.apply([first, sample("b", "pot", acl=["public", "group:board"], id="same")])
        assert (await store.document("same", visible=ANYONE)).text == "pot"
        assert (await store.document("same", visible=BOARD)).text == "tea"
        with pytest.raises(DocumentNotFound):
            await store.document("same", visible=STAFF)
