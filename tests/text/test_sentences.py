from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.text.sentences import MAX_BLOCK_LINES, MAX_SPAN, sentence_spans


def quotes(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The pool is full. Retry later!", ["The pool is full.", "Retry later!"]),
        ("Havuz dolu mu? Evet. Sonra dene.", ["Havuz dolu mu?", "Evet.", "Sonra dene."]),
        ("连接池已满。请稍后再试！真的吗？", ["连接池已满。", "请稍后再试！", "真的吗？"]),
        ("他说：“满了。”然后离开。", ["他说：“满了。”", "然后离开。"]),
        ("هل هو ممتلئ؟ نعم.", ["هل هو ممتلئ؟", "نعم."]),
        ("यह भरा है। फिर कोशिश करें।", ["यह भरा है।", "फिर कोशिश करें।"]),
        ('He said "full." Then he left.', ['He said "full."', "Then he left."]),
    ],
)
def test_sentences_end_where_their_language_ends_them(text: str, expected: list[str]) -> None:
    assert quotes(text) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "Use v1.10.0 or spec.template.spec, see https://example.org/a.b?c=d!e for more.",
        "Dr. Smith set it, e.g. to 5 s, vs. 10 s before.",
        "Am 3. Oktober war z. B. alles bzw. vieles zu.",
        "J. R. R. Tolkien wrote utils.py by himself.",
    ],
)
def test_versions_addresses_and_abbreviations_end_no_sentence(sentence: str) -> None:
    assert quotes(sentence) == [sentence]


def test_a_sentence_goes_on_over_line_ends() -> None:
    assert quotes("The pool\nis full. Retry\nlater.\n\nNext") == ["The pool\nis full.", "Retry\nlater.", "Next"]


def test_headings_and_list_items_stand_alone() -> None:
    text = "# Pool\nIt fills up\n## Limits\n* first\n  goes on\n* second. Really\n1. one\n2) two\n- [ ] task"
    assert quotes(text) == [
        "# Pool", "It fills up", "## Limits", "* first\n  goes on", "* second.", "Really", "1. one", "2) two", "- [ ] task",
    ]  # fmt: skip


def test_every_table_row_stands_alone() -> None:
    assert quotes("| a | b |\n|---|---|\n| 1. x | 2 |") == ["| a | b |", "|---|---|", "| 1. x | 2 |"]


def test_a_short_fenced_block_is_one_span() -> None:
    block = "```python\nclient.get('x')\n\n# done. really\n```"
    assert quotes(f"Do this.\n{block}\nThen that.") == ["Do this.", block, "Then that."]


def test_a_long_fenced_block_is_quoted_by_lines() -> None:
    lines = [f"step {number}. and more" for number in range(MAX_BLOCK_LINES)]
    assert quotes("\n".join(["~~~", *lines, "~~~"])) == ["~~~", *lines, "~~~"]


def test_an_unclosed_fence_reaches_to_the_end() -> None:
    assert quotes("Text.\n```\na. b\nc") == ["Text.", "```\na. b\nc"]


def test_a_fence_inside_a_longer_fence_does_not_close_it() -> None:
    assert quotes("````\n```\nx\n```\n````\nEnd.") == ["````\n```\nx\n```\n````", "End."]


def test_lines_of_code_stand_alone() -> None:
    text = "def close(self):\n    self.pool.close()\n    return None\n\nclass Pool:\n    limit = 5"
    assert quotes(text) == ["def close(self):", "self.pool.close()", "return None", "class Pool:", "limit = 5"]


def test_lines_of_configuration_stand_alone() -> None:
    assert quotes("timeout: 5\npool:\n  limit: 10\n{\n") == ["timeout: 5", "pool:", "limit: 10", "{"]


def test_text_without_an_end_is_cut_between_words() -> None:
    spans = sentence_spans("word " * MAX_SPAN)
    assert all(end - start <= MAX_SPAN for start, end in spans)
    assert all(("word " * MAX_SPAN)[start:end].endswith("word") for start, end in spans)


MARKDOWN = st.lists(
    st.sampled_from(
        ["# a", "* b. c", "```", "~~~~", "| x |", "", "    code", "Wort. Satz! 你好。", "> q", "\r", "k: v", "e.g. x", "\t"]
    )
    | st.text()
).map("\n".join)


@given(MARKDOWN)
def test_spans_are_in_order_and_hold_everything_that_is_not_blank(text: str) -> None:
    covered = 0
    for start, end in sentence_spans(text):
        assert covered <= start < end
        assert not text[covered:start].strip()
        assert text[start:end] == text[start:end].strip()
        covered = end
    assert not text[covered:].strip()


@pytest.mark.parametrize("unit", ["a. ", "a.", "```\n", "- x\n", "x; ", "> ", "。", "| ", "k: ", "~", "(", '."'])
def test_the_number_of_spans_grows_with_the_text_and_no_faster(unit: str) -> None:
    small, large = len(sentence_spans(unit * 1_000)), len(sentence_spans(unit * 20_000))
    assert large <= 20 * small + 20
