from hypothesis import given
from hypothesis import strategies as st

from citewell.core.model import Lines
from citewell.core.ports import Outline, Piece
from citewell.ingest.chunkers.markdown import chunk_markdown
from citewell.ingest.chunkers.python import chunk_python
from citewell.ingest.cutting import CHUNK_LIMIT, WINDOW_LIMIT, WINDOW_TAIL, cut, windows

PAGE = "# Guide\n\nIntro.\n\n## A\n\nAlpha.\n\n## B\n\nBeta.\n\n## B\n\nBeta again.\n"


def cut_page(text):
    return cut("docs", "page.md", text, chunk_markdown(text, "page.md", CHUNK_LIMIT))


def ids(text):
    return {chunk.text: chunk.id for chunk in cut_page(text)}


def test_a_chunk_is_an_exact_span_with_its_lines():
    chunk = cut_page(PAGE)[1]
    assert (chunk.text, PAGE[chunk.start : chunk.end], chunk.lines) == ("## A\n\nAlpha.", "## A\n\nAlpha.", Lines(5, 7))


def test_chunks_are_numbered_from_zero():
    assert [chunk.ordinal for chunk in cut_page(PAGE)] == [0, 1, 2, 3]


def test_blank_pieces_are_left_out_and_others_trimmed():
    outline = Outline(pieces=(Piece(start=0, end=2), Piece(start=2, end=8)))
    (chunk,) = cut("docs", "a", " \n\n a \n ", outline)
    assert (chunk.start, chunk.end, chunk.ordinal, chunk.lines) == (4, 5, 0, Lines(3, 3))


def test_names_and_metadata_of_a_piece_are_the_chunks():
    outline = Outline(pieces=(Piece(start=0, end=1, breadcrumb=("A",), symbol="f", metadata={"k": "v"}),))
    (chunk,) = cut("docs", "a", "x", outline)
    assert (chunk.breadcrumb, chunk.symbol, chunk.metadata) == (("A",), "f", {"k": "v"})


def test_all_ids_of_a_document_differ():
    assert len({chunk.id for chunk in cut_page(PAGE)}) == 4


def test_ids_differ_between_documents_and_sources():
    outline = chunk_markdown(PAGE, "page.md", CHUNK_LIMIT)
    found = [cut(source, document, PAGE, outline)[0].id for source in "ab" for document in "cd"]
    assert len(set(found)) == 4


def test_an_edit_leaves_the_ids_of_other_sections_alone():
    edited = PAGE.replace("Alpha.", "Alpha.\n\nA new paragraph.\n\n### New\n\nA new section.")
    before, after = ids(PAGE), ids(edited)
    assert {text: before[text] for text in before if "Alpha" not in text} == {
        text: after[text] for text in before if "Alpha" not in text
    }


def test_an_edited_section_keeps_its_own_id():
    assert ids(PAGE)["## A\n\nAlpha."] == ids(PAGE.replace("Alpha.", "Omega."))["## A\n\nOmega."]


def test_the_parts_of_a_long_section_have_ids_of_their_own():
    chunks = cut_page("## A\n\n" + "A sentence of it. " * 300)
    assert len({chunk.id for chunk in chunks}) == len(chunks) > 3


def test_an_edit_leaves_the_ids_of_other_functions_alone():
    code = "def a():\n    return 1\n\n\ndef b():\n    return 2\n"

    def id_of_b(text):
        return {chunk.symbol: chunk.id for chunk in cut("s", "m.py", text, chunk_python(text, "m.py", CHUNK_LIMIT))}["b"]

    assert id_of_b(code) == id_of_b("import os\n" + code.replace("return 1", "x = 1\n    return x"))


def test_a_short_chunk_is_one_window():
    assert [(window.start, window.end) for window in windows("x" * WINDOW_LIMIT)] == [(0, WINDOW_LIMIT)]


def test_a_short_rest_joins_the_window_before_it():
    text = "word " * 124 + "end"
    assert len(text) > WINDOW_LIMIT
    assert len(list(windows(text))) == 1


def test_a_window_ends_at_the_end_of_a_line():
    text = "".join(f"This is line number {number} of the text\n" for number in range(40))
    assert all(text[window.start : window.end].endswith("\n") for window in windows(text))


def test_a_window_of_one_long_line_ends_after_a_sentence():
    text = "A sentence of some words. " * 60
    assert all(text[window.start : window.end].endswith(". ") for window in windows(text))


def test_a_window_of_chinese_ends_after_a_sentence():
    text = "春天来了，小孩子们都出来玩。" * 100
    assert all(text[window.start : window.end].endswith("。") for window in windows(text))


@given(st.text(alphabet="ab .\n。", min_size=1, max_size=1500).map(lambda text: text * 3))
def test_windows_follow_one_another_from_end_to_end(text):
    found = list(windows(text))
    assert "".join(text[window.start : window.end] for window in found) == text
    assert [window.start for window in found[1:]] == [window.end for window in found[:-1]]
    assert all(0 < window.end - window.start <= WINDOW_LIMIT + WINDOW_TAIL for window in found)
    assert all(window.end - window.start <= WINDOW_LIMIT for window in found[:-1])
