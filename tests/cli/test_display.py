"""What people see: highlighting, escaping, progress, and 80 columns."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from citewell.cli.highlighting import MATCH_STYLE, highlighted
from citewell.cli.passages import show_hits
from citewell.cli.progress import SyncDisplay
from citewell.cli.streams import one_line, printable
from citewell.core.model import Chunk, ChunkId, DocumentInfo, Lines, StoredChunk
from citewell.core.requests import Hit, Progress, Retrieval, SearchResult


def marked(text: str, query: str, language: str = "en") -> list[str]:
    shown = highlighted(text, query, language)
    return [shown.plain[span.start : span.end] for span in shown.spans if span.style == MATCH_STYLE]


@pytest.mark.parametrize(
    ("text", "query", "language", "expected"),
    [
        ("The pool is full of connections.", "connection pool", "en", ["pool", "connections"]),
        ("set max_keepalive_connections to 5", "keepalive", "en", ["max_keepalive_connections"]),
        ("see retrieval.k for more", "retrieval.k", "en", ["retrieval.k"]),
        ("春天来了，小草", "小草", "zh", ["小草"]),
        ("草，小", "草", "zh", ["草"]),
        ("nothing of that kind", "pool", "en", []),
    ],
)
def test_the_words_of_the_query_are_marked(text: str, query: str, language: str, expected: list[str]) -> None:
    assert marked(text, query, language) == expected


@given(st.text())
def test_printable_text_has_no_control_characters_and_keeps_the_rest(text: str) -> None:
    shown = printable(text)

    assert all(character in "\n\t" or character.isprintable() or ord(character) > 0x9F for character in shown)
    assert "\x1b" not in shown
    assert printable(shown) == shown


@given(st.text())
def test_one_line_is_one_line(text: str) -> None:
    assert len(one_line(text).splitlines()) <= 1


def hit(path: str, snippet: str) -> Hit:
    info = DocumentInfo(
        source="s",
        collection="docs",
        id=path,
        path=path,
        title="T",
        language="zh",
        kind="markdown",
        permalink="https://example.org/x#L{start}",
    )
    chunk = Chunk(
        id=ChunkId("c"), ordinal=0, start=0, end=len(snippet), text=snippet, lines=Lines(3, 4), breadcrumb=("A", "B")
    )
    return Hit(stored=StoredChunk(chunk, info), score=0.5, ranks={"bm25": 1}, snippet=snippet, snippet_lines=Lines(3, 4))


def shown_at_80_columns(*hits: Hit) -> list[str]:
    stream = io.StringIO()
    console = Console(file=stream, width=80, markup=False, emoji=False, highlight=False)
    retrieval = Retrieval(intent="general", mode="bm25", reason="")
    show_hits(console, "春天", SearchResult(hits=hits, retrieval=retrieval), ranks=False)
    return stream.getvalue().splitlines()


def test_wide_characters_wrap_within_80_columns() -> None:
    lines = shown_at_80_columns(hit("春.md", "春天来了，" * 40))

    assert max(map(cell_len, lines)) <= 80
    assert "".join(line.strip() for line in lines[1:-2]) == "春天来了，" * 40


def test_a_hit_is_a_headline_a_snippet_and_an_address() -> None:
    assert shown_at_80_columns(hit("docs/a.md", "one\ntwo")) == [
        "1  docs/a.md:3-4  T > A > B  0.50",
        "   one",
        "   two",
        "   https://example.org/x#L3",
        "",
    ]


def test_progress_is_silent_where_nobody_watches() -> None:
    stream = io.StringIO()

    with SyncDisplay(Console(file=stream)) as display:
        display(Progress(stage="listing", source="a", done=0, total=0))
        display(Progress(stage="indexing", source="a", done=1, total=2))

    assert stream.getvalue() == ""


def test_progress_on_a_terminal_shows_how_far_it_is() -> None:
    stream = io.StringIO()

    with SyncDisplay(Console(file=stream, force_terminal=True, width=80)) as display:
        display(Progress(stage="listing", source="a", done=0, total=0))
        display(Progress(stage="indexing", source="a\x1b[2J", done=1, total=1200))

    assert "indexing a\\x1b[2J" in stream.getvalue()
    assert "1/1,200" in stream.getvalue()
