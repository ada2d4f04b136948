"""BM25 as Milvus computes it, over words that we have analysed: ranking, and how much of a query occurs at all."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from citewell.adapters.stores.bm25 import inverse_document_frequency, measure_reach
from citewell.adapters.stores.milvus.engine import Engine, Row
from citewell.adapters.stores.milvus.layout import K1
from citewell.adapters.stores.milvus.rows import index_word
from citewell.adapters.stores.together import together
from citewell.core.ports import LexicalQuery

MOST_TERMS: Final = 64
"""Terms that take part, those that count most; a question of a paragraph has fewer."""

STEPS: Final = 8
"""Milvus counts how often a word stands in the query, and knows no other weights: the heaviest term stands there so often."""

COUNTED: Final = 200
"""A term that so many chunks hold is common; how many more hold it is not asked for."""


class WordSearch:
    """Asks the field ``sparse_vector`` of collections of chunks."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def ranked(
        self, query: LexicalQuery, names: Sequence[str], condition: str, fields: Sequence[str], size: int
    ) -> list[list[tuple[Row, float]]]:
        """Return the best rows of each collection with their scores, in the scale of the terms' weights."""
        weights = heaviest(query.terms)
        if not weights:
            return [[] for _ in names]
        scale = max(weights.values()) / STEPS
        text = " ".join(index_word(term) for term, weight in weights.items() for _ in range(max(1, round(weight / scale))))
        asked = [partial(self._engine.search, name, [text], "sparse_vector", size, condition, fields) for name in names]
        return [[(row, abs(score) * scale) for row, score in hits] for (hits,) in await together(asked)]

    async def reach(self, query: LexicalQuery, names: Sequence[str], visible: str) -> tuple[float, float]:
        """Return the share of the query's weight that occurs in what ``visible`` admits, and what no score exceeds."""
        weights = heaviest(query.terms)
        if not weights:
            return 0.0, 0.0
        words = [index_word(term) for term in weights]
        asked: list[Callable[[], Awaitable[Any]]] = [
            partial(self._engine.search, name, words, "sparse_vector", COUNTED, visible, ("window",)) for name in names
        ]
        asked += [partial(self._engine.count, name, f"window == 0 and {visible}") for name in names]
        answers = await together(asked)
        found, total = answers[: len(names)], sum(answers[len(names) :])
        counts = {term: sum(len(lists[place]) for lists in found) for place, term in enumerate(weights)}
        return _measured(query, weights, counts, total)


def heaviest(terms: Mapping[str, float]) -> dict[str, float]:
    """Return the terms that take part, the heaviest first."""
    kept = sorted((-weight, term) for term, weight in terms.items() if weight > 0)[:MOST_TERMS]
    return {term: -weight for weight, term in kept}


def _measured(
    query: LexicalQuery, weights: Mapping[str, float], counts: Mapping[str, int], total: int
) -> tuple[float, float]:
    worth = {
        term: weight * inverse_document_frequency(max(total, counts[term]), counts[term]) for term, weight in weights.items()
    }
    words = tuple(tuple(term for term in word if term in worth) for word in query.words)
    known = LexicalQuery(query.text, worth, tuple(word for word in words if word))
    coverage, ceiling = measure_reach(known, worth, {term for term in worth if counts[term]})
    return coverage, ceiling * (K1 + 1)
