"""What a rule of detection is, and which of many rules a text can concern at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import log2
from typing import Any, Final

import re2

Spans = Iterable[tuple[int, int]]
Finder = Callable[[bytes], Spans]
Check = Callable[[str], bool]

SEPARATOR: Final = b"\0"
"""Stands for what was found before. No rule may match it or look past it, so that its length never counts."""

_MEMORY: Final = 64 << 20


@dataclass(frozen=True, slots=True)
class Rule:
    """Finds values of one kind.

    ``find`` takes a text in UTF-8 and yields where values stand in it, in bytes; a value found is ASCII or whole characters.
    It is only asked about texts in which ``hint`` (RE2 syntax) matches, and takes time in proportion to the text. All hints
    are looked for at once: none may begin with what is common and then count, or their states are too many to keep.
    """

    kind: str
    hint: str
    find: Finder


class RuleBook:
    """Rules, of which a text is only put before those that can concern it: one pass over it tells which."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = tuple(rules)
        self._hints = _hint_set(tuple(rule.hint for rule in rules))

    def find(self, data: bytes) -> Iterator[tuple[int, int, str]]:
        """Yield everything found in ``data``, by rule; findings may overlap."""
        for index in sorted(self._hints.Match(data) or ()):
            rule = self._rules[index]
            for start, end in rule.find(data):
                yield start, end, rule.kind


@cache
def _hint_set(hints: tuple[str, ...]) -> Any:
    options = re2.Options()
    options.max_mem = _MEMORY
    found = re2.Set.SearchSet(options)
    for hint in hints:
        found.Add(hint)
    found.Compile()
    return found


@cache
def compiled(pattern: str) -> Any:
    """Return ``pattern`` in RE2 syntax, compiled for bytes in UTF-8: it takes linear time, whatever it is and matches."""
    options = re2.Options()
    options.max_mem = _MEMORY
    return re2.compile(pattern.encode(), options)


def by_pattern(pattern: str, check: Check = bool) -> Finder:
    """Return what finds the first group of ``pattern`` where ``check`` agrees with the value."""

    def find(data: bytes) -> Iterator[tuple[int, int]]:
        for match in compiled(pattern).finditer(data):
            start, end = match.span(1)
            if check(data[start:end].decode()):
                yield start, end

    return find


def line_before(data: bytes, position: int, reach: int) -> bytes:
    """Return what stands before ``position``: up to ``reach`` bytes, of the same line, and after anything found before."""
    window = data[max(position - reach, 0) : position]
    return window[max(window.rfind(b"\n"), window.rfind(SEPARATOR)) + 1 :]


def entropy_of(value: str) -> float:
    """Return the Shannon entropy of the characters of ``value``, in bits a character."""
    shares = [value.count(character) / len(value) for character in set(value)]
    return -sum([share * log2(share) for share in shares])
