"""Cuts a text into what can be quoted: sentences, list items, table rows, headings, code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

MAX_BLOCK_LINES: Final = 12
"""Longest fenced block that is one span."""

_FENCE: Final = re.compile(r"[ \t]*(?:>[ \t]?)*(`{3,}|~{3,})")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans of ``text`` that can be quoted, in order and apart; together they hold all that is not blank."""
    return [span for start, end in _lines(text) for span in _trimmed(text, start, end)]


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in text.splitlines(keepends=True):
        yield start, start + len(line)
        start += len(line)


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    line = text[start:end]
    if stripped := line.strip():
        left = start + len(line) - len(line.lstrip())
        yield left, left + len(stripped)
