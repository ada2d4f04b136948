"""What one reader may see, as masks over the rows of the index. Computed from visible rows alone, once for each snapshot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from citewell.adapters.stores.bm25 import K1, B
from citewell.adapters.stores.segments import Segment, Standing
from citewell.adapters.stores.vectors import VectorSpace
from citewell.core.globs import path_matcher

if TYPE_CHECKING:
    from numpy.typing import NDArray

Parts = Sequence[tuple[Segment, Standing]]


@dataclass(frozen=True, slots=True)
class Audience:
    """The chunks that one set of access tokens admits, segment by segment, and the statistics of BM25 over them.

    ``documents`` and ``chunks`` are masks; ``norms`` is k1 * (1 - b + b * length / average) for each chunk.
    """

    documents: tuple[NDArray[np.bool_], ...]
    chunks: tuple[NDArray[np.bool_], ...]
    norms: tuple[NDArray[np.float64], ...]
    size: int


@dataclass(frozen=True, slots=True)
class Scope:
    """The documents and the chunks of an audience that filters leave, segment by segment.

    Each is measured by its own fields: a document may be out while a chunk of it is in.
    """

    documents: tuple[NDArray[np.bool_], ...]
    chunks: tuple[NDArray[np.bool_], ...]


@dataclass(frozen=True, slots=True)
class VectorScope:
    """The windows of a scope that have a vector, segment by segment: their chunks and their slots.

    Within a segment they are in order of slots. ``chosen`` marks these slots, ``wide`` lists those that need full scoring;
    ``pending`` says that some window has none.
    """

    windows: tuple[tuple[NDArray[np.int32], NDArray[np.int32]], ...]
    chosen: NDArray[np.bool_]
    total: int
    wide: NDArray[np.int64]
    pending: bool


def find_audience(parts: Parts, admitted: NDArray[np.bool_]) -> Audience:
    """Return who sees what; ``admitted`` says of each ACL, by number, whether it lets the reader in."""
    documents = tuple(standing.alive & admitted[standing.acls] for _, standing in parts)
    chunks = tuple(mask[segment.chunk_documents] for (segment, _), mask in zip(parts, documents, strict=True))
    size = sum(int(np.count_nonzero(mask)) for mask in chunks)
    total = sum(float(segment.chunk_lengths[mask].sum()) for (segment, _), mask in zip(parts, chunks, strict=True))
    average = total / size if total else 1.0
    norms = tuple(K1 * (1 - B + B * segment.chunk_lengths / average) for segment, _ in parts)
    return Audience(documents, chunks, norms, size)


def narrow(
    parts: Parts,
    audience: Audience,
    paths: Sequence[str],
    numbers: Sequence[Sequence[int]],
    facets: NDArray[np.bool_] | None,
) -> Scope:
    """Return what is left of ``audience`` in the globs ``paths``, with labels in ``numbers`` and ``facets`` that are true.

    ``numbers`` has the labels that each column may have. What is empty or None admits everything.
    """
    held: list[NDArray[np.bool_]] = []
    chosen: list[NDArray[np.bool_]] = []
    for (segment, _), mask in zip(parts, audience.documents, strict=True):
        documents = mask
        for column, allowed in enumerate(numbers):
            if allowed:
                documents = documents & np.isin(segment.labels[:, column], allowed)
        if paths:
            documents = documents & _match_paths(segment, documents, paths)
        chunks = documents[segment.chunk_documents]
        held.append(documents if facets is None else documents & facets[segment.facets])
        chosen.append(chunks if facets is None else chunks & facets[segment.chunk_facets])
    return Scope(tuple(held), tuple(chosen))


def find_vectors(parts: Parts, scope: Scope, space: VectorSpace) -> VectorScope:
    """Return which vectors of ``space`` belong to windows within ``scope``."""
    windows: list[tuple[NDArray[np.int32], NDArray[np.int32]]] = []
    chosen = np.zeros(space.size, dtype=np.bool_)
    pending = False
    for (segment, _), mask in zip(parts, scope.chunks, strict=True):
        inside = mask[segment.window_chunks]
        slots = space.slots_of(segment.window_passages[inside])
        ready = slots >= 0
        pending = pending or not bool(ready.all())
        chunks, slots = segment.window_chunks[inside][ready], slots[ready]
        # Nearly in order already, since vectors come in the order of documents: timsort takes one pass.
        order = np.argsort(slots, kind="stable")
        windows.append((chunks[order], slots[order]))
        chosen[slots] = True
    return VectorScope(tuple(windows), chosen, int(np.count_nonzero(chosen)), space.wide(chosen), pending)


def _match_paths(segment: Segment, documents: NDArray[np.bool_], globs: Sequence[str]) -> NDArray[np.bool_]:
    """Say of each document that is still in question whether its path matches; the others need no answer."""
    matches = path_matcher(globs)
    mask = np.zeros(len(documents), dtype=np.bool_)
    paths = segment.decoded_paths
    rows = np.flatnonzero(documents)
    mask[rows] = [matches(paths[row]) for row in rows]
    return mask
