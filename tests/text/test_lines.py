from hypothesis import given
from hypothesis import strategies as st

from citewell.core.model import Lines
from citewell.text.lines import LineIndex

TEXTS = st.text(alphabet="ab\n\r\u2028ü", max_size=60)


def test_a_line_feed_belongs_to_the_line_it_ends():
    index = LineIndex("ab\ncd\n")
    assert [index.line_at(offset) for offset in range(7)] == [1, 1, 1, 2, 2, 2, 2]


def test_a_line_feed_at_the_end_is_no_further_line():
    assert LineIndex("ab\ncd\n").count == 2
    assert LineIndex("ab\ncd\n").lines(0, 6) == Lines(1, 2)


def test_an_empty_text_has_one_line():
    index = LineIndex("")
    assert (index.count, index.lines(0, 0), index.span(1, 1)) == (1, Lines(1, 1), (0, 0))


def test_only_a_line_feed_ends_a_line():
    assert LineIndex("a\rb\u2028c\x0cd").count == 1


def test_lines_past_the_end_are_empty():
    assert LineIndex("ab\ncd").span(3, 9) == (5, 5)


def test_a_span_past_the_end_stops_there():
    assert LineIndex("ab\ncd").span(2, 9) == (3, 5)


@given(TEXTS)
def test_spans_of_all_lines_are_the_text(text):
    index = LineIndex(text)
    assert "".join(text[slice(*index.span(line, line))] for line in range(1, index.count + 1)) == text


@given(TEXTS, st.data())
def test_a_line_number_is_one_more_than_the_line_feeds_before_it(text, data):
    offset = data.draw(st.integers(0, max(len(text) - 1, 0)))
    assert LineIndex(text).line_at(offset) == text.count("\n", 0, offset) + 1


@given(TEXTS, st.data())
def test_the_lines_of_a_span_of_lines_are_those_lines(text, data):
    index = LineIndex(text)
    first = data.draw(st.integers(1, index.count))
    last = data.draw(st.integers(first, index.count))
    assert index.lines(*index.span(first, last)) == Lines(first, last)
