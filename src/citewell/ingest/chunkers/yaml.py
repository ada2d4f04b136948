"""YAML, cut by document, and by key where a document is too long.

Read line by line, never parsed: a template or a broken file has keys too, and nothing is there to be expanded.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from citewell.core.ports import Outline, Piece
from citewell.ingest.chunkers.division import PROSE, Level, Unit, at, pieces
from citewell.ingest.chunkers.kubernetes import read_resource

_MARKER = re.compile(r"^---(?=\s|\Z)", re.MULTILINE)
_CONTENT = re.compile(r"^(?!---(?:\s|\Z)|\.\.\.(?:\s|\Z)|[ \t]*#|%)[ \t]*\S|^---[ \t]+[^\s#]", re.MULTILINE)
_LINE = re.compile(r"( *)((?:- +)*)(.*)\n?")
_KEY = re.compile(r"""("[^"\n]*"|'[^'\n]*'|[^\s#"'{}\[\],&*!|>%@`][^\n]*?)[ \t]*:(?:[ \t]|\Z)""")
_SCALAR = re.compile(r"(?:^|[: \t])[|>][-+0-9]{0,2}[ \t]*(?:[ \t]#.*)?\Z")


@dataclass(frozen=True, slots=True)
class _Line:
    """A line outside block scalars: where it may be cut (above its remarks), its indent and what stands there."""

    cut: int
    start: int
    indent: int
    dashes: int
    rest: str


@dataclass(frozen=True, slots=True)
class _Key:
    """A line that begins a key or an item, its name (an item may have none) and the keys it lies below."""

    line: _Line
    name: str
    above: tuple[str, ...]


def chunk_yaml(text: str, path: str, limit: int) -> Outline:
    """Return one piece for each document; a Kubernetes resource is named by its symbol (``Kind/name``) and metadata.

    A document that is too long is cut at its outermost keys, then at those below; every part keeps symbol and metadata, and
    its breadcrumb holds the resource and the keys above the part. Documents begin at ``---`` at the left margin, which no
    block scalar can hold.
    """
    keys = list(_keys(text))
    cuts = [key.line.cut for key in keys]
    levels = [*_levels(keys), *PROSE]
    found: list[Piece] = []
    for unit in _documents(text):
        parts = pieces(text, [unit], limit, levels)
        found += [_place(part, unit, keys, cuts) for part in parts] if len(parts) > 1 else parts
    return Outline(pieces=tuple(found))


def _documents(text: str) -> Iterator[Unit]:
    """Yield the documents; what holds only remarks or directives belongs to the next one."""
    bounds = [match.start() for match in _MARKER.finditer(text)] + [len(text)]
    start = 0
    for before, end in pairwise([0, *bounds]):
        if end < len(text) and not _CONTENT.search(text, before, end):
            continue
        resource = read_resource(text[start:end])
        yield Unit(start, end, symbol=resource.symbol, metadata=resource.metadata)
        start = end


def _keys(text: str) -> Iterator[_Key]:
    """Yield the keys and items of all documents, in order."""
    open_keys: list[tuple[int, str]] = []
    for line in _lines(text):
        if line.indent == 0 and _MARKER.match(line.rest):
            open_keys.clear()
        key = _KEY.match(line.rest)
        if not key and not line.dashes:
            continue
        column = line.indent + line.dashes
        while open_keys and open_keys[-1][0] >= column:
            open_keys.pop()
        name = _unquote(key[1]) if key else ""
        yield _Key(line, name, tuple(above for _, above in open_keys))
        if name:
            open_keys.append((column, name))


def _lines(text: str) -> Iterator[_Line]:
    """Yield the lines that are neither blank, nor remarks, nor inside a block scalar."""
    scalar_column: int | None = None
    remarks: int | None = None
    for match in _LINE.finditer(text):
        indent, dashes, rest = len(match[1]), len(match[2]), match[3]
        blank = not rest.strip()
        if blank or (scalar_column is not None and indent > scalar_column):
            remarks = None
        elif rest.startswith("#"):
            remarks = match.start() if remarks is None else remarks
        else:
            yield _Line(match.start() if remarks is None else remarks, match.start(), indent, dashes, rest)
            remarks = None
            scalar_column = _scalar_column(indent, dashes, rest)


def _scalar_column(indent: int, dashes: int, rest: str) -> int | None:
    """Return the column that the lines of a block scalar must be right of, if one begins at this line."""
    if not _SCALAR.search(rest):
        return None
    return indent + dashes if _KEY.match(rest) else indent


def _unquote(name: str) -> str:
    return name[1:-1] if name[:1] in "\"'" else name


def _levels(keys: Sequence[_Key]) -> Iterator[Level]:
    """Yield the cuts at the outermost keys and items, at those of the next column too, then at all."""
    columns = sorted({key.line.indent for key in keys})
    for deepest in [*columns[:2], *columns[-1:]]:
        yield at(key.line.cut for key in keys if key.line.indent <= deepest)


def _place(piece: Piece, unit: Unit, keys: Sequence[_Key], cuts: Sequence[int]) -> Piece:
    """Return ``piece`` of the document ``unit`` with its symbol and the keys above its beginning as breadcrumb."""
    names = [unit.symbol or ""]
    before = bisect_right(cuts, piece.start) - 1
    if before >= 0 and cuts[before] >= unit.start:
        key = keys[before]
        inside = piece.start > key.line.start + key.line.indent
        names += [*key.above, key.name if inside else ""]
    return replace(piece, breadcrumb=tuple(filter(None, names)))
