"""Making one ranking of two: BM25 and vectors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from citewell.core.model import ChunkId
from citewell.core.ports import Candidates, Ranked
from citewell.core.requests import RRF_K

HybridRanker = Literal["auto", "rrf", "weighted"]

WEIGHTED_DENSE: Final = 0.7
"""What vectors count in `weighted`; BM25 counts the rest."""


@dataclass(frozen=True, slots=True)
class Fused:
    """A chunk, its fused score (0..1, the best chunk of a leg that alone counts has 1) and its rank in each leg, from 1."""

    chunk: ChunkId
    score: float
    ranks: Mapping[str, int]


def fuse(ranker: HybridRanker, lexical: Candidates, dense: Candidates, *, lexical_weight: float) -> list[Fused]:
    """Return the chunks of both legs, best first, ties by chunk id.

    ``rrf`` is reciprocal rank fusion (Cormack, Clarke and Büttcher 2009) with k = 60; ``weighted`` takes 0.7 of the dense
    score, scaled to its leg's best and worst, and 0.3 of the BM25 score, as a share of its leg's best; ``auto`` weighs
    the legs by ``lexical_weight``, see `weigh`. A leg that found nothing takes no part.
    """
    if ranker == "rrf":
        scores = _sum(_reciprocal(lexical.hits), _reciprocal(dense.hits))
    elif ranker == "weighted":
        scores = _mix(lexical, dense, 1 - WEIGHTED_DENSE)
    else:
        scores = _mix(lexical, dense, lexical_weight)
    ranks: dict[ChunkId, dict[str, int]] = defaultdict(dict)
    for name, leg in (("bm25", lexical), ("dense", dense)):
        for rank, hit in enumerate(leg.hits, start=1):
            ranks[hit.chunk][name] = rank
    fused = [Fused(chunk, score, ranks[chunk]) for chunk, score in scores.items()]
    return sorted(fused, key=lambda hit: (-hit.score, hit.chunk))


def _reciprocal(hits: Sequence[Ranked]) -> dict[ChunkId, float]:
    best = 2 / (RRF_K + 1)
    return {hit.chunk: 1 / (RRF_K + rank) / best for rank, hit in enumerate(hits, start=1)}


def _mix(lexical: Candidates, dense: Candidates, lexical_weight: float) -> dict[ChunkId, float]:
    if not lexical.hits or not dense.hits:
        return _by_best(lexical.hits) or _by_range(dense.hits)
    return _sum(
        {chunk: lexical_weight * score for chunk, score in _by_best(lexical.hits).items()},
        {chunk: (1 - lexical_weight) * score for chunk, score in _by_range(dense.hits).items()},
    )


def _by_best(hits: Sequence[Ranked]) -> dict[ChunkId, float]:
    """BM25 has a natural zero: a score is its share of the best."""
    return {hit.chunk: hit.score / hits[0].score for hit in hits}


def _by_range(hits: Sequence[Ranked]) -> dict[ChunkId, float]:
    """Cosines live in a narrow band: a score is its place between the last candidate and the first."""
    if not hits:
        return {}
    high, low = hits[0].score, hits[-1].score
    return {hit.chunk: (hit.score - low) / (high - low) if high > low else 1.0 for hit in hits}


def _sum(left: Mapping[ChunkId, float], right: Mapping[ChunkId, float]) -> dict[ChunkId, float]:
    return {chunk: left.get(chunk, 0.0) + right.get(chunk, 0.0) for chunk in left.keys() | right.keys()}
