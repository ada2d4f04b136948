"""How much each leg is worth for one query."""

from __future__ import annotations

from typing import Final

from citewell.core.ports import Candidates

MOST: Final = 0.6
"""Weight of BM25 when it knows the query and one passage stands out."""

BLIND: Final = 0.2
SEEING: Final = 0.5
"""Coverage up to which BM25 says nothing (the query is in another language than the texts), and from which it says all."""

FLAT: Final = 0.2
STEEP: Final = 0.5
LEAST_SHARE: Final = 0.3
"""Lead of the best passage over the tenth up to which BM25 cannot choose, and from which it can; and what it keeps then."""


def weigh(lexical: Candidates, dense: Candidates) -> tuple[float, str]:
    """Return the weight of BM25 against vectors, 0..1, and the reason in words.

    Two things make BM25 a poor witness: it does not know the words of the query, as when the question is in another language
    and only names and numbers survive; or it knows them too well, so that ten passages score alike.
    """
    if not dense.hits:
        return 1.0, "BM25 alone: no vector took part"
    if not lexical.hits:
        return 0.0, "vectors alone: no word of the query occurs in the texts"
    coverage = 1.0 if lexical.coverage is None else lexical.coverage
    lead = _lead(lexical)
    weight = MOST * _ramp(coverage, BLIND, SEEING) * (LEAST_SHARE + (1 - LEAST_SHARE) * _ramp(lead, FLAT, STEEP))
    known = f"{coverage:.0%} of the query's weight occurs in the texts and the best passage leads by {lead:.0%}"
    return round(weight, 3), f"BM25 counts {weight:.2f}, vectors {1 - weight:.2f}: {known}"


def _lead(lexical: Candidates) -> float:
    """Return how far the best BM25 score is ahead of the tenth, as a share of it; where there is no tenth, it is zero."""
    tenth = lexical.hits[9].score if len(lexical.hits) > 9 else 0.0
    return 1 - tenth / lexical.hits[0].score


def _ramp(value: float, low: float, high: float) -> float:
    return min(max((value - low) / (high - low), 0.0), 1.0)
