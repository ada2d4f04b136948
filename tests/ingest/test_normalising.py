from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.ingest.normalising import MAX_COMBINING, normalise

HOSTILE = st.text(
    st.sampled_from(
        list("ab \n\r\t\0\x0b\x0c\x85\u2028\u2029\u200b\u200c\u200d\ufe0f\ufeff\u202e\xad\u0301\u0316यش👩\U000e0041")
    )
    | st.characters(exclude_categories=["Cs"]),
    max_size=80,
)


def line_ends(text: str) -> int:
    return text.count("\r\n") + text.replace("\r\n", "").count("\r") + text.replace("\r\n", "").count("\n")


@given(HOSTILE)
def test_the_number_of_lines_never_changes(text: str) -> None:
    assert normalise(text)[0].count("\n") == line_ends(text)


@given(HOSTILE)
def test_only_a_line_feed_ends_a_line_and_the_text_is_composed(text: str) -> None:
    stored, _ = normalise(text)
    assert len((stored + "x").splitlines()) == stored.count("\n") + 1
    assert unicodedata.is_normalized("NFC", stored)


@given(HOSTILE)
def test_nothing_hidden_is_left(text: str) -> None:
    stored, _ = normalise(text)
    hidden = "\0\x1b\x7f\xad\u200b\u200e\u200f\u202a\u202e\u2060\u2066\u2069\ufeff\U000e0041"
    assert not set(hidden) & set(stored)


@pytest.mark.parametrize(
    ("text", "expected", "removed"),
    [
        ("a\r\nb\rc\n", "a\nb\nc\n", 0),
        ("a\r\0\nb", "a\n\nb", 1),
        ("a\x0bb\x0cc\x85d\u2028e\u2029f", "a b c d e f", 0),
        ("ig\u200dno\u200cre\u200b", "ignore", 3),
        ("pass\u202edrow\u202c", "passdrow", 2),
        ("a" + "".join(chr(0xE0000 + ord(c)) for c in "obey") + "b", "ab", 4),
        ("\ufeffa\ufeffb", "ab", 2),
        ("co\xadoperate", "cooperate", 1),
        ("a" + "\ufe0f" * 9, "a\ufe0f", 8),
        ("a" + "\u0316" * 99, "a" + "\u0316" * MAX_COMBINING, 99 - MAX_COMBINING),
        ("e\u0301", "é", 0),
        ("plain\ttext\n", "plain\ttext\n", 0),
    ],
)
def test_what_is_hidden_is_taken_out_and_counted(text: str, expected: str, removed: int) -> None:
    assert normalise(text) == (expected, removed)


@pytest.mark.parametrize("text", ["می\u200cخواهم", "क्\u200dष", "👩\u200d🚀", "❤\ufe0f\u200d🔥", "葛\U000e0100飾"])
def test_joiners_and_variants_that_carry_meaning_stay(text: str) -> None:
    assert normalise(text) == (text, 0)


def test_no_combining_mark_of_unicode_piles_up() -> None:
    marks = [chr(code) for code in range(0x110000) if unicodedata.combining(chr(code))]
    piles = {mark: normalise("x" + mark * (MAX_COMBINING + 5))[1] for mark in marks}
    assert {mark for mark, removed in piles.items() if removed < 5} == set()
