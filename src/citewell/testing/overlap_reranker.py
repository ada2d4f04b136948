"""A reranker without a model: the double of ``Reranker``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from anyio.lowlevel import checkpoint

from citewell.text.terms import query_terms, text_terms

if TYPE_CHECKING:
    from citewell.core.ports.reranking import Scores


class OverlapReranker:
    """Scores a passage by the part of the query's words that stand in it."""

    @property
    def name(self) -> str:
        """Always ``overlap``."""
        return "overlap"

    async def score(self, query: str, passages: Sequence[str]) -> Scores:
        """Return 0..1 for each passage: the share of the query's words that it holds."""
        import numpy as np

        wanted = query_terms(query)
        scores: list[float] = []
        for passage in passages:
            await checkpoint()
            scores.append(wanted.share(set(text_terms(passage, "en"))))
        return np.array(scores, np.float32)
