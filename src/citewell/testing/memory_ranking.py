"""Scores and filters of the store in memory, one chunk at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from citewell.adapters.stores.bm25 import K1, B
from citewell.core.fields import parts_of
from citewell.core.globs import path_matcher
from citewell.core.model import ChunkId, DocumentInfo
from citewell.core.ports import Ranked
from citewell.core.requests import Filters
from citewell.text.terms import TermVector


def bm25(worth: Mapping[str, float], vector: TermVector, average: float) -> float:
    """Return what BM25 gives a chunk whose terms are ``vector`` for terms ``worth`` so much."""
    score = 0.0
    for term, weight in worth.items():
        frequency = vector.frequencies.get(term, 0.0)
        if frequency:
            score += weight * frequency / (frequency + K1 * (1 - B + B * vector.length / average))
    return score


def rank(scores: Iterable[tuple[ChunkId, float]], limit: int) -> tuple[Ranked, ...]:
    """Return the ``limit`` best chunks, each by its best score."""
    best: dict[ChunkId, float] = {}
    for name, score in scores:
        best[name] = max(score, best.get(name, score))
    order = sorted(best.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Ranked(name, score) for name, score in order[:limit])


def matches_fields(field: Callable[[str], str | None], filters: Filters) -> bool:
    """Say whether what ``field`` returns is, for every field asked for, one of the values that will do."""
    wanted = (("version", filters.versions), *filters.fields)
    return all(_has(field(name), values) for name, values in wanted if values)


def _has(value: str | None, wanted: tuple[str, ...]) -> bool:
    return bool(value) and not set(parts_of(value or "")).isdisjoint(wanted)


def matches(info: DocumentInfo, filters: Filters) -> bool:
    """Say whether a document is among those that ``filters`` leave."""
    pairs: tuple[tuple[str | None, tuple[str, ...]], ...] = (
        (info.collection, filters.collections),
        (info.source, filters.sources),
        (info.language, filters.languages),
        (info.kind, filters.kinds),
    )
    if not all(not allowed or value in allowed for value, allowed in pairs):
        return False
    return not filters.paths or path_matcher(filters.paths)(info.path)
