"""Cutting a span that is too long, at the best places there are."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from citewell.core.model import NO_METADATA
from citewell.core.ports import Piece

Level = Callable[[str, int, int], Iterable[int]]
"""Gives the offsets between ``start`` and ``end`` of a text at which it may be cut, in ascending order."""

SHORT_SHARE: Final = 8
"""A lead-in shorter than this fraction of the limit is kept with the start of the long block that follows it."""

_PARAGRAPH = re.compile(r"\n[ \t]*\n(?:[ \t]*\n)*")
_LINE = re.compile(r"\n")
_SENTENCE = re.compile(r"[.!?…][\"')\]»”’]*\s+|[。！？；][”’」』）]*")
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD = re.compile(rf"\s+|[{_CJK}，、：。！？；」』）]{{1,4}}?(?![，、：。！？；”’」』）])")


@dataclass(frozen=True, slots=True)
class Unit:
    """A section, definition or resource: a span with its names, to be cut further only if it is too long."""

    start: int
    end: int
    breadcrumb: tuple[str, ...] = ()
    symbol: str | None = None
    metadata: Mapping[str, str] = field(default_factory=lambda: NO_METADATA)


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span without the blank space around it; an empty one at ``end`` if there is nothing else."""
    body = text[start:end]
    stripped = body.lstrip()
    start = end - len(stripped)
    return start, start + len(stripped.rstrip())


def _ends(pattern: re.Pattern[str]) -> Level:
    def level(text: str, start: int, end: int) -> Iterator[int]:
        return (match.end() for match in pattern.finditer(text, start, end))

    return level


paragraphs: Final = _ends(_PARAGRAPH)
lines: Final = _ends(_LINE)
sentences: Final = _ends(_SENTENCE)
words: Final = _ends(_WORD)

PROSE: Final[tuple[Level, ...]] = (paragraphs, lines, sentences, words)
"""Where any text may be cut, best places first."""


def at(offsets: Iterable[int]) -> Level:
    """Return the level that allows exactly ``offsets``."""
    ordered = sorted(set(offsets))

    def level(text: str, start: int, end: int) -> Sequence[int]:
        return ordered[bisect_right(ordered, start) : bisect_left(ordered, end)]

    return level


def divide(text: str, start: int, end: int, limit: int, levels: Sequence[Level]) -> Iterator[tuple[int, int]]:
    """Cut a span into trimmed, non-blank spans of at most ``limit`` characters, in order.

    Neighbours that fit together stay together; a part that does not fit is cut at the next level, and after the last one
    wherever the limit falls. A level should allow what the one before it allows.
    """
    start, end = trim(text, start, end)
    if end - start <= limit:
        if end > start:
            yield start, end
    elif not levels:
        for offset in range(start, end, limit):
            yield from divide(text, offset, min(offset + limit, end), limit, ())
    else:
        yield from _pack(text, (start, *levels[0](text, start, end), end), limit, levels[1:])


def _pack(text: str, bounds: Sequence[int], limit: int, finer: Sequence[Level]) -> Iterator[tuple[int, int]]:
    """Group the parts between ``bounds`` greedily."""
    begun = bounds[0]
    for start, end in pairwise(bounds):
        if _fits(text, begun, end, limit):
            continue
        if _fits(text, start, end, limit):
            yield from divide(text, begun, start, limit, finer)
            begun = start
            continue
        if start - begun > limit // SHORT_SHARE:
            yield from divide(text, begun, start, limit, finer)
            begun = start
        yield from divide(text, begun, end, limit, finer)
        begun = end
    yield from divide(text, begun, bounds[-1], limit, finer)


def _fits(text: str, start: int, end: int, limit: int) -> bool:
    if end - start <= limit:
        return True
    start, end = trim(text, start, end)
    return end - start <= limit


def pieces(text: str, units: Iterable[Unit], limit: int, levels: Sequence[Level]) -> tuple[Piece, ...]:
    """Return the pieces of ``units``, each named like the unit it comes from."""
    return tuple(
        Piece(start=start, end=end, breadcrumb=unit.breadcrumb, symbol=unit.symbol, metadata=unit.metadata)
        for unit in units
        for start, end in divide(text, unit.start, unit.end, limit, levels)
    )
