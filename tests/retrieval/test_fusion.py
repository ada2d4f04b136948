from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.core.model import ChunkId
from citewell.core.ports import Candidates, Ranked
from citewell.retrieval.fusion import HybridRanker, fuse
from citewell.retrieval.weighing import weigh


def leg(*scores: tuple[str, float], coverage: float | None = None) -> Candidates:
    return Candidates(hits=tuple(Ranked(ChunkId(name), score) for name, score in scores), coverage=coverage)


def order(ranker: HybridRanker, lexical: Candidates, dense: Candidates, weight: float = 0.5) -> list[str]:
    return [hit.chunk for hit in fuse(ranker, lexical, dense, lexical_weight=weight)]


RANKERS: list[HybridRanker] = ["auto", "rrf", "weighted"]


def test_reciprocal_rank_fusion_follows_its_formula() -> None:
    fused = fuse("rrf", leg(("a", 9.0), ("b", 1.0)), leg(("b", 0.9), ("c", 0.8)), lexical_weight=0.5)
    scores = {hit.chunk: hit.score for hit in fused}
    best = 2 / 61
    assert scores == pytest.approx({"b": (1 / 62 + 1 / 61) / best, "a": 1 / 61 / best, "c": 1 / 62 / best})


def test_weighted_fusion_takes_seven_tenths_of_the_dense_score_and_three_of_bm25() -> None:
    fused = fuse("weighted", leg(("a", 8.0), ("b", 2.0)), leg(("b", 0.9), ("c", 0.8), ("a", 0.7)), lexical_weight=0.9)
    scores = {hit.chunk: hit.score for hit in fused}
    assert scores == pytest.approx({"b": 0.3 * 2 / 8 + 0.7, "c": 0.7 * 0.5, "a": 0.3})


@pytest.mark.parametrize("ranker", RANKERS)
def test_a_leg_that_found_nothing_takes_no_part(ranker: HybridRanker) -> None:
    dense = leg(("b", 0.9), ("a", 0.8), ("c", 0.1))
    assert order(ranker, leg(), dense) == ["b", "a", "c"]
    assert order(ranker, dense, leg()) == ["b", "a", "c"]


@pytest.mark.parametrize("ranker", RANKERS)
def test_equal_scores_are_ordered_by_chunk(ranker: HybridRanker) -> None:
    assert order(ranker, leg(), leg(("b", 0.5), ("a", 0.5))) == (["b", "a"] if ranker == "rrf" else ["a", "b"])


def test_ranks_tell_the_place_in_each_leg() -> None:
    fused = fuse("auto", leg(("a", 9.0), ("b", 1.0)), leg(("b", 0.9)), lexical_weight=0.5)
    assert {hit.chunk: dict(hit.ranks) for hit in fused} == {"a": {"bm25": 1}, "b": {"bm25": 2, "dense": 1}}


scores = st.lists(st.floats(0.01, 100, allow_nan=False), min_size=1, max_size=20)


@given(st.sampled_from(RANKERS), scores, scores, st.floats(0, 1))
def test_scores_stay_between_zero_and_one_and_fall(
    ranker: HybridRanker, left: list[float], right: list[float], weight: float
) -> None:
    lexical = leg(*((f"c{n}", score) for n, score in enumerate(sorted(left, reverse=True))))
    dense = leg(*((f"c{n + 5}", score) for n, score in enumerate(sorted(right, reverse=True))))
    fused = fuse(ranker, lexical, dense, lexical_weight=weight)
    values = [hit.score for hit in fused]
    assert values == sorted(values, reverse=True)
    assert all(0 <= value <= 1 + 1e-9 for value in values)
    assert {hit.chunk for hit in fused} == {hit.chunk for hit in (*lexical.hits, *dense.hits)}


def test_bm25_weighs_less_the_less_of_the_query_it_knows() -> None:
    dense = leg(("a", 0.9))
    weights = [weigh(leg(("a", 1.0), coverage=share), dense)[0] for share in (0.1, 0.3, 0.4, 1.0)]
    assert weights == sorted(weights)
    assert weights[0] == 0.0
    assert weights[-1] == 0.6


def test_bm25_weighs_less_where_ten_passages_score_alike() -> None:
    dense = leg(("a", 0.9))
    flat = leg(*((f"c{n}", 2.0 - n / 100) for n in range(12)), coverage=1.0)
    steep = leg(*((f"c{n}", 2.0 / (n + 1)) for n in range(12)), coverage=1.0)
    assert weigh(flat, dense)[0] == pytest.approx(0.18)
    assert weigh(steep, dense)[0] == pytest.approx(0.6)


def test_the_reason_says_which_leg_is_missing() -> None:
    assert weigh(leg(), leg(("a", 0.9)))[1].startswith("vectors alone")
    assert weigh(leg(("a", 1.0), coverage=1.0), leg())[1].startswith("BM25 alone")
