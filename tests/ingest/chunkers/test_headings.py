import pytest

from citewell.ingest.chunkers.headings import MAX_HEADING, plain_heading


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Plain", "Plain"),
        ("The `max_keepalive_connections` limit", "The max_keepalive_connections limit"),
        ("**Bold** and *thin* and ~~gone~~", "Bold and thin and gone"),
        ("***Both***", "Both"),
        ("_Thin_ and __two words__", "Thin and two words"),
        ("__init__ of snake_case_name", "__init__ of snake_case_name"),
        ("A [link](https://a.b/c_(d) 'x')", "A link"),
        ("A [link][ref]", "A link"),
        ("[![badge](a.svg)](https://a.b) Name", "badge Name"),
        ("Timeouts {#timeouts}", "Timeouts"),
        ("Timeouts {#timeouts .wide}", "Timeouts"),
        ("Timeouts {: #timeouts}", "Timeouts"),
        ("Values {{ .Values.x }}", "Values {{ .Values.x }}"),
        ('<a name="x"></a>Named', "Named"),
        ("`List<String>` and Map<K, V>", "List<String> and Map<K, V>"),
        ("`**kwargs` and `a_b_c`", "**kwargs and a_b_c"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        (r"\_private\_ &amp; \#1", "_private_ & #1"),
        ("``a ` b``", "a ` b"),
        ("two\nlines", "two lines"),
        ("", ""),
    ],
)
def test_a_heading_is_shown_without_its_markup(source, expected):
    assert plain_heading(source) == expected


def test_a_heading_as_long_as_a_paragraph_is_shortened():
    assert len(plain_heading("word " * 1000)) <= MAX_HEADING
