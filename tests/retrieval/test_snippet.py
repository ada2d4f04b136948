from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from citewell.core.model import Chunk, ChunkId, Lines
from citewell.retrieval.snippet import SNIPPET_CHARACTERS, SNIPPET_LINES, best_snippet
from citewell.text.terms import query_terms


def chunk(text: str, first_line: int = 1) -> Chunk:
    last = first_line + text.count("\n")
    return Chunk(id=ChunkId("c"), ordinal=0, start=0, end=len(text), text=text, lines=Lines(first_line, last))


def test_the_lines_with_most_of_the_query_are_shown() -> None:
    text = "\n".join(["nothing"] * 10 + ["the proxy is named here", "and its timeout there"] + ["nothing"] * 10)
    snippet, lines = best_snippet(chunk(text, first_line=5), query_terms("proxy timeout"), "en")
    assert "proxy" in snippet
    assert "timeout" in snippet
    assert lines.start <= 15 <= 16 <= lines.end


def test_what_a_passage_says_is_shown_rather_than_its_headings() -> None:
    text = "# Kettle\n\n## Filling\n\nFill the kettle with fresh water up to the mark."
    snippet, lines = best_snippet(chunk(text), query_terms("fill the kettle"), "en")
    assert snippet == "## Filling\n\nFill the kettle with fresh water up to the mark."
    assert lines == Lines(3, 5)


def test_without_a_match_the_beginning_is_shown() -> None:
    assert best_snippet(chunk("one\ntwo\nthree\nfour\nfive"), query_terms("zephyr"), "en")[1] == Lines(1, 4)


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=600), st.text(max_size=20))
def test_a_snippet_is_an_exact_and_short_part_of_its_lines(text: str, query: str) -> None:
    snippet, lines = best_snippet(chunk(text, first_line=3), query_terms(query), "en")
    own = "\n".join(text.split("\n")[lines.start - 3 : lines.end - 2])
    assert own.startswith(snippet)
    assert len(snippet) <= SNIPPET_CHARACTERS
    assert 1 <= lines.end - lines.start + 1 <= SNIPPET_LINES
