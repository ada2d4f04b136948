"""The lines of a chunk that match a query best."""

from __future__ import annotations

from citewell.core.model import Chunk, Lines
from citewell.text.lines import LineIndex
from citewell.text.terms import QueryTerms, text_terms

SNIPPET_LINES = 4
SNIPPET_CHARACTERS = 320


def best_snippet(chunk: Chunk, query: QueryTerms, language: str) -> tuple[str, Lines]:
    """Return an exact part of ``chunk``, whole lines where they fit, and where in the document it stands.

    Among the runs of at most ``SNIPPET_LINES`` lines the one with most of the query's weight wins; then that with most of it
    outside headings, which say what a passage is about and not what it says; then the earliest.
    """
    lines = chunk.text.split("\n")
    met = [query.weights.keys() & set(text_terms(line, language)) for line in lines]
    said = [set[str]() if line.startswith("#") else found for line, found in zip(lines, met, strict=True)]
    starts = range(max(len(met) - SNIPPET_LINES, 0) + 1)

    def worth(start: int) -> tuple[float, float, int]:
        run = slice(start, start + SNIPPET_LINES)
        return query.share(set().union(*met[run])), query.share(set().union(*said[run])), -start

    best = max(starts, key=worth)
    end = min(best + SNIPPET_LINES, len(met))
    while best < end - 1 and not lines[best].strip():
        best += 1
    return _clip(chunk, best + 1, end)


def _clip(chunk: Chunk, start_line: int, end_line: int) -> tuple[str, Lines]:
    index = LineIndex(chunk.text)
    start, end = index.span(start_line, end_line)
    while end_line > start_line and end - start > SNIPPET_CHARACTERS:
        end_line -= 1
        end = index.span(start_line, end_line)[1]
    text = chunk.text[start : min(end, start + SNIPPET_CHARACTERS)].rstrip()
    offset = chunk.lines.start - 1
    return text, Lines(start_line + offset, end_line + offset)
