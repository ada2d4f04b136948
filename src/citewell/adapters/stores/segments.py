"""Segments of the index: the documents, chunks, windows and postings that were indexed together. Immutable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from citewell.adapters.stores.postings import Postings, merge_postings
from citewell.adapters.stores.strings import Strings, decode

if TYPE_CHECKING:
    from numpy.typing import NDArray

LABELS: Final = ("source", "collection", "language", "kind")
"""The fields of a document that filters compare, as columns of ``Segment.labels``."""


@dataclass(frozen=True)
class Segment:
    """Parallel arrays, one element for each document, chunk or window.

    ``documents`` ascends. ``facets`` and ``chunk_facets`` are numbers of `Facets`. ``chunk_documents`` and ``window_chunks``
    hold row numbers within the segment; ``window_passages`` the ids of passages.
    """

    documents: NDArray[np.int64]
    acls: NDArray[np.int32]
    labels: NDArray[np.int32]
    facets: NDArray[np.int32]
    paths: Strings
    chunk_documents: NDArray[np.int32]
    chunk_lengths: NDArray[np.float64]
    chunk_names: Strings
    chunk_facets: NDArray[np.int32]
    window_chunks: NDArray[np.int32]
    window_passages: NDArray[np.int64]
    postings: Postings = field(repr=False)

    @property
    def size(self) -> int:
        """The number of chunks."""
        return len(self.chunk_documents)

    @cached_property
    def decoded_paths(self) -> list[str]:
        """The path of each document."""
        return [decode(path) for path in self.paths.all()]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays by name, to be kept in a file."""
        return {
            "documents": self.documents,
            "acls": self.acls,
            "labels": self.labels,
            "facets": self.facets,
            "paths.data": self.paths.data,
            "paths.ends": self.paths.ends,
            "chunk_documents": self.chunk_documents,
            "chunk_lengths": self.chunk_lengths,
            "chunk_names.data": self.chunk_names.data,
            "chunk_names.ends": self.chunk_names.ends,
            "chunk_facets": self.chunk_facets,
            "window_chunks": self.window_chunks,
            "window_passages": self.window_passages,
            "terms.data": self.postings.terms.data,
            "terms.ends": self.postings.terms.ends,
            "starts": self.postings.starts,
            "rows": self.postings.rows,
            "frequencies": self.postings.frequencies,
        }

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> Segment:
        """Return the segment whose ``arrays`` were kept. Raises KeyError where one is missing."""
        return cls(
            documents=arrays["documents"],
            acls=arrays["acls"],
            labels=arrays["labels"],
            facets=arrays["facets"],
            paths=Strings(arrays["paths.data"], arrays["paths.ends"]),
            chunk_documents=arrays["chunk_documents"],
            chunk_lengths=arrays["chunk_lengths"],
            chunk_names=Strings(arrays["chunk_names.data"], arrays["chunk_names.ends"]),
            chunk_facets=arrays["chunk_facets"],
            window_chunks=arrays["window_chunks"],
            window_passages=arrays["window_passages"],
            postings=Postings(
                terms=Strings(arrays["terms.data"], arrays["terms.ends"]),
                starts=arrays["starts"],
                rows=arrays["rows"],
                frequencies=arrays["frequencies"],
            ),
        )


@dataclass(frozen=True, slots=True)
class Standing:
    """What may change of the documents of a segment: whether they are still there, and their ACLs."""

    alive: NDArray[np.bool_]
    acls: NDArray[np.int32]

    @classmethod
    def of(cls, segment: Segment) -> Standing:
        """Return the standing of a segment to which nothing has happened yet."""
        return cls(np.ones(len(segment.documents), dtype=np.bool_), segment.acls)

    @property
    def dead(self) -> int:
        """How many documents are gone."""
        return len(self.alive) - int(np.count_nonzero(self.alive))


def merge_segments(parts: Sequence[tuple[Segment, Standing]]) -> Segment:
    """Return the living documents of ``parts`` as one segment with their present ACLs. Parts come in order of documents."""
    keep = [standing.alive[segment.chunk_documents] for segment, standing in parts]
    chunk_numbers = _renumber(keep)
    document_numbers = _renumber([standing.alive for _, standing in parts])
    stays = [keep_chunk[segment.window_chunks] for (segment, _), keep_chunk in zip(parts, keep, strict=True)]
    trio = list(zip(parts, keep, chunk_numbers, document_numbers, stays, strict=True))
    return Segment(
        documents=np.concatenate([segment.documents[standing.alive] for segment, standing in parts]),
        acls=np.concatenate([standing.acls[standing.alive] for _, standing in parts]),
        labels=np.concatenate([segment.labels[standing.alive] for segment, standing in parts]),
        facets=np.concatenate([segment.facets[standing.alive] for segment, standing in parts]),
        paths=_join([(segment.paths, standing.alive) for segment, standing in parts]),
        chunk_documents=np.concatenate([new[segment.chunk_documents[kept]] for (segment, _), kept, _, new, _ in trio]),
        chunk_lengths=np.concatenate([segment.chunk_lengths[kept] for (segment, _), kept, *_ in trio]),
        chunk_names=_join([(segment.chunk_names, kept) for (segment, _), kept, *_ in trio]),
        chunk_facets=np.concatenate([segment.chunk_facets[kept] for (segment, _), kept, *_ in trio]),
        window_chunks=np.concatenate([new[segment.window_chunks[stay]] for (segment, _), _, new, _, stay in trio]),
        window_passages=np.concatenate([segment.window_passages[stay] for (segment, _), *_, stay in trio]),
        postings=merge_postings([(segment.postings, new) for (segment, _), _, new, *_ in trio]),
    )


def _renumber(masks: Sequence[NDArray[np.bool_]]) -> list[NDArray[np.int32]]:
    """Return the new numbers of the rows that stay, counted on from mask to mask; -1 for the others."""
    numbers: list[NDArray[np.int32]] = []
    first = 0
    for mask in masks:
        places = np.cumsum(mask, dtype=np.int32) - np.int32(1) + np.int32(first)
        numbers.append(np.where(mask, places, np.int32(-1)))
        first += int(np.count_nonzero(mask))
    return numbers


def _join(parts: Sequence[tuple[Strings, NDArray[np.bool_]]]) -> Strings:
    return Strings.of(
        [string for strings, mask in parts for string, stays in zip(strings.all(), mask.tolist(), strict=True) if stays]
    )
