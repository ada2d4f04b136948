"""What the index knows at one moment. A search works on one snapshot from its beginning to its end."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar, cast

import numpy as np

from citewell.adapters.stores.facets import Facets
from citewell.adapters.stores.loading import Position
from citewell.adapters.stores.segments import Segment, Standing, merge_segments
from citewell.adapters.stores.strings import encode
from citewell.adapters.stores.vectors import VectorSpace
from citewell.adapters.stores.visibility import Audience, Parts, Scope, VectorScope, find_audience, find_vectors, narrow
from citewell.core.access import Acl, Tokens
from citewell.core.requests import NO_FILTERS, Filters

if TYPE_CHECKING:
    from numpy.typing import NDArray

START: Final = Position()

REMEMBERED: Final = 32
"""How many masks a snapshot keeps. Over a million chunks, those of one audience take nine megabytes."""

NO_LABEL: Final = -1

T = TypeVar("T")


class Vocabulary:
    """The ACLs, labels and facets that numbers stand for. Only ever grows, so that snapshots may share it."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.acls = 0
        self.last_label = 0
        self.facets = Facets()
        self._by_token: dict[str, list[int]] = {}
        self._labels: dict[str, int] = {}
        self._texts: dict[int, str] = {}

    def add_acl(self, number: int, acl: Acl) -> None:
        """Learn what the ACL ``number`` is."""
        for token in acl:
            self._by_token.setdefault(token, []).append(number)
        self.acls = number

    def add_label(self, number: int, text: str) -> None:
        """Learn what the label ``number`` is."""
        self._labels[text] = number
        self._texts[number] = text
        self.last_label = number

    def admitted(self, visible: Tokens) -> NDArray[np.bool_]:
        """Say of each ACL, by number, whether it lets a reader with ``visible`` in."""
        mask = np.zeros(self.acls + 1, dtype=np.bool_)
        for token in visible:
            mask[self._by_token.get(token, [])] = True
        return mask

    def numbers(self, texts: Iterable[str]) -> list[int]:
        """Return the labels of ``texts``; those that nothing has are given a number that nothing has."""
        return [self._labels.get(text, NO_LABEL) for text in texts]

    def text(self, number: int) -> str:
        """Return what the label ``number`` stands for."""
        return self._texts[number]


@dataclass(frozen=True)
class Snapshot:
    """Segments in order of documents with the standing of each, and the vectors of the models that were asked for.

    ``position`` and ``last_vector`` say how far the tables were read. ``saved`` documents come from a file; they are
    ``parts[0]``.
    """

    vocabulary: Vocabulary
    position: Position = START
    last_vector: int = 0
    saved: int = 0
    parts: tuple[tuple[Segment, Standing], ...] = ()
    spaces: Mapping[str, VectorSpace] = field(default_factory=dict)
    _cache: dict[Hashable, object] = field(default_factory=dict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def unsaved(self) -> int:
        """How many documents came or went since the file was written."""
        held = sum(len(segment.documents) for segment, _ in self.parts)
        return held - self.saved + sum(standing.dead for _, standing in self.parts)

    def audience(self, visible: Tokens) -> Audience:
        """Return what a reader with ``visible`` sees."""
        return self._remember(visible, lambda: find_audience(self.parts, self.vocabulary.admitted(visible)))

    def scope(self, visible: Tokens, filters: Filters) -> Scope:
        """Return what of it ``filters`` leave."""
        audience = self.audience(visible)
        if filters == NO_FILTERS:
            return Scope(audience.documents, audience.chunks)
        fields = (filters.sources, filters.collections, filters.languages, filters.kinds)
        numbers = [self.vocabulary.numbers(texts) for texts in fields]
        facets = self.vocabulary.facets.admitted(filters)
        return self._remember((visible, filters), lambda: narrow(self.parts, audience, filters.paths, numbers, facets))

    def vectors(self, visible: Tokens, filters: Filters, space: VectorSpace) -> VectorScope:
        """Return the vectors of ``space`` in it."""
        scope = self.scope(visible, filters)
        return self._remember((visible, filters, space.model, space.last), lambda: find_vectors(self.parts, scope, space))

    def listed(self, visible: Tokens, filters: Filters) -> NDArray[np.int64]:
        """Return the documents in it by source and path."""
        scope = self.scope(visible, filters)
        return self._remember((visible, filters, "list"), lambda: self._in_order(scope))

    def _in_order(self, scope: Scope) -> NDArray[np.int64]:
        places: list[tuple[bytes, bytes, int]] = []
        for (segment, _), mask in zip(self.parts, scope.documents, strict=True):
            rows = np.flatnonzero(mask)
            sources = [encode(self.vocabulary.text(number)) for number in segment.labels[rows, 0].tolist()]
            paths = segment.paths.pick(rows.tolist())
            places += zip(sources, paths, segment.documents[rows].tolist(), strict=True)
        return np.array([document for *_, document in sorted(places)], dtype=np.int64)

    def counts(self, visible: Tokens) -> dict[str, tuple[str, int, int]]:
        """Return, by source, a collection and the numbers of documents and chunks that a reader with ``visible`` sees."""
        found: dict[str, tuple[str, int, int]] = {}
        for (segment, _), mask in zip(self.parts, self.audience(visible).documents, strict=True):
            sizes = np.bincount(segment.chunk_documents, minlength=len(mask))
            for source in np.unique(segment.labels[mask, 0]).tolist():
                rows = mask & (segment.labels[:, 0] == source)
                collections = [self.vocabulary.text(number) for number in np.unique(segment.labels[rows, 1]).tolist()]
                name = self.vocabulary.text(source)
                collection, documents, chunks = found.get(name, (collections[0], 0, 0))
                documents, chunks = documents + int(np.count_nonzero(rows)), chunks + int(sizes[rows].sum())
                found[name] = (min(collection, *collections), documents, chunks)
        return found

    def _remember(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what ``make`` made for ``key`` before, or makes now."""
        with self._lock:
            if key in self._cache:
                self._cache[key] = self._cache.pop(key)
                return cast("T", self._cache[key])
        made = make()
        with self._lock:
            self._cache[key] = made
            while len(self._cache) > REMEMBERED:
                del self._cache[next(iter(self._cache))]
        return made


def amend(parts: Parts, log: Sequence[tuple[int, int | None]]) -> list[tuple[Segment, Standing]]:
    """Return ``parts`` after the removals and changes of ACLs in ``log``."""
    latest = dict(log)
    touched = np.array(sorted(latest), dtype=np.int64)
    acls = np.array([latest[document] or 0 for document in touched.tolist()], dtype=np.int32)
    amended: list[tuple[Segment, Standing]] = []
    for segment, standing in parts:
        rows = np.searchsorted(segment.documents, touched)
        here = np.flatnonzero(rows < len(segment.documents))
        here = here[segment.documents[rows[here]] == touched[here]]
        if len(here):
            alive, present = standing.alive.copy(), standing.acls.copy()
            alive[rows[here]] &= acls[here] > 0
            present[rows[here]] = acls[here]
            amended.append((segment, Standing(alive, present)))
        else:
            amended.append((segment, standing))
    return amended


def settle(parts: Sequence[tuple[Segment, Standing]], *, saved: bool) -> tuple[tuple[Segment, Standing], ...]:
    """Return ``parts`` with small neighbours joined, so that they stay few; the first is left alone where it is ``saved``."""
    settled: list[tuple[Segment, Standing]] = []
    for part in parts:
        settled.append(part)
        while len(settled) > 1 + saved and settled[-2][0].size < 2 * settled[-1][0].size:
            joined = merge_segments(settled[-2:])
            settled[-2:] = [(joined, Standing.of(joined))]
    return tuple(settled)
