"""Rules of a store whose scores are ours: statistics of visible chunks alone, our formula, exact order at the cut."""

# ruff: noqa: D102 (the name of a test is its sentence)

from __future__ import annotations

import math

import pytest

from citewell.core.ports import LexicalQuery, Remove, Store
from citewell.core.requests import NO_FILTERS
from citewell.testing.store_samples import ANYONE, embed, find, ids, near, row, sample


class ExactLexicalRules:
    """What BM25 promises where we compute it."""

    async def test_equal_scores_are_ordered_by_chunk_id(self, store: Store) -> None:
        await store.apply([sample("d", "tea", "tea", ids=["m", "b"]), sample("e", "tea", "tea", ids=["a", "z"])])
        assert ids(await find(store, "tea", limit=3)) == ["a", "b", "m"]

    async def test_no_hit_has_a_score_of_zero_or_less(self, store: Store) -> None:
        await store.apply([sample("a", "tea"), sample("b", "pot")])
        query = LexicalQuery("tea pot", {"tea": 1.0, "pot": -1.0})
        found = await store.lexical(query, visible=ANYONE, filters=NO_FILTERS, limit=9)
        assert ids(found) == ["handbook/a#0"]

    async def test_a_term_counts_by_its_weight(self, store: Store) -> None:
        await store.apply([sample("a", "tea"), sample("b", "pot")])
        query = LexicalQuery("tea pot", {"tea": 0.5, "pot": 1.0})
        hits = (await store.lexical(query, visible=ANYONE, filters=NO_FILTERS, limit=9)).hits
        assert [hit.chunk for hit in hits] == ["handbook/b#0", "handbook/a#0"]
        assert hits[0].score == pytest.approx(2 * hits[1].score)

    async def test_coverage_is_the_share_of_the_querys_worth_that_occurs(self, store: Store) -> None:
        await store.apply([sample("a", "tea"), sample("b", "pot")])
        present, absent = math.log(1 + 1.5 / 1.5), math.log(1 + 2.5 / 0.5)
        found = await find(store, "tea moon")
        assert found.coverage == pytest.approx(present / (present + absent))
        assert found.ceiling == pytest.approx(present + absent)

    async def test_a_word_is_covered_by_any_of_its_terms(self, store: Store) -> None:
        await store.apply([sample("a", "tea"), sample("b", "pot")])
        present, absent = math.log(1 + 1.5 / 1.5), math.log(1 + 2.5 / 0.5)
        query = LexicalQuery("teas moon", {"teas": 1.0, "tea": 1.0, "moon": 1.0}, (("teas", "tea"),))
        found = await store.lexical(query, visible=ANYONE, filters=NO_FILTERS, limit=9)
        assert found.coverage == pytest.approx(present / (present + absent))
        assert found.ceiling == pytest.approx(present + absent)

    async def test_without_terms_or_corpus_nothing_is_covered(self, store: Store) -> None:
        assert (await find(store, "tea")).coverage == 0.0
        await store.apply([sample("a", "tea")])
        found = await find(store, "")
        assert (found.hits, found.coverage, found.ceiling) == ((), 0.0, 0.0)

    async def test_every_score_stays_below_the_ceiling(self, store: Store) -> None:
        await store.apply([sample("a", "tea " * 500), sample("b", "pot")])
        found = await find(store, "tea")
        assert found.ceiling is not None
        assert found.ceiling * 0.9 < found.hits[0].score < found.ceiling

    async def test_hidden_chunks_do_not_count_in_statistics(self, store: Store) -> None:
        await store.apply([sample("a", "tea pot"), sample("b", "pot")])
        before = await find(store, "tea pot moon")
        await store.apply([sample(f"secret{n}", "tea moon " * 9, acl=["group:staff"]) for n in range(20)])
        assert await find(store, "tea pot moon") == before

    async def test_what_is_taken_away_or_replaced_counts_no_more(self, store: Store) -> None:
        await store.apply([sample("a", "tea"), sample("b", "pot"), sample("c", "cup")])
        await store.apply([Remove(source="handbook", path="a"), sample("c", "lid")])
        assert [(await find(store, word)).coverage for word in ("tea", "cup", "pot", "lid")] == [0.0, 0.0, 1.0, 1.0]


class ExactDenseRules:
    """What the vector leg promises where we compute it."""

    async def test_a_chunk_scores_by_its_best_window(self, store: Store) -> None:
        await store.apply([sample("a", "aabb", windows=2), sample("b", "cc")])
        await embed(store, {"aa": row(1, 0), "bb": row(0, 1), "cc": row(0.5, 0.75)})
        hits = (await near(store, row(0, 1))).hits
        assert [(hit.chunk, hit.score) for hit in hits] == [("handbook/a#0", 1.0), ("handbook/b#0", 0.75)]

    async def test_equal_similarities_are_ordered_by_chunk_id_at_the_cut_too(self, store: Store) -> None:
        await store.apply([sample("d", *[f"t{n}" for n in range(9)], ids=list("ihgfedcba"))])
        await embed(store, {f"t{n}": row(0.5, 0.25) for n in range(9)})
        assert ids(await near(store, row(1, 0), limit=3)) == ["a", "b", "c"]

    async def test_similarities_of_zero_and_less_are_ranked_too(self, store: Store) -> None:
        await store.apply([sample("a", "x", "y", "z")])
        await embed(store, {"x": row(-1, 0), "y": row(1, 0), "z": row(0, 1)})
        assert [hit.score for hit in (await near(store, row(1, 0))).hits] == [1.0, 0.0, -1.0]

    async def test_each_model_has_its_own_vectors_and_dimension(self, store: Store) -> None:
        await store.apply([sample("a", "tea")])
        await embed(store, {"tea": row(1, 0)})
        await embed(store, {"tea": row(0, 1, 0)}, model="another")
        assert (await near(store, row(1, 0))).hits[0].score == 1.0
        assert (await near(store, row(0, 1, 0), model="another")).hits[0].score == 1.0
