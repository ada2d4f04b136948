"""How much each leg is worth for one query."""

from __future__ import annotations

from typing import Final

from citewell.core.ports import Candidates

BALANCED: Final = 0.5
"""Weight of BM25 when it knows every word of the query."""

BLIND: Final = 0.35
"""Coverage at and below which BM25 says nothing: the query is in another language than the texts."""


def weigh(lexical: Candidates, dense: Candidates) -> tuple[float, str]:
    """Return the weight of BM25 against vectors, 0..1, and the reason in words.

    Coverage is the share of the query's weight that occurs in the texts at all. It falls when the question is in another
    language, and then BM25 ranks by the few names and numbers that survive.
    """
    if not dense.hits:
        return 1.0, "BM25 alone: no vector took part"
    if not lexical.hits:
        return 0.0, "vectors alone: no word of the query occurs in the texts"
    if lexical.coverage is None:
        return BALANCED, "both legs count the same: the engine does not tell how much of the query it knows"
    weight = BALANCED * min(max((lexical.coverage - BLIND) / (1 - BLIND), 0.0), 1.0)
    share = f"{lexical.coverage:.0%} of the query's weight occurs in the texts"
    return round(weight, 3), f"BM25 counts {weight:.2f}, vectors {1 - weight:.2f}: {share}"
