"""Markdown, cut by heading."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from citewell.core.ports import Outline
from citewell.ingest.chunkers.division import PROSE, Level, Unit, at, pieces
from citewell.ingest.chunkers.front_matter import read_front_matter
from citewell.ingest.chunkers.headings import plain_heading
from citewell.text.lines import LineIndex

WARNING: Final = "warning"
"""The key of the outline's metadata that tells what is wrong with the page."""

_PARSER: Final = MarkdownIt("commonmark").enable("table").disable("inline")
_WORDS = re.compile(r"[^\s*_-]")
_ROW_GROUPS: Final = {"thead_open", "tbody_open"}
_NESTING_LEVELS: Final = (0, 1, 3, 1000)
"""How deep a block may lie to be cut at, best first: blocks of the page, list items, their blocks and rows, all."""


@dataclass(frozen=True, slots=True)
class _Heading:
    start: int
    end: int
    depth: int
    name: str


def chunk_markdown(text: str, path: str, limit: int) -> Outline:
    """Return the sections of a page; their breadcrumb is the headings above them without the page's title.

    The title is the front matter's, else the first heading of the first level. A heading with nothing, or only a rule, below
    it joins its first child. A section that is too long is cut between blocks, then list items, table rows and nested
    blocks, then lines; a fence that fits is never cut. Front matter becomes metadata and is no part of any piece. An
    unclosed fence reaches, as in CommonMark, to the end of the page, and leaves a warning in the metadata.
    """
    front = read_front_matter(text)
    index = LineIndex(text)
    tokens = _PARSER.parse(_blank(text, front.end))
    headings = list(_headings(tokens, index))
    first = next((heading.name for heading in headings if heading.depth == 1 and heading.name), "")
    title = " ".join(front.fields.get("title", first).split())
    units = list(_sections(text, front.end, headings, title))
    levels = [*_block_levels(tokens, index), *PROSE]
    return Outline(
        pieces=pieces(text, units, limit, levels),
        title=title or None,
        metadata={**front.fields, **_warnings(tokens)},
    )


def _blank(text: str, end: int) -> str:
    """Return ``text`` for the parser: every line where it was, but nothing on those before ``end``."""
    return ("\n" * text.count("\n", 0, end) + text[end:]).replace("\r", " ")


def _headings(tokens: Sequence[Token], index: LineIndex) -> Iterator[_Heading]:
    """Yield the headings of the page itself: those in lists and quotes begin no section."""
    for token, content in pairwise(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            start, end = index.span(token.map[0] + 1, token.map[1])
            yield _Heading(start, end, int(token.tag[1:]), plain_heading(content.content))


def _sections(text: str, start: int, headings: Sequence[_Heading], title: str) -> Iterator[Unit]:
    """Yield the text before the first heading, then one unit for each heading that has text or no child."""
    ends = [heading.start for heading in headings] + [len(text)]
    yield Unit(start, ends[0])
    above: list[_Heading] = []
    title_seen = False
    begun: int | None = None
    for number, heading in enumerate(headings):
        above = [parent for parent in above if parent.depth < heading.depth]
        if heading.name == title and heading.depth == 1 and not title_seen:
            title_seen = True
        else:
            above.append(heading)
        begun = heading.start if begun is None else begun
        end = ends[number + 1]
        has_child = end < len(text) and headings[number + 1].depth > heading.depth
        if has_child and not _WORDS.search(text, heading.end, end):
            continue
        yield Unit(begun, end, tuple(parent.name for parent in above if parent.name))
        begun = None


def _block_levels(tokens: Sequence[Token], index: LineIndex) -> Iterator[Level]:
    """Yield where blocks begin, level by level; a table's first row is never parted from its header."""
    starts: list[tuple[int, int]] = []
    before = ""
    for token in tokens:
        if token.map and token.nesting >= 0 and token.type not in _ROW_GROUPS and before != "tbody_open":
            starts.append((token.level, token.map[0]))
        before = token.type
    for deepest in _NESTING_LEVELS:
        yield at(index.start_of(line + 1) for level, line in starts if level <= deepest)


def _warnings(tokens: Sequence[Token]) -> Mapping[str, str]:
    """Return a warning if a fence is not closed: its content then has all its lines but the first."""
    for token in tokens:
        if token.type == "fence" and token.map and token.content.count("\n") >= token.map[1] - token.map[0] - 1 > 0:
            return {WARNING: f"The code fence of line {token.map[0] + 1} is not closed."}
    return {}
