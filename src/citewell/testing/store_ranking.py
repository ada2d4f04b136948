"""Rules of the reading side of a store: ranking and visibility. Part of the conformance suite."""

# ruff: noqa: D102 (the name of a test is its sentence)

from __future__ import annotations

import pytest

from citewell.core.access import group_tokens
from citewell.core.errors import BadLimit, DocumentNotFound, EmbeddingFailed, WrongDimension
from citewell.core.model import ChunkId
from citewell.core.ports import LexicalQuery, SourceState, Store
from citewell.core.requests import NO_FILTERS, Filters
from citewell.testing.store_samples import ANYONE, embed, find, ids, near, row, sample

STAFF = group_tokens(frozenset({"staff"}))


class LexicalRules:
    """What BM25 promises."""

    async def test_rarer_and_denser_words_rank_higher(self, store: Store) -> None:
        await store.apply([sample("a", "tea tea"), sample("b", "tea pot"), sample("c", "pot pot pot lid")])
        assert ids(await find(store, "tea")) == ["handbook/a#0", "handbook/b#0"]
        assert ids(await find(store, "lid pot"))[0] == "handbook/c#0"

    async def test_a_term_ranks_by_its_weight(self, store: Store) -> None:
        await store.apply([sample("a", "tea"), sample("b", "pot")])
        query = LexicalQuery("tea pot", {"tea": 0.5, "pot": 1.0})
        found = await store.lexical(query, visible=ANYONE, filters=NO_FILTERS, limit=9)
        assert ids(found) == ["handbook/b#0", "handbook/a#0"]

    async def test_without_terms_nothing_is_found(self, store: Store) -> None:
        await store.apply([sample("a", "tea")])
        assert (await find(store, "")).hits == ()

    async def test_filters_leave_statistics_alone(self, store: Store) -> None:
        await store.apply([sample("a", "tea", kind="python"), sample("b", "tea tea pot")])
        plain, narrowed = await find(store, "tea"), await find(store, "tea", filters=Filters(kinds=("python",)))
        assert ids(narrowed) == ["handbook/a#0"]
        assert (narrowed.coverage, narrowed.ceiling) == (plain.coverage, plain.ceiling)
        assert narrowed.hits[0] in plain.hits

    async def test_the_limit_cuts_the_list_and_must_be_positive(self, store: Store) -> None:
        await store.apply([sample("a", *["tea"] * 5)])
        assert len((await find(store, "tea", limit=2)).hits) == 2
        assert len((await find(store, "tea", limit=500)).hits) == 5
        with pytest.raises(BadLimit):
            await find(store, "tea", limit=0)

    async def test_a_chunk_id_that_two_documents_share_is_listed_once(self, store: Store) -> None:
        await store.apply([sample("a", "tea", ids=["x"]), sample("b", "tea tea", ids=["x"]), sample("c", "tea", ids=["y"])])
        assert ids(await find(store, "tea", limit=2)) == ["x", "y"]
        assert (await store.chunks([ChunkId("x")], visible=ANYONE))[ChunkId("x")].info.path == "a"


class DenseRules:
    """What the vector leg promises."""

    async def test_a_chunk_ranks_by_its_best_window(self, store: Store) -> None:
        await store.apply([sample("a", "aabb", windows=2), sample("b", "cc")])
        await embed(store, {"aa": row(1, 0), "bb": row(0, 1), "cc": row(0.6, 0.8)})
        hits = (await near(store, row(0, 1))).hits
        assert [(hit.chunk, round(hit.score, 2)) for hit in hits] == [("handbook/a#0", 1.0), ("handbook/b#0", 0.8)]

    async def test_similarities_below_zero_are_ranked_too(self, store: Store) -> None:
        await store.apply([sample("a", "x", "y", "z")])
        await embed(store, {"x": row(-1, 0), "y": row(1, 0), "z": row(0, 1)})
        assert ids(await near(store, row(1, 0))) == ["handbook/a#1", "handbook/a#2", "handbook/a#0"]

    async def test_pending_tells_of_visible_chunks_within_the_filters(self, store: Store) -> None:
        await store.apply([sample("a", "x"), sample("b", "y", kind="code"), sample("c", "z", acl=["group:staff"])])
        await embed(store, {"x": row(1, 0)})
        assert (await near(store, row(1, 0))).pending
        assert not (await near(store, row(1, 0), filters=Filters(kinds=("markdown",)))).pending
        await embed(store, {"y": row(1, 0)})
        assert not (await near(store, row(1, 0))).pending
        assert (await near(store, row(1, 0), visible=ANYONE | STAFF)).pending

    async def test_a_chunk_without_windows_waits_for_nothing(self, store: Store) -> None:
        await store.apply([sample("a", "x", windows=0)])
        found = await near(store, row(1, 0))
        assert (found.hits, found.pending) == ((), False)

    async def test_an_unknown_model_has_no_hits_and_everything_pending(self, store: Store) -> None:
        await store.apply([sample("a", "x")])
        await embed(store, {"x": row(1, 0)})
        found = await near(store, row(1, 0, 0), model="another")
        assert (found.hits, found.pending) == ((), True)

    async def test_a_query_of_another_dimension_is_refused(self, store: Store) -> None:
        await store.apply([sample("a", "x")])
        await embed(store, {"x": row(1, 0)})
        with pytest.raises(WrongDimension):
            await near(store, row(1, 0, 0))

    @pytest.mark.parametrize("vector", [row(0, 0), row(float("nan"), 1), row(float("inf"), 1), row(0.5, 0.5)])
    async def test_a_query_no_model_means_to_ask_is_refused(self, store: Store, vector: object) -> None:
        with pytest.raises(EmbeddingFailed):
            await near(store, vector)  # type: ignore[arg-type]

    async def test_the_limit_cuts_and_must_be_positive(self, store: Store) -> None:
        await store.apply([sample("a", "x", "y")])
        await embed(store, {"x": row(1, 0), "y": row(0, 1)})
        assert len((await near(store, row(1, 0), limit=1)).hits) == 1
        with pytest.raises(BadLimit):
            await near(store, row(1, 0), limit=0)


class VisibilityRules:
    """What permissions promise: a hidden document does not exist."""

    async def test_a_document_is_seen_by_those_who_hold_one_of_its_tokens(self, store: Store) -> None:
        await store.apply([sample("a", "tea", acl=["group:staff", "user:ann"]), sample("b", "tea")])
        assert ids(await find(store, "tea", visible=frozenset({"user:ann"}))) == ["handbook/a#0"]
        assert len((await find(store, "tea", visible=ANYONE | STAFF)).hits) == 2
        assert (await find(store, "tea", visible=frozenset())).hits == ()

    async def test_an_empty_acl_admits_nobody(self, store: Store) -> None:
        await store.apply([sample("a", "tea", acl=[])])
        await embed(store, {"tea": row(1, 0)})
        for visible in (frozenset[str](), ANYONE, ANYONE | STAFF, frozenset({""})):
            assert (await find(store, "tea", visible=visible)).hits == ()
            assert (await near(store, row(1, 0), visible=visible)).hits == ()
            assert await store.sources(visible=visible) == ()
            with pytest.raises(DocumentNotFound):
                await store.document("a", visible=visible)

    async def test_hidden_and_absent_documents_answer_alike(self, store: Store) -> None:
        await store.apply([sample("a", "tea", acl=["group:staff"])])
        messages = []
        for name in ("a", "absent"):
            for call in (store.document, store.outline):
                with pytest.raises(DocumentNotFound) as caught:
                    await call(name, visible=ANYONE)
                messages.append(caught.value.message)
        assert len(set(messages)) == 1
        assert await store.chunks([ChunkId("handbook/a#0")], visible=ANYONE) == {}

    async def test_an_id_in_two_sources_means_the_first_visible_by_source_name(self, store: Store) -> None:
        changes = [sample("a", "tea", source=name, acl=[acl]) for name, acl in [("z", "public"), ("b", "group:staff")]]
        await store.apply(changes)
        assert (await store.document("a", visible=ANYONE | STAFF)).info.source == "b"
        assert (await store.document("a", visible=ANYONE)).info.source == "z"
        assert (await store.outline("a", visible=ANYONE))[0].info.source == "z"

    async def test_sources_count_what_the_asker_may_read(self, store: Store) -> None:
        await store.apply([sample("a", "tea", "pot"), sample("b", "lid", acl=["group:staff"])])
        await store.apply([sample("c", "tea", source="attic", acl=["group:staff"])])
        state = SourceState(name="handbook", collection="docs", commit="c0ffee", synced_at="2026-01-01T00:00:00Z")
        await store.set_state(state)
        (mine,) = await store.sources(visible=ANYONE)
        assert (mine.state, mine.documents, mine.chunks) == (state, 1, 2)
        both = await store.sources(visible=STAFF | ANYONE)
        assert [(count.state.name, count.documents, count.chunks) for count in both] == [("attic", 1, 1), ("handbook", 2, 3)]

    async def test_a_source_without_a_state_is_incomplete(self, store: Store) -> None:
        await store.apply([sample("a", "tea")])
        (count,) = await store.sources(visible=ANYONE)
        assert count.state == SourceState(name="handbook", collection="docs", complete=False)
