"""The two legs over the arrays of the index: BM25 and similarity, with order that depends on visible rows alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from citewell.adapters.stores.bm25 import inverse_document_frequency, measure_reach
from citewell.adapters.stores.segments import Segment
from citewell.adapters.stores.strings import Strings, decode, encode
from citewell.adapters.stores.vectors import VectorSpace, slack
from citewell.adapters.stores.visibility import Audience, Parts, Scope, VectorScope
from citewell.core.model import ChunkId
from citewell.core.ports import Candidates, LexicalQuery, Ranked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from citewell.core.ports import Vectors

PROPOSED: Final = 512
"""How many vectors the scan proposes at first; a longer list costs the scan nothing worth mention."""


@dataclass(frozen=True, slots=True)
class Scored:
    """Scores of some rows of a segment, and the chunk names of all its rows."""

    rows: NDArray[Any]
    scores: NDArray[Any]
    names: Strings

    def top(self, amount: int) -> Scored:
        """Return the best ``amount`` rows, and all that score like the last of them."""
        if len(self.scores) <= amount:
            return self
        cut = np.partition(self.scores, len(self.scores) - amount)[len(self.scores) - amount]
        keep = self.scores >= cut
        return Scored(self.rows[keep], self.scores[keep], self.names)


def rank_terms(parts: Parts, audience: Audience, scope: Scope, query: LexicalQuery, limit: int) -> Candidates:
    """Return the best chunks of ``scope`` by BM25 with the statistics of ``audience``."""
    totals = [np.zeros(segment.size, dtype=np.float64) for segment, _ in parts]
    worths: dict[str, float] = {}
    present: set[str] = set()
    for term, weight in sorted(query.terms.items()):
        found = [_find(segment, mask, term) for (segment, _), mask in zip(parts, audience.chunks, strict=True)]
        containing = sum(len(rows) for rows, _ in found)
        worths[term] = weight * inverse_document_frequency(audience.size, containing)
        if containing:
            present.add(term)
        for place, (rows, frequencies) in enumerate(found):
            if scope.chunks is not audience.chunks:
                inside = scope.chunks[place][rows]
                rows, frequencies = rows[inside], frequencies[inside]
            totals[place][rows] += worths[term] * frequencies / (frequencies + audience.norms[place][rows])
    coverage, ceiling = measure_reach(query, worths, present)
    scored = [_above_zero(some, segment.chunk_names) for some, (segment, _) in zip(totals, parts, strict=True)]
    return Candidates(hits=_best(scored, limit), coverage=coverage, ceiling=ceiling)


def _find(segment: Segment, mask: NDArray[np.bool_], term: str) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Return the rows within ``mask`` that have ``term``, and how often."""
    rows, frequencies = segment.postings.find(encode(term))
    inside = mask[rows]
    if not inside.all():
        rows, frequencies = rows[inside], frequencies[inside]
    return rows, frequencies.astype(np.float64)


def _above_zero(totals: NDArray[np.float64], names: Strings) -> Scored:
    rows = np.flatnonzero(totals > 0)
    return Scored(rows, totals[rows], names)


def rank_vectors(parts: Parts, scope: VectorScope, space: VectorSpace, query: Vectors, limit: int) -> Candidates:
    """Return the chunks of ``scope`` nearest to ``query`` by their best windows."""
    amount = limit
    while True:
        slots = _nearest_slots(parts, scope, space, query, amount)
        scored = _by_chunk(parts, scope, slots, space.exact(query, slots))
        hits = _best(scored, limit)
        # Fewer than asked for where chunks share an id: look further, unless everything was looked at.
        if len(hits) == limit or len(slots) == scope.total:
            return Candidates(hits=hits, pending=scope.pending)
        amount *= 4


def _nearest_slots(parts: Parts, scope: VectorScope, space: VectorSpace, query: Vectors, chunks: int) -> NDArray[np.int64]:
    """Return slots that hold the best windows of the ``chunks`` best chunks, and few others."""
    amount = max(PROPOSED, 2 * chunks)
    while amount < scope.total:
        slots, scores, rest = space.propose(query, scope.chosen, amount)
        found = np.concatenate([part.scores for part in _by_chunk(parts, scope, slots, scores)])
        if len(found) >= chunks:
            enough = float(np.partition(found, len(found) - chunks)[len(found) - chunks]) - slack(query)
            if rest < enough:
                return np.union1d(slots[scores >= enough], scope.wide)
        amount *= 8
    return np.flatnonzero(scope.chosen)


def _by_chunk(parts: Parts, scope: VectorScope, slots: NDArray[np.int64], scores: Vectors) -> list[Scored]:
    """Return the score of every chunk of ``scope`` that has one of ``slots``: the best of its windows."""
    scored: list[Scored] = []
    for (segment, _), (chunks, window_slots) in zip(parts, scope.windows, strict=True):
        # Of the same type, or numpy converts the long array, not the short one.
        wanted = slots.astype(window_slots.dtype)
        first = np.searchsorted(window_slots, wanted)
        counts = np.searchsorted(window_slots, wanted, side="right") - first
        windows = np.repeat(first - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())
        rows, inverse = np.unique(chunks[windows], return_inverse=True)
        best = np.full(len(rows), -np.inf, dtype=np.float32)
        np.maximum.at(best, inverse, np.repeat(scores, counts))
        scored.append(Scored(rows, best, segment.chunk_names))
    return scored


def _best(parts: Sequence[Scored], limit: int) -> tuple[Ranked, ...]:
    """Return the ``limit`` best chunks, ties by id; of chunks that share an id, the best."""
    everything = sum(len(part.rows) for part in parts)
    amount = limit
    while True:
        tops = [part.top(amount) for part in parts]
        pairs = [pair for top in tops for pair in zip((-top.scores).tolist(), top.names.pick(top.rows.tolist()), strict=True)]
        best: dict[bytes, float] = {}
        for score, name in sorted(pairs):
            best.setdefault(name, -score)
        if len(best) >= limit or len(pairs) == everything:
            return tuple(Ranked(ChunkId(decode(name)), score) for name, score in list(best.items())[:limit])
        amount *= 4
