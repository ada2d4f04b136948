"""From the pieces a chunker proposes to chunks with identities, line numbers and windows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from citewell.core.model import Chunk, Window, chunk_id
from citewell.core.ports import Outline, Piece
from citewell.ingest.chunkers.division import trim
from citewell.text.lines import LineIndex

CUTTING_VERSION: Final = "3"
"""Changes whenever a text may be cut in other places than before: what was cut by another version is indexed anew."""

CHUNK_LIMIT: Final = 1_500
"""Characters of the longest chunk."""

WINDOW_LIMIT: Final = 600
"""Characters of a window that embedding models of 512 tokens read whole, in any script."""

WINDOW_TAIL: Final = 100
"""A rest shorter than this joins the window before it, if that then is at most this much longer than its limit."""

_SENTENCE_END = re.compile(r"[.!?…][\"')\]»”’]*\s|[。！？；]")
_SPACE = re.compile(r"\s")


def cut(source: str, document_id: str, text: str, outline: Outline) -> tuple[Chunk, ...]:
    """Return the chunks of a document, trimmed and numbered from 0; blank pieces are left out.

    A chunk's id depends on its breadcrumb, its symbol and how many before it have the same: editing one section leaves the
    ids of the others alone.
    """
    index = LineIndex(text)
    repetitions: Counter[str] = Counter()
    chunks: list[Chunk] = []
    for piece in outline.pieces:
        start, end = trim(text, piece.start, piece.end)
        if start == end:
            continue
        names = _names(piece)
        chunk = Chunk(
            id=chunk_id(source, document_id, f"{names}\x1e{repetitions[names]}"),
            ordinal=len(chunks),
            start=start,
            end=end,
            text=text[start:end],
            lines=index.lines(start, end),
            breadcrumb=piece.breadcrumb,
            symbol=piece.symbol,
            metadata=piece.metadata,
            windows=tuple(windows(text[start:end])),
        )
        repetitions[names] += 1
        chunks.append(chunk)
    return tuple(chunks)


def _names(piece: Piece) -> str:
    return "\x1e".join(("\x1f".join(piece.breadcrumb), piece.symbol or ""))


def windows(text: str) -> Iterator[Window]:
    """Cut the text of a chunk into windows that follow one another without a gap, at the ends of lines or sentences."""
    start, length = 0, len(text)
    while start < length:
        end = length if length - start <= WINDOW_LIMIT else _window_end(text, start)
        if length - end < WINDOW_TAIL and length - start <= WINDOW_LIMIT + WINDOW_TAIL:
            end = length
        yield Window(start, end)
        start = end


def _window_end(text: str, start: int) -> int:
    """Return the last end of a paragraph, line, sentence or word in the second half of the window, the best kind found."""
    middle, limit = start + WINDOW_LIMIT // 2, start + WINDOW_LIMIT
    for mark in ("\n\n", "\n"):
        found = text.rfind(mark, middle, limit)
        if found >= 0:
            return found + len(mark)
    for pattern in (_SENTENCE_END, _SPACE):
        ends = [match.end() for match in pattern.finditer(text, middle, limit)]
        if ends:
            return ends[-1]
    return limit
