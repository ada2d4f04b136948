import pytest
from outline_contract import assert_outline, piece_with, shown

from citewell.ingest.chunkers.markdown import chunk_markdown

SENTENCE = "A connection is kept open for as long as somebody may want it again. "
CODE = "```python\n# open\nclient = connect()\nclient.send(1)\n```\n"


def outline_of(text, limit):
    outline = chunk_markdown(text, "page.md", limit)
    assert_outline(text, outline, limit)
    return outline


def test_a_long_section_is_cut_between_its_paragraphs():
    paragraph = SENTENCE * 3
    text = f"## A\n\n{paragraph}\n\n{paragraph}\n\n{paragraph}\n"
    assert [piece.split("\n\n")[-1] for piece in shown(text, outline_of(text, 300))] == [paragraph.strip()] * 3


def test_every_part_of_a_long_section_has_its_breadcrumb():
    text = "## A\n\n" + (SENTENCE * 3 + "\n\n") * 5
    assert {piece.breadcrumb for piece in outline_of(text, 300).pieces} == {("A",)}


def test_a_heading_is_not_left_alone_before_a_long_paragraph():
    text = "## A\n\n" + SENTENCE * 20
    assert shown(text, outline_of(text, 300))[0].startswith("## A\n\nA connection")


@pytest.mark.parametrize(
    "container",
    [
        pytest.param(CODE, id="page"),
        pytest.param("- item\n\n" + "".join(f"  {line}\n" for line in CODE.splitlines()), id="list item"),
        pytest.param("".join(f"> {line}\n" for line in CODE.splitlines()), id="quote"),
        pytest.param(f"<details>\n<summary>More</summary>\n\n{CODE}\n</details>\n", id="details"),
    ],
)
def test_no_fence_that_fits_is_cut(container):
    text = "## A\n\n" + f"{SENTENCE}\n\n{container}\n" * 8
    assert all(piece.count("```") % 2 == 0 for piece in shown(text, outline_of(text, 200)))


def test_a_fence_too_long_for_one_piece_is_cut_between_lines():
    lines = [f"value_{number} = {number}" for number in range(100)]
    text = "```python\n" + "\n".join(lines) + "\n```\n"
    found = [line for piece in shown(text, outline_of(text, 200)) for line in piece.split("\n")]
    assert found == ["```python", *lines, "```"]


def test_an_opening_fence_is_not_left_alone():
    text = "```python\n" + "value = 1\n" * 100 + "```\n"
    assert shown(text, outline_of(text, 200))[0].startswith("```python\nvalue")


def test_a_table_that_fits_is_whole():
    table = "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 10
    text = f"## A\n\n{SENTENCE * 2}\n\n{table}\n{SENTENCE * 2}\n"
    outline = outline_of(text, 200)
    assert table.strip() in shown(text, outline)


def test_a_long_table_is_cut_between_rows():
    rows = [f"| {number} | {'x' * 40} |" for number in range(50)]
    text = "## A\n\n| a | b |\n|---|---|\n" + "\n".join(rows) + "\n"
    pieces = shown(text, outline_of(text, 200))
    assert pieces[0].startswith("## A\n\n| a | b |\n|---|---|\n| 0 |")
    assert [line for piece in pieces for line in piece.split("\n")][4:] == rows


def test_a_long_list_is_cut_between_items():
    text = "".join(f"- {SENTENCE}\n  {SENTENCE}\n" for _ in range(10))
    assert all(piece.startswith("- A connection") for piece in shown(text, outline_of(text, 400)))


def test_a_long_item_is_cut_between_its_blocks():
    text = "- " + "\n\n  ".join(SENTENCE.strip() for _ in range(10)) + "\n"
    assert all(piece.endswith("again.") for piece in shown(text, outline_of(text, 200)))


def test_a_long_line_is_cut_after_a_sentence():
    assert all(piece.endswith("again.") for piece in shown(SENTENCE * 20, outline_of(SENTENCE * 20, 200)))


def test_a_long_chinese_line_is_cut_after_a_sentence():
    text = "春天来了，小孩子们都出来玩。" * 20
    assert all(piece.endswith("。") for piece in shown(text, outline_of(text, 50)))


def test_a_line_without_any_space_is_cut_at_the_limit():
    assert [len(piece) for piece in shown("x" * 250, outline_of("x" * 250, 100))] == [100, 100, 50]


def test_a_sentence_under_a_heading_is_in_a_piece_of_that_heading():
    text = "## A\n\n" + SENTENCE * 30 + "\n\n## B\n\nUnder B.\n"
    assert piece_with(text, outline_of(text, 300), "Under B.").breadcrumb == ("B",)
