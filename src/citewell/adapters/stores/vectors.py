"""Exact search among vectors: a fast scan of coarse codes proposes, the stored vectors decide.

A component x of a vector of dimension d becomes one signed byte, round(x * 127 * sqrt(d) / 8): the components of unit vectors
scatter by 1/sqrt(d), so eight times that is room enough. The scale is a constant of the dimension, never taken from a corpus:
what is stored cannot change how something else is ranked. A row with a component beyond the range, or longer than a unit
vector, is called wide and always scored in full.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import faiss
import numpy as np

from citewell.adapters.stores.threads import limit_threads

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from citewell.core.ports import Vectors

RANGE: Final = 8.0
LEVELS: Final = 127
UNIT: Final = 1.001
"""The length of a unit vector after rounding to half precision, at most."""
_BLOCK: Final = 2048
_CERTAINTY: Final = 10.0
"""Standard deviations of a rounding error that the scan allows for."""


def coarse_scale(dimension: int) -> float:
    """Return by how much components are multiplied before they are rounded to a byte."""
    return float(LEVELS * np.sqrt(dimension) / RANGE)


def coarse_query(query: Vectors) -> tuple[Vectors, float]:
    """Return ``query`` in whole steps from -127 to 127, and the length of a step.

    On processors that multiply bytes faiss cuts a query down to bytes itself, and does not scale it first.
    """
    step = float(np.abs(query).max()) / LEVELS
    return np.rint(query / np.float32(step)), step


def slack(query: Vectors) -> float:
    """Return by how much the coarse scores of two rows may be in the wrong order.

    A component of a row is off by at most half a step, 0.5 / scale, and so is one of the query; rows lie within the unit
    ball. Two rows together cannot be off by more than ``worst``. Where components are many their errors, spread evenly over
    a step, mostly cancel; then ten standard deviations of their sum are less, and as good as certain.
    """
    row_step, (_, query_step) = 1 / coarse_scale(query.size), coarse_query(query)
    worst = row_step * float(np.abs(query).sum()) + query_step * float(np.sqrt(query.size))
    spread = float(np.hypot(row_step * np.linalg.norm(query), query_step)) / float(np.sqrt(12))
    return min(worst, _CERTAINTY * spread)


@dataclass(frozen=True, slots=True)
class VectorSegment:
    """Vectors that were loaded together: the passage of each row, its vector (float16), and the codes of all.

    ``wide`` lists the rows whose codes say too little.
    """

    passages: NDArray[np.int64]
    matrix: NDArray[np.float16]
    codes: NDArray[np.uint8]
    wide: NDArray[np.int64]
    index: Any

    @classmethod
    def of(cls, passages: NDArray[np.int64], matrix: NDArray[np.float16]) -> VectorSegment:
        """Return the segment of these vectors."""
        scale = coarse_scale(matrix.shape[1])
        codes = np.empty(matrix.shape, dtype=np.uint8)
        wide = np.empty(len(matrix), dtype=np.bool_)
        for start in range(0, len(matrix), _BLOCK):
            block = matrix[start : start + _BLOCK].astype(np.float32)
            scaled = np.rint(block * scale)
            wide[start : start + _BLOCK] = (np.abs(scaled).max(axis=1) > LEVELS) | (np.linalg.norm(block, axis=1) > UNIT)
            codes[start : start + _BLOCK] = (np.clip(scaled, -LEVELS, LEVELS) + 128).astype(np.uint8)
        return cls.from_arrays({"passages": passages, "matrix": matrix, "codes": codes, "wide": np.flatnonzero(wide)})

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> VectorSegment:
        """Return the segment whose ``arrays`` were kept. Raises KeyError where one is missing."""
        return cls(arrays["passages"], arrays["matrix"], arrays["codes"], arrays["wide"], _scan_over(arrays["codes"]))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays by name, to be kept in a file."""
        return {"passages": self.passages, "matrix": self.matrix, "codes": self.codes, "wide": self.wide}

    def propose(self, query: Vectors, rows: NDArray[np.bool_], amount: int) -> tuple[NDArray[np.int64], Vectors]:
        """Return the ``amount`` best among ``rows`` by their codes, best first, and their coarse scores."""
        if not rows.any():
            return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32)
        limit_threads()
        parameters = None
        if not rows.all():
            bits = np.packbits(rows, bitorder="little")
            parameters = faiss.SearchParameters(sel=faiss.IDSelectorBitmap(bits))  # type: ignore[call-arg, arg-type]
        codes, step = coarse_query(query)
        scores, found = self.index.search(codes[None, :], min(amount, len(rows)), params=parameters)
        hit = found[0] >= 0
        return found[0][hit], scores[0][hit] * np.float32(step / coarse_scale(query.size))


def _scan_over(codes: NDArray[np.uint8]) -> Any:
    """Return a faiss index that reads ``codes`` where they are, be it in a mapped file; they must live as long as it does.

    Where faiss makes a copy of its own, the scan is slower: that memory comes in small pages.
    """
    kind = faiss.ScalarQuantizer.QT_8bit_direct_signed
    index = faiss.IndexScalarQuantizer(codes.shape[1], kind, faiss.METRIC_INNER_PRODUCT)
    # The type stubs know neither of the two; the arguments are where, how many bytes, and an owner: none.
    view, nobody = faiss.MaybeOwnedVectorUInt8.create_view, faiss.MaybeOwnedVectorUInt8().owner  # type: ignore[attr-defined]
    index.codes = view(faiss.swig_ptr(codes), codes.nbytes, nobody)
    index.ntotal = len(codes)
    return index


def exact_scores(matrix: NDArray[np.float16], rows: NDArray[np.int64], query: Vectors) -> Vectors:
    """Return the dot product of ``query`` with each of ``rows``, to the last bit the same whatever the other rows are.

    (A matrix product is not: BLAS adds up in an order that depends on the shape.)
    """
    scores = np.empty(len(rows), dtype=np.float32)
    for start in range(0, len(rows), _BLOCK):
        block = matrix[rows[start : start + _BLOCK]].astype(np.float32)
        np.einsum("ij,j->i", block, query, out=scores[start : start + _BLOCK])
    return scores


@dataclass(frozen=True, slots=True)
class VectorSpace:
    """All vectors of one model. A slot is the number of a row, counted on from segment to segment.

    ``slots`` gives the slot of each passage by its id, -1 where there is none; ``last`` is the newest row of the table here.
    ``saved`` rows come from a file; they are the first segment.
    """

    model: int
    dimension: int
    segments: tuple[VectorSegment, ...] = ()
    slots: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    last: int = 0
    saved: int = 0

    @classmethod
    def kept(cls, model: int, segment: VectorSegment, last: int) -> VectorSpace:
        """Return the space of a segment that comes from a file."""
        passages = segment.passages
        slots = np.full(int(passages.max(initial=-1)) + 1, -1, dtype=np.int32)
        slots[passages] = np.arange(len(passages), dtype=np.int32)
        return cls(model, segment.matrix.shape[1], (segment,), slots, last, len(passages))

    @property
    def size(self) -> int:
        """The number of slots."""
        return sum(len(segment.passages) for segment in self.segments)

    def slots_of(self, passages: NDArray[np.int64]) -> NDArray[np.int32]:
        """Return the slot of each of ``passages``, -1 where it waits for its vector."""
        slots = np.full(len(passages), -1, dtype=np.int32)
        known = passages < len(self.slots)
        slots[known] = self.slots[passages[known]]
        return slots

    def propose(self, query: Vectors, chosen: NDArray[np.bool_], amount: int) -> tuple[NDArray[np.int64], Vectors, float]:
        """Return slots among ``chosen`` with their coarse scores, and the score that all others stay below or equal."""
        slots: list[NDArray[np.int64]] = []
        scores: list[Vectors] = []
        rest = -np.inf
        for first, segment, rows in self._split(chosen):
            found, some = segment.propose(query, rows, amount)
            slots.append(found + first)
            scores.append(some)
            if len(found) == amount:
                rest = max(rest, float(some[-1]))
        return np.concatenate(slots), np.concatenate(scores), rest

    def wide(self, chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the slots among ``chosen`` that codes say too little about."""
        parts = [segment.wide[rows[segment.wide]] + first for first, segment, rows in self._split(chosen)]
        return np.concatenate([np.empty(0, dtype=np.int64), *parts])

    def exact(self, query: Vectors, slots: NDArray[np.int64]) -> Vectors:
        """Return the scores of ``slots`` from the stored vectors."""
        scores = np.empty(len(slots), dtype=np.float32)
        first = 0
        for segment in self.segments:
            here = (slots >= first) & (slots < first + len(segment.passages))
            scores[here] = exact_scores(segment.matrix, slots[here] - first, query)
            first += len(segment.passages)
        return scores

    def _split(self, chosen: NDArray[np.bool_]) -> list[tuple[int, VectorSegment, NDArray[np.bool_]]]:
        parts: list[tuple[int, VectorSegment, NDArray[np.bool_]]] = []
        first = 0
        for segment in self.segments:
            parts.append((first, segment, chosen[first : first + len(segment.passages)]))
            first += len(segment.passages)
        return parts


def extend_space(space: VectorSpace, passages: NDArray[np.int64], matrix: NDArray[np.float16], last: int) -> VectorSpace:
    """Return ``space`` with the vectors of ``passages`` added; ``last`` is the newest row of the table among them."""
    slots = np.full(max(len(space.slots), int(passages.max(initial=-1)) + 1), -1, dtype=np.int32)
    slots[: len(space.slots)] = space.slots
    slots[passages] = np.arange(space.size, space.size + len(passages), dtype=np.int32)
    segments = [*space.segments, VectorSegment.of(passages, matrix)]
    while len(segments) > 1 + bool(space.saved) and len(segments[-2].passages) < 2 * len(segments[-1].passages):
        segments[-2:] = [join_vectors(segments[-2:])]
    return replace(space, segments=tuple(segments), slots=slots, last=last)


def join_vectors(segments: Sequence[VectorSegment], keep: NDArray[np.int64] | None = None) -> VectorSegment:
    """Return ``segments`` as one, with the passages in ``keep`` or with all."""
    passages = np.concatenate([segment.passages for segment in segments])
    stays = np.isin(passages, keep) if keep is not None else np.ones(len(passages), dtype=np.bool_)
    wide = np.zeros(len(passages), dtype=np.bool_)
    first = 0
    for segment in segments:
        wide[segment.wide + first] = True
        first += len(segment.passages)
    return VectorSegment.from_arrays(
        {
            "passages": passages[stays],
            "matrix": np.concatenate([segment.matrix for segment in segments])[stays],
            "codes": np.concatenate([segment.codes for segment in segments])[stays],
            "wide": np.flatnonzero(wide[stays]),
        }
    )
