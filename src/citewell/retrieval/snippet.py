"""The lines of a chunk that match a query best."""

from __future__ import annotations

from citewell.core.model import Chunk, Lines
from citewell.text.lines import LineIndex
from citewell.text.terms import QueryTerms, text_terms

SNIPPET_LINES = 4
SNIPPET_CHARACTERS = 320


def best_snippet(chunk: Chunk, query: QueryTerms, language: str) -> tuple[str, Lines]:
    """Return an exact part of ``chunk``, whole lines where they fit, and where in the document it stands.

    Among the runs of at most ``SNIPPET_LINES`` lines the one with most of the query's weight wins, the earliest on a tie.
    """
    index = LineIndex(chunk.text)
    last = index.line_at(max(len(chunk.text) - 1, 0))
    best_start, best_weight = 1, -1.0
    for start in range(1, max(last - SNIPPET_LINES + 1, 1) + 1):
        first, end = index.span(start, min(start + SNIPPET_LINES - 1, last))
        weight = query.share(set(text_terms(chunk.text[first:end], language)))
        if weight > best_weight:
            best_start, best_weight = start, weight
    return _clip(chunk, index, best_start, min(best_start + SNIPPET_LINES - 1, last))


def _clip(chunk: Chunk, index: LineIndex, start_line: int, end_line: int) -> tuple[str, Lines]:
    start, end = index.span(start_line, end_line)
    while end_line > start_line and end - start > SNIPPET_CHARACTERS:
        end_line -= 1
        end = index.span(start_line, end_line)[1]
    text = chunk.text[start : min(end, start + SNIPPET_CHARACTERS)].rstrip()
    offset = chunk.lines.start - 1
    return text, Lines(start_line + offset, end_line + offset)
