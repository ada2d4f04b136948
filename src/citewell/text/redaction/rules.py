"""What a rule of detection is: cheap words to look for first, a pattern in linear time, and a check of what it found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import re2


@dataclass(frozen=True, slots=True)
class Rule:
    """Finds values of ``kind``: the first group of ``pattern`` (RE2 syntax, on UTF-8), where ``check`` agrees.

    A text without any of ``words`` (lower-case) is not looked at; none means that every text is. ``check`` is given the
    value alone, and must take time in proportion to its length.
    """

    kind: str
    pattern: str
    words: tuple[bytes, ...] = ()
    check: Callable[[str], bool] = bool

    def find(self, data: bytes) -> Iterator[tuple[int, int]]:
        """Yield where values stand in ``data``, in bytes; matches do not overlap."""
        for match in compiled(self.pattern).finditer(data):
            start, end = match.span(1)
            if start < end and self.check(data[start:end].decode()):
                yield start, end


@cache
def compiled(pattern: str) -> Any:
    """Return the compiled ``pattern``."""
    options = re2.Options()
    options.max_mem = 64 << 20
    options.log_errors = False
    return re2.compile(pattern.encode(), options)


def entropy_of(value: str) -> float:
    """Return the Shannon entropy of the characters of ``value``, in bits a character."""
    from math import log2

    counts = [value.count(character) for character in set(value)]
    return -sum(count / len(value) * log2(count / len(value)) for count in counts)
