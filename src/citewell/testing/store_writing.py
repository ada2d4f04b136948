"""Rules of the writing side of a store and of its queue of passages. Part of the conformance suite."""

# ruff: noqa: D102 (the name of a test is its sentence)

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from citewell.core.access import group_tokens
from citewell.core.errors import BadLimit, DocumentNotFound, EmbeddingFailed, WrongDimension
from citewell.core.model import Chunk, ChunkId, Document, DocumentInfo, LedgerEntry, Lines, Window, passage_hash
from citewell.core.ports import Note, Recorded, Remove, Replace, SetAccess, SourceState, Store
from citewell.testing.store_samples import ANYONE, MODEL, embed, find, ids, near, row, sample

if TYPE_CHECKING:
    from citewell.core.ports import Vectors

STAFF = group_tokens(frozenset({"staff"}))

FULL = Replace(
    document=Document(
        info=DocumentInfo(
            source="wiki",
            collection="docs",
            id="ünï 🎈",
            path="çay/\ud800.md",
            title="Çay\x00 nedir?",
            language="tr",
            kind="markdown",
            permalink="https://example.org/%C3%A7#L{start}-L{end}",
            version="1.10",
            commit="c0ffee",
            metadata={"author": "Ann", "state": "open"},
        ),
        text="🎈 çay\x00\n\ud800 demlik",
        acl=frozenset({"public", "group:çaycı"}),
    ),
    chunks=(
        Chunk(
            id=ChunkId("c1"),
            ordinal=0,
            start=2,
            end=5,
            text="çay",
            lines=Lines(1, 1),
            breadcrumb=("Giriş", "Çay"),
            symbol="tea.Pot",
            metadata={"level": "2"},
            windows=(Window(0, 2), Window(1, 3)),
        ),
        Chunk(id=ChunkId("c2"), ordinal=1, start=7, end=15, text="\ud800 demlik", lines=Lines(2, 2)),
    ),
    entry=LedgerEntry(path="çay/\ud800.md", outcome="indexed", fingerprint="f", recipe="r", document_id="ünï 🎈"),
)


class WritingRules:
    """What changes promise."""

    async def test_a_document_comes_back_as_it_was_given(self, store: Store) -> None:
        await store.apply([FULL])
        assert await store.document("ünï 🎈", visible=ANYONE) == FULL.document
        outline = await store.outline("ünï 🎈", visible=ANYONE)
        assert tuple(stored.chunk for stored in outline) == FULL.chunks
        assert all(stored.info == FULL.document.info for stored in outline)
        asked = [ChunkId("c2"), ChunkId("absent"), ChunkId("c1")]
        assert list(await store.chunks(asked, visible=ANYONE)) == ["c2", "c1"]
        assert await store.ledger("wiki") == {FULL.entry.path: Recorded(FULL.entry, FULL.document.acl)}

    async def test_a_replaced_document_is_the_new_one_only(self, store: Store) -> None:
        await store.apply([sample("a", "tea", "pot")])
        await embed(store, {"tea": row(1, 0), "pot": row(0, 1)})
        await store.apply([sample("a", "lid")])
        assert (await find(store, "tea pot")).hits == ()
        assert ids(await find(store, "lid")) == ["handbook/a#0"]
        found = await near(store, row(1, 0))
        assert (found.hits, found.pending) == ((), True)
        assert (await store.document("a", visible=ANYONE)).text == "lid"
        assert list(await store.chunks([ChunkId("handbook/a#1")], visible=ANYONE)) == []

    async def test_a_deleted_document_is_gone_at_once(self, store: Store) -> None:
        await store.apply([sample("a", "tea"), sample("b", "pot")])
        await embed(store, {"tea": row(1, 0), "pot": row(0, 1)})
        await near(store, row(0, 1), limit=1)
        await store.apply([Remove(source="handbook", path="a")])
        assert ids(await find(store, "tea pot")) == ["handbook/b#0"]
        assert (await find(store, "tea")).hits == ()
        assert ids(await near(store, row(1, 0))) == ["handbook/b#0"]
        assert await store.chunks([ChunkId("handbook/a#0")], visible=ANYONE) == {}
        assert list(await store.ledger("handbook")) == ["b"]
        with pytest.raises(DocumentNotFound):
            await store.document("a", visible=ANYONE)
        with pytest.raises(DocumentNotFound):
            await store.outline("a", visible=ANYONE)

    async def test_a_removal_may_leave_an_entry_in_the_ledger(self, store: Store) -> None:
        await store.apply([sample("a", "tea")])
        entry = LedgerEntry(path="a", outcome="skipped", reason="binary")
        await store.apply([Remove(source="handbook", path="a", entry=entry)])
        assert await store.ledger("handbook") == {"a": Recorded(entry, None)}

    async def test_changes_to_what_is_not_there_do_nothing(self, store: Store) -> None:
        await store.apply([Remove(source="handbook", path="a"), SetAccess(source="handbook", path="a", acl=ANYONE)])
        await store.drop_source("handbook")
        assert await store.states() == ()
        assert await store.ledger("handbook") == {}

    async def test_another_acl_holds_at_once_and_embeds_nothing_again(self, store: Store) -> None:
        await store.apply([sample("a", "tea"), sample("b", "tea")])
        await embed(store, {"tea": row(1, 0)})
        await store.apply([SetAccess(source="handbook", path="a", acl=STAFF)])
        assert ids(await find(store, "tea")) == ids(await near(store, row(1, 0))) == ["handbook/b#0"]
        assert ids(await find(store, "tea", visible=STAFF)) == ids(await near(store, row(1, 0), visible=STAFF))
        assert await store.pending(MODEL, 10) == []
        assert (await store.ledger("handbook"))["a"].acl == STAFF

    async def test_a_note_leaves_an_earlier_document_in_place(self, store: Store) -> None:
        entry = LedgerEntry(path="a", outcome="failed", reason="bad_encoding", fingerprint="2")
        await store.apply([sample("a", "tea"), Note(source="handbook", entry=entry)])
        assert ids(await find(store, "tea")) == ["handbook/a#0"]
        assert await store.ledger("handbook") == {"a": Recorded(entry, ANYONE)}

    async def test_changes_apply_in_order(self, store: Store) -> None:
        await store.apply([sample("a", "tea"), Remove(source="handbook", path="a"), sample("a", "pot"), sample("b", "lid")])
        assert (await store.document("a", visible=ANYONE)).text == "pot"
        assert set(await store.ledger("handbook")) == {"a", "b"}

    async def test_paths_belong_to_their_source(self, store: Store) -> None:
        await store.apply([sample("a", "tea"), sample("a", "pot", source="wiki")])
        await store.apply([Remove(source="wiki", path="a")])
        assert ids(await find(store, "tea pot")) == ["handbook/a#0"]

    async def test_states_are_kept_by_name(self, store: Store) -> None:
        state = SourceState(name="wiki", collection="docs", repository="r", commit="c", synced_at="t", complete=False)
        await store.set_state(SourceState(name="wiki", collection="old"))
        await store.set_state(state)
        await store.apply([Note(source="attic", entry=LedgerEntry(path="p", outcome="skipped", reason="too_large"))])
        assert await store.states() == (SourceState(name="attic", collection="", complete=False), state)

    async def test_a_dropped_source_leaves_nothing(self, store: Store) -> None:
        await store.apply([sample("a", "tea"), sample("b", "pot", source="wiki")])
        await store.set_state(SourceState(name="handbook", collection="docs"))
        await store.drop_source("handbook")
        assert (await find(store, "tea")).hits == ()
        assert await store.ledger("handbook") == {}
        assert [state.name for state in await store.states()] == ["wiki"]
        assert [passage.text for passage in await store.pending(MODEL, 9)] == ["pot"]

    async def test_closing_twice_is_allowed(self, store: Store) -> None:
        await store.apply([sample("a", "tea")])
        await store.close()
        await store.close()


class QueueRules:
    """What the queue between texts and vectors promises."""

    async def test_passages_wait_oldest_first_and_each_once(self, store: Store) -> None:
        await store.apply([sample("b", "tea", "pot"), sample("a", "pot", "lid")])
        await store.apply([sample("b", "tea", "cup", "pot")])
        assert [passage.text for passage in await store.pending(MODEL, 10)] == ["tea", "pot", "lid", "cup"]
        assert [passage.text for passage in await store.pending(MODEL, 2)] == ["tea", "pot"]
        assert await store.pending(MODEL, 2) == await store.pending(MODEL, 2)
        with pytest.raises(BadLimit):
            await store.pending(MODEL, 0)

    async def test_a_passage_is_the_window_with_its_context(self, store: Store) -> None:
        await store.apply([FULL])
        texts = [FULL.chunks[0].passage(window, FULL.document.info.title) for window in FULL.chunks[0].windows]
        waiting = await store.pending(MODEL, 10)
        assert [passage.text for passage in waiting] == texts
        assert [passage.hash for passage in waiting] == [passage_hash(text) for text in texts]

    async def test_what_has_its_vector_waits_no_more(self, store: Store) -> None:
        await store.apply([sample("a", "tea", "pot")])
        assert await store.progress(MODEL) == (0, 2)
        await embed(store, {"tea": row(1, 0)})
        assert [passage.text for passage in await store.pending(MODEL, 10)] == ["pot"]
        assert await store.progress(MODEL) == (1, 2)
        assert await store.progress("another") == (0, 2)

    async def test_a_vector_given_again_changes_nothing(self, store: Store) -> None:
        await store.apply([sample("a", "tea")])
        for vector in (row(1, 0), row(0, 1)):
            await store.put_vectors(MODEL, {passage_hash("tea"): vector})
        assert (await near(store, row(1, 0))).hits[0].score == 1.0
        assert await store.progress(MODEL) == (1, 1)

    async def test_a_vector_nobody_waits_for_is_left_alone(self, store: Store) -> None:
        await store.put_vectors(MODEL, {passage_hash("tea"): row(1, 0)})
        assert await store.progress(MODEL) == (0, 0)
        await store.apply([sample("a", "tea")])
        assert await store.progress(MODEL) == (0, 1)

    async def test_a_renamed_document_keeps_its_vectors(self, store: Store) -> None:
        await store.apply([sample("a", "tea")])
        await embed(store, {"tea": row(1, 0)})
        await store.apply([Remove(source="handbook", path="a")])
        await store.apply([sample("b", "tea")])
        assert await store.pending(MODEL, 10) == []
        assert ids(await near(store, row(1, 0))) == ["handbook/b#0"]

    async def test_passages_of_a_removed_document_wait_no_more(self, store: Store) -> None:
        await store.apply([sample("a", "tea"), sample("b", "pot")])
        await store.apply([Remove(source="handbook", path="a")])
        assert [passage.text for passage in await store.pending(MODEL, 10)] == ["pot"]
        assert await store.progress(MODEL) == (0, 1)

    @pytest.mark.parametrize("bad", [row(0, 0), row(float("nan"), 1), row(1, float("-inf")), row(0.5, 0.5)])
    async def test_an_unusable_vector_is_refused_and_nothing_stored(self, store: Store, bad: Vectors) -> None:
        await store.apply([sample("a", "tea", "pot")])
        with pytest.raises(EmbeddingFailed):
            await store.put_vectors(MODEL, {passage_hash("tea"): row(1, 0), passage_hash("pot"): bad})
        assert await store.progress(MODEL) == (0, 2)

    @pytest.mark.parametrize("bad", [row(1, 0, 0), row(), row(1, 0).reshape(1, 2)])
    async def test_a_vector_of_another_shape_is_refused_and_nothing_stored(self, store: Store, bad: Vectors) -> None:
        await store.apply([sample("a", "tea", "pot", "lid")])
        await embed(store, {"tea": row(1, 0)})
        with pytest.raises(WrongDimension):
            await store.put_vectors(MODEL, {passage_hash("pot"): row(1, 0), passage_hash("lid"): bad})
        assert await store.progress(MODEL) == (1, 3)
