"""Texts lose their addresses and nothing else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.text.urls import without_urls

ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://|\bwww\.\w|\bmailto:\w", re.IGNORECASE)
PIECES = st.sampled_from(
    (
        *("http", "https://", "ftp://a.b/c", "://", "www.", "mailto:", "a.org/", "git+ssh://x@y/z"),
        *("[", "]", "(", ")", "<", ">", "!", '"', "`", "\n", " ", "x", ".", ",", ":", "#", "?", "\\", "ü", "春", "\0"),
        *("[a](http://b.c)", "[r]: http://d.e 'T'"),
    )
)
TEXTS = st.lists(PIECES, max_size=30).map("".join) | st.text(max_size=80)


@given(TEXTS)
def test_no_address_is_left(text: str) -> None:
    assert not ADDRESS.search(without_urls(text))


@given(TEXTS)
def test_every_line_stays_where_it_was(text: str) -> None:
    assert without_urls(text).count("\n") == text.count("\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See [the docs](https://docs.example.org/a(b)) first.", "See the docs first."),
        ('![A diagram](/img/a.png "Flow") follows', "A diagram follows"),
        ("[![build](https://ci.example.org/b.svg)](https://ci.example.org) status", "build status"),
        ("[guide][g]\n\n[g]: https://docs.example.org/g 'Guide'\nend", "[guide][g]\n\n\nend"),
        ("Open <https://example.org/x>.", "Open …."),
        ("Read on (https://example.org/x), then stop.", "Read on, then stop."),
        ('endpoint: "http://minio.svc:9000"', 'endpoint: "…"'),
        ("see www.example.com/a?b=c#d now", "see … now"),
        ("see ftp://files.example.com/x, or not", "see …, or not"),
        ("issue github.com/owner/name/issues/12 says", "issue … says"),
        ("at docs.example.org/guide/ and example.org/a.html#b", "at … and …"),
        ("//cdn.example.com/x.js", "…"),
    ],
)
def test_an_address_goes_and_the_words_of_a_link_stay(text: str, expected: str) -> None:
    assert without_urls(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: kubeflow.org/v1beta1",
        "notebooks.kubeflow.org/last-activity: 2024-10-15",
        "import github.com/kubeflow/kubeflow/components/common",
        "size = total//self.page // rounded down",
        "x[1](y) - [c1] text[0]",
        "see src/app.py/ and 1.10.0/ and a:b",
        "《春》：盼望着，盼望着。",
    ],
)
def test_what_only_looks_like_an_address_stays(text: str) -> None:
    expected = text.replace("[1](y)", "1")
    assert without_urls(text) == expected


@pytest.mark.parametrize("unit", ["[", "a.", "[a](", "](", "a.com/", "x.io?", "[a]:", "//", "www.", "http", "[a](b("])
def test_long_hostile_texts_are_cleaned_in_one_go(unit: str) -> None:
    cleaned = without_urls(unit * (100_000 // len(unit)))
    assert "://" not in cleaned
    assert not re.search(r"\bwww\.\w", cleaned)
