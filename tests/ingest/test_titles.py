from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.ingest.chunkers.fixed import chunk_fixed
from citewell.ingest.chunkers.markdown import chunk_markdown
from citewell.ingest.titles import below_title, given_title, split_title, with_title

TITLES = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=60)


@given(TITLES, st.text(max_size=200))
def test_what_is_written_under_a_title_is_read_back_with_it(title: str, content: str) -> None:
    text = with_title(title, content)
    found, begins = split_title(text)
    assert (found, text[begins:]) == (title, content)


@pytest.mark.parametrize(
    "text", ["", "---\n", "---\ntitle: A\nversion: 2\n---\nText", "Text\n---\ntitle: A\n---\n", "---\ntitle:\n---\n"]
)
def test_a_block_that_says_more_or_less_than_a_title_is_part_of_the_text(text: str) -> None:
    assert split_title(text) == ("", 0)


@pytest.mark.parametrize("chunker", [chunk_fixed, chunk_markdown])
def test_the_block_is_no_part_of_any_piece(chunker: object) -> None:
    text = with_title("Spring", "It is spring.\n")
    outline = below_title(chunker, text, "spring.md", 1000)
    assert outline.title == "Spring"
    assert [text[piece.start : piece.end].strip() for piece in outline.pieces] == ["It is spring."]


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ("# Own\n\nText", "a.md", "Own"),
        ("Text", "docs/chun.txt", "chun"),
        ("Text", "a.md", "a.md"),
        ("---\ntitle: Above\n---\nText", "a.txt", "Above"),
    ],
)
def test_a_text_is_called_by_its_own_title_or_else_by_its_file(text: str, path: str, expected: str) -> None:
    assert given_title(text, path, "auto") == expected
