"""The ranking function of every store whose statistics are ours: BM25 in Lucene's variant."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Final

from citewell.core.ports import LexicalQuery

K1: Final = 3.0
"""How slowly further occurrences of a term stop counting. High, because frequencies are sums of field weights up to 3."""

B: Final = 0.5
"""How much a long chunk is held against it, from 0 (not at all) to 1 (in proportion)."""


def inverse_document_frequency(chunks: int, containing: int) -> float:
    """Return the weight of a term that ``containing`` of ``chunks`` chunks have: ln(1 + (N - df + 0.5) / (df + 0.5)).

    Robertson and Zaragoza, *The Probabilistic Relevance Framework* (2009), with Lucene's ``1 +``, which keeps it positive.
    """
    return math.log(1 + (chunks - containing + 0.5) / (containing + 0.5))


def measure_reach(query: LexicalQuery, worths: Mapping[str, float], present: Collection[str]) -> tuple[float, float]:
    """Return how much of ``query`` occurs at all, 0..1, and a bound that no score exceeds.

    ``worths`` holds each term's weight times its inverse document frequency, ``present`` the terms that visible chunks have.
    A word is worth the sum of its terms that occur; one of which none occurs, as much as its dearest term.
    """
    grouped = {term for word in query.words for term in word}
    words = [*query.words, *((term,) for term in sorted(worths.keys() - grouped))]
    reached = [sum(worths[term] for term in word if term in present) for word in words]
    missed = [max(worths[term] for term in word) for word in words if not any(term in present for term in word)]
    ceiling = sum(reached) + sum(missed)
    return (sum(reached) / ceiling if ceiling else 0.0), ceiling
