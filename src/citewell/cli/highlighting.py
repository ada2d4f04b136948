"""Marking the words of a query where they occur in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from rich.text import Text

from citewell.cli.streams import printable
from citewell.text.terms import query_terms, text_terms

MATCH_STYLE: Final = "bold yellow"

_WORD = re.compile(r"\w+(?:[.\-]\w+)*")
_FIRST_UNSPACED: Final = "\u0e00"
"""Writing from here on in Unicode has, mostly, no spaces between words: it is compared in pairs of characters."""


def highlighted(text: str, query: str, language: str) -> Text:
    """Return ``text``, made printable, with the words that share a term with ``query`` in MATCH_STYLE."""
    shown = printable(text)
    marked = Text(shown)
    for start, end in matching_spans(shown, query_terms(query).weights, language):
        marked.stylize(MATCH_STYLE, start, end)
    return marked


def matching_spans(text: str, terms: Mapping[str, float], language: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of ``text`` that have one of ``terms``; overlapping ones are possible."""
    for start, end in _candidates(text):
        if any(term in terms for term in text_terms(text[start:end], language)):
            yield start, end


def _candidates(text: str) -> Iterator[tuple[int, int]]:
    for match in _WORD.finditer(text):
        if max(match.group()) < _FIRST_UNSPACED:
            yield match.span()
        else:
            start, end = match.span()
            yield from ((first, min(first + 2, end)) for first in range(start, max(end - 1, start + 1)))
