"""The headings of the parser against those of a scanner that shares nothing with it."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.ingest.chunkers.markdown import chunk_markdown

ROOT = Path(__file__).parents[3]
HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
PAGES = sorted(path for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")] if path.is_file())


def scan(text):
    """Return the lines of the ATX headings outside fences."""
    found, fence = [], ""
    for number, line in enumerate(text.split("\n"), 1):
        mark = re.match(r" {0,3}(`{3,}|~{3,})(.*)", line)
        if fence:
            if mark and mark[1].startswith(fence) and not mark[2].strip():
                fence = ""
        elif mark and not (mark[1][0] == "`" and "`" in mark[2]):
            fence = mark[1]
        elif HEADING.match(line):
            found.append(number)
    return found


def parsed(text):
    """Return the lines that begin a section; every section has text, so none joins another."""
    pieces = chunk_markdown(text, "page.md", len(text) + 1).pieces
    starts = [text.count("\n", 0, piece.start) + 1 for piece in pieces]
    return [start for start in starts if HEADING.match(text.split("\n")[start - 1])]


def with_text_below_headings(text):
    """Return ``text`` with a sentence below each heading the scanner sees."""
    lines = text.split("\n")
    for number in reversed(scan(text)):
        lines.insert(number, "\nText.\n")
    return "\n".join(lines)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_of_this_project_are_cut_at_every_heading(path):
    text = with_text_below_headings(path.read_text(encoding="utf-8"))
    assert parsed(text) == scan(text)


LINES = ["# A", "## B b", "  ### C", "####### no", "#no", "####", "```", "~~~", "````", "~~~~~", "```py", "``` `x`", "a", ""]


@given(st.lists(st.sampled_from(LINES), max_size=30).map("\n".join))
def test_generated_pages_are_cut_at_every_heading(text):
    text = with_text_below_headings(text)
    assert parsed(text) == scan(text)
