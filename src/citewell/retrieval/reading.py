"""Lines of a document, as much at once as a reader can take."""

from __future__ import annotations

from citewell.core.errors import BadLimit
from citewell.core.model import Document, Lines
from citewell.core.requests import DocumentView, ReadRequest
from citewell.text.lines import LineIndex

MAX_READ_LINES = 400
MAX_READ_CHARACTERS = 40_000


def view_lines(document: Document, request: ReadRequest, chunk_lines: Lines | None) -> DocumentView:
    """Return the lines of ``document`` that are asked for, or ``chunk_lines`` where none are.

    What goes beyond the reader's limits is left for ``next_start_line``. Raises BadLimit for a start after the last line.
    """
    index = LineIndex(document.text)
    last = index.line_at(max(len(document.text) - 1, 0))
    start, end = request.start_line, request.end_line
    if chunk_lines is not None and (start, end) == (1, None):
        start, end = chunk_lines.start, chunk_lines.end
    if start > last:
        raise BadLimit(f"The document ends at line {last}.")
    wanted = min(end or last, last)
    stop = _limit_lines(index, start, wanted)
    first, after = index.span(start, stop)
    lines = Lines(start, stop)
    return DocumentView(
        id=request.id,
        title=document.info.label,
        text=document.text[first:after],
        url=document.info.url(lines),
        lines=lines,
        metadata=_metadata(document),
        next_start_line=stop + 1 if stop < wanted else None,
    )


def view_whole(document: Document, begins: int, lines: Lines | None) -> DocumentView:
    """Return all of ``document`` from the offset ``begins`` on, or ``lines`` of it."""
    index = LineIndex(document.text)
    first, after = (begins, len(document.text)) if lines is None else index.span(lines.start, lines.end)
    shown = lines or index.lines(first, max(after, first))
    return DocumentView(
        id=document.info.id,
        title=document.info.label,
        text=document.text[first:after],
        url=document.info.url(lines),
        lines=shown,
        metadata=_metadata(document),
    )


def _limit_lines(index: LineIndex, start: int, wanted: int) -> int:
    """Return the last line of those wanted that still fits the reader's limits; at least one does."""
    stop = min(wanted, start + MAX_READ_LINES - 1)
    first = index.span(start, start)[0]
    while stop > start and index.span(stop, stop)[1] - first > MAX_READ_CHARACTERS:
        stop -= 1
    return stop


def _metadata(document: Document) -> dict[str, str]:
    info = document.info
    known = {
        "source": info.source,
        "collection": info.collection,
        "path": info.path,
        "language": info.language,
        "kind": info.kind,
        "version": info.version,
        "commit": info.commit,
    }
    return {**info.metadata, **{key: value for key, value in known.items() if value}}
