"""What holds for every chunker and every text."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nasty_texts import TEXTS
from outline_contract import assert_outline

from citewell.ingest.chunkers.fixed import chunk_fixed
from citewell.ingest.chunkers.front_matter import read_front_matter
from citewell.ingest.chunkers.issues import chunk_issue
from citewell.ingest.chunkers.markdown import chunk_markdown
from citewell.ingest.chunkers.prose import chunk_prose
from citewell.ingest.chunkers.python import chunk_python
from citewell.ingest.chunkers.yaml import chunk_yaml
from citewell.ingest.cutting import cut

CHUNKERS = {
    "markdown": chunk_markdown,
    "python": chunk_python,
    "yaml": chunk_yaml,
    "prose": chunk_prose,
    "fixed": chunk_fixed,
    "issues": chunk_issue,
}
LIMITS = st.sampled_from([1, 2, 7, 40, 80, 1500])


def body_of(name, text):
    """Return where the text that must be covered begins: front matter is metadata."""
    return read_front_matter(text).end if name == "markdown" else 0


@pytest.mark.parametrize("name", CHUNKERS)
@given(text=TEXTS, limit=LIMITS)
def test_pieces_are_ordered_short_and_lose_nothing(name, text, limit):
    assert_outline(text, CHUNKERS[name](text, "file", limit), limit, body_of(name, text))


@pytest.mark.parametrize("name", CHUNKERS)
@given(text=TEXTS)
def test_the_same_text_gives_the_same_outline(name, text):
    assert CHUNKERS[name](text, "file", 80) == CHUNKERS[name](text, "other", 80)


@pytest.mark.parametrize("name", CHUNKERS)
@given(text=TEXTS)
def test_chunks_are_exact_spans_with_ids_of_their_own(name, text):
    chunks = cut("source", "file", text, CHUNKERS[name](text, "file", 80))
    assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    for chunk in chunks:
        assert chunk.text == text[chunk.start : chunk.end]
        assert chunk.lines.start == text.count("\n", 0, chunk.start) + 1
        assert chunk.lines.end == chunk.lines.start + chunk.text.count("\n")
        assert "".join(chunk.text[window.start : window.end] for window in chunk.windows) == chunk.text


SECTION_BLOCKS = ["A sentence of it.", "- item", "```\n# x\n```", "| a |\n|---|\n| 1 |"]
SECTION_TEXT = st.lists(st.sampled_from(SECTION_BLOCKS), max_size=5).map("\n\n".join)


@given(texts=st.lists(SECTION_TEXT, min_size=2, max_size=5), edited=st.data(), new=SECTION_TEXT)
def test_an_edit_leaves_the_ids_of_other_sections_alone(texts, edited, new):
    place = edited.draw(st.integers(0, len(texts) - 1))

    def ids(sections):
        text = "".join(f"## Section {number}\n\n{body}\n\n" for number, body in enumerate(sections))
        chunks = cut("source", "page.md", text, chunk_markdown(text, "page.md", 60))
        return [(chunk.id, chunk.text) for chunk in chunks if chunk.breadcrumb != (f"Section {place}",)]

    assert ids(texts) == ids([*texts[:place], new, *texts[place + 1 :]])


@given(text=st.lists(st.sampled_from(["a", "bcd", "efghi.", "\n"])).map(" ".join), limit=st.integers(6, 50))
def test_neighbouring_pieces_of_fixed_length_do_not_fit_together(text, limit):
    pieces = chunk_fixed(text, "file", limit).pieces
    assert all(after.end - before.start > limit for before, after in pairwise(pieces))


FENCE = st.builds(
    lambda mark, lines, indent: "".join(f"{indent}{line}\n" for line in [mark + "py", *lines, mark]),
    st.sampled_from(["```", "~~~", "````"]),
    st.lists(st.sampled_from(["# x", "code(1)", "", "## y", "| a | b |"]), max_size=4),
    st.sampled_from(["", "> ", "  "]),
)
OTHER_BLOCKS = ["## H\n", "- item\n", "A sentence. " * 12 + "\n", "| a |\n|---|\n| 1 |\n"]
BLOCKS = st.lists(st.one_of(FENCE, st.sampled_from(OTHER_BLOCKS)), max_size=12)


@given(blocks=BLOCKS)
def test_no_fence_that_fits_is_ever_cut(blocks):
    text = "\n".join(blocks)
    outline = chunk_markdown(text, "page.md", 70)
    position = 0
    for block in blocks:
        start, position = position, position + len(block) + 1
        if block.lstrip("> ").startswith(("```", "~~~")) and len(block) <= 70:
            end = start + len(block.rstrip())
            assert any(piece.start <= start + 4 and end <= piece.end for piece in outline.pieces)
