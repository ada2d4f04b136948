import pytest
from outline_contract import assert_outline, piece_with, shown

from citewell.ingest.chunkers.markdown import chunk_markdown

GUIDE = """\
# Guide

Read me first.

## Timeouts

Five seconds.

### Fine tuning

Per request.

## Retries

None.
"""


def breadcrumbs(text, limit=1500):
    return [piece.breadcrumb for piece in chunk_markdown(text, "page.md", limit).pieces]


def test_each_section_is_a_piece_below_the_headings_above_it():
    assert breadcrumbs(GUIDE) == [(), ("Timeouts",), ("Timeouts", "Fine tuning"), ("Retries",)]


def test_the_first_heading_of_the_first_level_is_the_title():
    assert chunk_markdown(GUIDE, "page.md", 1500).title == "Guide"


def test_a_piece_is_its_heading_and_its_text():
    assert shown(GUIDE, chunk_markdown(GUIDE, "page.md", 1500))[2] == "### Fine tuning\n\nPer request."


def test_text_before_the_first_heading_is_a_piece():
    text = "Preface.\n\n# Guide\n\nText.\n"
    assert shown(text, chunk_markdown(text, "page.md", 1500)) == ["Preface.", "# Guide\n\nText."]


def test_a_heading_without_text_joins_its_first_child():
    text = "# Guide\n\n## API\n\n### Client\n\nOpens.\n\n### Server\n\nListens.\n"
    outline = chunk_markdown(text, "page.md", 1500)
    assert shown(text, outline)[0] == "# Guide\n\n## API\n\n### Client\n\nOpens."
    assert [piece.breadcrumb for piece in outline.pieces] == [("API", "Client"), ("API", "Server")]


def test_a_rule_below_a_heading_is_no_text():
    assert breadcrumbs("## Proxies\n\n---\n\n### HTTP\n\nSet it.\n") == [("Proxies", "HTTP")]


def test_an_empty_section_is_kept():
    text = "## A\n\n## B\n\nText.\n"
    assert shown(text, chunk_markdown(text, "page.md", 1500)) == ["## A", "## B\n\nText."]


def test_setext_headings_are_headings():
    text = "Guide\n=====\n\nText.\n\nTimeouts\n--------\n\nFive.\n"
    outline = chunk_markdown(text, "page.md", 1500)
    assert (outline.title, outline.pieces[1].breadcrumb) == ("Guide", ("Timeouts",))


def test_a_second_heading_of_the_first_level_is_a_breadcrumb():
    assert breadcrumbs("# Guide\n\na\n\n# API\n\nb\n\n## Client\n\nc\n") == [(), ("API",), ("API", "Client")]


def test_headings_of_the_same_name_are_told_apart_by_those_above():
    text = "## A\n\n### Use\n\none\n\n## B\n\n### Use\n\ntwo\n"
    outline = chunk_markdown(text, "page.md", 1500)
    assert piece_with(text, outline, "one").breadcrumb == ("A", "Use")
    assert piece_with(text, outline, "two").breadcrumb == ("B", "Use")


def test_a_level_that_was_left_out_does_not_matter():
    assert breadcrumbs("## A\n\n#### Deep\n\na\n\n### Less\n\nb\n") == [("A", "Deep"), ("A", "Less")]


def test_headings_in_quotes_and_lists_begin_no_section():
    assert breadcrumbs("## A\n\n> # Quoted\n\n- # Listed\n") == [("A",)]


def test_a_page_without_headings_has_no_title():
    assert chunk_markdown("Just text.", "page.md", 1500).title is None


@pytest.mark.parametrize("fence", ["```", "~~~", "````"])
def test_a_remark_in_a_fence_is_no_heading(fence):
    text = f"## A\n\n{fence}python\n# x\n```inner\n# y\n{fence}\n\nafter\n"
    assert breadcrumbs(text) == [("A",)]


def test_four_backticks_hold_a_fence_of_three():
    text = "## A\n\n````md\n```python\n# x\n```\n# y\n````\n\nafter\n"
    assert breadcrumbs(text) == [("A",)]


def test_text_after_an_unclosed_fence_is_kept_with_a_warning():
    text = "## A\n\n```python\nx = 1\n## B\n\nThe sentence under B.\n"
    outline = chunk_markdown(text, "page.md", 1500)
    assert_outline(text, outline, 1500)
    assert "line 3" in outline.metadata["warning"]


def test_a_closed_fence_gives_no_warning():
    text = "```\na\n```\n\n~~~\n~~~\n\n> ```\n> quoted\n> ```\n\n- ```\n  listed\n  ```\n"
    assert chunk_markdown(text, "page.md", 1500).metadata == {}


def test_technical_text_survives():
    text = (
        "## Home Menu\n\n```yaml\nspec:\n    containers:\n      - name: x\n        v: {{ .Values.x }}\n```\n\n"
        "List<String> holds a < b > c. {{< figure src=x >}}\n"
    )
    outline = chunk_markdown(text, "page.md", 1500)
    assert shown(text, outline) == [text.strip()]
    assert outline.pieces[0].breadcrumb == ("Home Menu",)
