"""Putting the head of a list in the order that a slower, better model gives it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import anyio

from citewell.core.access import Tokens
from citewell.core.errors import VectorSearchFailed
from citewell.core.model import StoredChunk, Window
from citewell.core.ports import Reader, Reranker
from citewell.retrieval.fusion import Fused
from citewell.trace import stage

TIMEOUT: Final = "reranker_timeout"
UNAVAILABLE: Final = "reranker_unavailable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reranking:
    """Which model reorders, and what it may cost.

    It sees the best ``pool`` candidates, whatever k is, and ``chars`` characters of each, for ``budget_ms`` milliseconds at
    most.
    """

    reranker: Reranker
    pool: int = 10
    chars: int = 1_000
    budget_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Reranked:
    """The whole list, the pool in its new order before the others in theirs, and what became of it, ``said`` in words.

    ``trust`` is the score of the best passage, None where nothing was reordered.
    """

    hits: list[Fused]
    said: str
    degraded: tuple[str, ...] = ()
    trust: float | None = None


async def rerank(
    fused: list[Fused], query: str, store: Reader, visible: Tokens, reranking: Reranking, *, tolerant: bool
) -> Reranked:
    """Return ``fused`` with its first ``reranking.pool`` candidates in the order of the reranker's scores, which they get.

    Out of time the list stays as it is and ``reranker_timeout`` is said. Where the reranker fails it stays, too, and
    ``reranker_unavailable`` is said if ``tolerant``; else VectorSearchFailed is raised.
    """
    head = fused[: reranking.pool]
    with stage("rerank"):
        stored = await store.chunks([hit.chunk for hit in head], visible=visible)
        pool = [hit for hit in head if hit.chunk in stored]
        passages = [_passage(stored[hit.chunk], reranking.chars) for hit in pool]
        limit = None if reranking.budget_ms is None else reranking.budget_ms / 1000
        scores: list[float] | None = None
        try:
            with anyio.move_on_after(limit):
                scores = (await reranking.reranker.score(query, passages)).tolist()
        except VectorSearchFailed:
            if not tolerant:
                raise
            return Reranked(fused, "the reranker failed", (UNAVAILABLE,))
    if scores is None:
        return Reranked(fused, "the reranker ran out of time", (TIMEOUT,))
    said = f"the best {len(pool)} reordered by the reranker"
    rest = _below(fused[len(head) :], head[-1].score if head else 0.0, min(scores, default=0.0))
    return Reranked(_reordered(pool, scores) + rest, said, trust=max(scores, default=0.0))


def _passage(stored: StoredChunk, chars: int) -> str:
    return stored.chunk.passage(Window(0, chars), stored.info.title)


def _reordered(pool: Sequence[Fused], scores: Sequence[float]) -> list[Fused]:
    """Return ``pool`` by ``scores``, ties as they were."""
    order = sorted(range(len(pool)), key=lambda place: -scores[place])
    return [replace(pool[place], score=scores[place]) for place in order]


def _below(rest: Sequence[Fused], before: float, ceiling: float) -> list[Fused]:
    """Return ``rest`` with scores that go on from ``ceiling`` as they went on from ``before``."""
    return [replace(hit, score=ceiling * hit.score / before if before > 0 else 0.0) for hit in rest]
