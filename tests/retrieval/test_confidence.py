from __future__ import annotations

from citewell.core.model import ChunkId
from citewell.core.ports import Candidates, Ranked
from citewell.retrieval.confidence import confidence


def leg(*scores: float, coverage: float | None = None, ceiling: float | None = None) -> Candidates:
    hits = tuple(Ranked(ChunkId(f"c{n}"), score) for n, score in enumerate(scores))
    return Candidates(hits=hits, coverage=coverage, ceiling=ceiling)


NOTHING = leg()


def test_nothing_found_is_no_confidence() -> None:
    assert confidence("bundled/x", 4, NOTHING, NOTHING) == 0.0


def test_a_cosine_that_stands_out_is_trusted_and_one_among_equals_is_not() -> None:
    outstanding = confidence("bundled/x", 4, NOTHING, leg(0.80, *[0.68, 0.66] * 9))
    among_equals = confidence("bundled/x", 4, NOTHING, leg(0.80, *[0.79, 0.66] * 9))
    assert among_equals < outstanding - 0.2


def test_the_only_passage_of_a_small_corpus_is_held_against_the_models_background() -> None:
    assert confidence("bundled/x", 4, NOTHING, leg(0.66)) < 0.3 < confidence("bundled/x", 4, NOTHING, leg(0.80))


def test_the_more_of_the_query_a_passage_holds_the_more_it_is_trusted() -> None:
    values = [confidence("bundled/x", 4, leg(score, coverage=1.0, ceiling=10.0), NOTHING) for score in (0.5, 2.0, 5.0)]
    assert values == sorted(values)
    assert values[0] < 0.3 < values[-1]


def test_the_cosines_of_a_model_nobody_calibrated_are_not_trusted() -> None:
    words = leg(1.0, coverage=1.0, ceiling=10.0)
    assert confidence("hash/256", 4, words, leg(0.99, 0.1)) == confidence("hash/256", 4, words, leg(0.3, 0.1))


def test_candidates_beyond_the_field_change_nothing() -> None:
    few = leg(0.8, *[0.7] * 49)
    many = leg(0.8, *[0.7] * 49, *[0.1] * 40)
    assert confidence("bundled/x", 4, NOTHING, few) == confidence("bundled/x", 4, NOTHING, many)
