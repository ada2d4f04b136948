"""Which terms occur in which chunks, and how often: the blob a document keeps in SQLite, and the arrays BM25 reads."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from citewell.adapters.stores.strings import Strings, encode

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from citewell.text.terms import TermVector

_HEADER: Final = struct.Struct("<III")

_GRAIN: Final = 2.0**20
"""Lengths are kept in steps of 2**-20. Sums of such numbers are exact, hence the same in any order: hidden rows between
visible ones cannot change the last bit of an average."""


@dataclass(frozen=True, slots=True)
class Postings:
    """For each of the sorted ``terms``: its rows and weighted frequencies, between ``starts[i]`` and ``starts[i + 1]``."""

    terms: Strings
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    frequencies: NDArray[np.float32]

    def find(self, term: bytes) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return the rows that have ``term`` in ascending order, and its frequency in each."""
        place = self.terms.find(term)
        span = slice(0) if place is None else slice(int(self.starts[place]), int(self.starts[place + 1]))
        return self.rows[span], self.frequencies[span]


def pack_terms(vectors: Sequence[TermVector]) -> bytes:
    """Return the terms of a document's chunks as a compact blob."""
    places: dict[str, list[int]] = {}
    counts: dict[str, list[float]] = {}
    for row, vector in enumerate(vectors):
        for term, frequency in vector.frequencies.items():
            if term in places:
                places[term].append(row)
                counts[term].append(frequency)
            else:
                places[term] = [row]
                counts[term] = [frequency]
    encoded = sorted((encode(term), term) for term in places)
    rows = [row for _, term in encoded for row in places[term]]
    parts = (
        _HEADER.pack(len(vectors), len(encoded), len(rows)),
        np.rint(np.array([vector.length for vector in vectors], dtype=np.float64) * _GRAIN).tobytes(),
        np.array([len(name) for name, _ in encoded], dtype=np.uint32).tobytes(),
        np.array([len(places[term]) for _, term in encoded], dtype=np.uint32).tobytes(),
        np.array(rows, dtype=np.uint32).tobytes(),
        np.array([count for _, term in encoded for count in counts[term]], dtype=np.float32).tobytes(),
        *(name for name, _ in encoded),
    )
    return zlib.compress(b"".join(parts), 1)


def unpack_terms(blob: bytes) -> tuple[Postings, NDArray[np.float64]]:
    """Return what ``pack_terms`` was given: postings with rows from 0, and the length of each chunk."""
    data = zlib.decompress(blob)
    chunks, terms, entries = _HEADER.unpack_from(data)
    place = _HEADER.size
    lengths = np.frombuffer(data, dtype=np.float64, count=chunks, offset=place) / _GRAIN
    place += 8 * chunks
    ends = np.zeros(terms + 1, dtype=np.int64)
    np.cumsum(np.frombuffer(data, dtype=np.uint32, count=terms, offset=place), out=ends[1:])
    place += 4 * terms
    starts = np.zeros(terms + 1, dtype=np.int64)
    np.cumsum(np.frombuffer(data, dtype=np.uint32, count=terms, offset=place), out=starts[1:])
    place += 4 * terms
    rows = np.frombuffer(data, dtype=np.uint32, count=entries, offset=place).astype(np.int32)
    place += 4 * entries
    frequencies = np.frombuffer(data, dtype=np.float32, count=entries, offset=place)
    names = Strings(np.frombuffer(data, dtype=np.uint8, offset=place + 4 * entries), ends)
    return Postings(names, starts, rows, frequencies), lengths


def merge_postings(parts: Sequence[tuple[Postings, NDArray[np.int32]]]) -> Postings:
    """Return all ``parts`` as one. Each comes with the new number of each of its rows, -1 for a row that goes away.

    New numbers must ascend within a part and from part to part.
    """
    names = [part.terms.all() for part, _ in parts]
    vocabulary = sorted(set().union(*names))
    place_of = {term: place for place, term in enumerate(vocabulary)}
    kept = [_keep(part, numbers) for part, numbers in parts]
    places = [np.fromiter((place_of[term] for term in terms), dtype=np.int64, count=len(terms)) for terms in names]
    totals = np.zeros(len(vocabulary), dtype=np.int64)
    for place, (_, _, counts) in zip(places, kept, strict=True):
        totals[place] += counts
    starts = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(totals)))
    rows = np.empty(starts[-1], dtype=np.int32)
    frequencies = np.empty(starts[-1], dtype=np.float32)
    free = starts[:-1].copy()
    for place, (some_rows, some_frequencies, counts) in zip(places, kept, strict=True):
        first = np.cumsum(counts) - counts
        target = np.repeat(free[place] - first, counts) + np.arange(len(some_rows))
        rows[target] = some_rows
        frequencies[target] = some_frequencies
        free[place] += counts
    alive = totals > 0
    left = Strings.of([term for term, lives in zip(vocabulary, alive.tolist(), strict=True) if lives])
    return Postings(left, np.concatenate((starts[:1], starts[1:][alive])), rows, frequencies)


def _keep(part: Postings, numbers: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.float32], NDArray[np.int64]]:
    """Return the rows of ``part`` under their new numbers, their frequencies, and how many each term keeps."""
    counts = np.diff(part.starts)
    rows = numbers[part.rows]
    stays = rows >= 0
    if stays.all():
        return rows, part.frequencies, counts
    terms = np.repeat(np.arange(len(counts)), counts)[stays]
    return rows[stays], part.frequencies[stays], np.bincount(terms, minlength=len(counts))
