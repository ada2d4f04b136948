from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from specimens import pem, surrounded_secrets, tokens

from citewell.core.ports.detection import Finding
from citewell.text.redaction import Allowed, Redactor

KEY = b"k" * 32
REDACTOR = Redactor(KEY, phone_regions=("TR", "US"))
VALUES = [
    *(value for _, value in tokens(21, 1)),
    *(text for _, text, _ in surrounded_secrets(22)),
    *(pem(Random(23)), pem(Random(24), newline="\r\n", lines=3), pem(Random(25)).rsplit("\n", 1)[0]),
    *("ada@corp.com", "ayşe@firma.com.tr", "+90 532 123 45 67", "0532 123 45 67", "(415) 555-2671", "4539 1488 0343 6467"),
    *("GB82 WEST 1234 5698 7654 32", "10000000146", "SSN: 536-90-4399", "[EMAIL:3f9a]", "https://u:kV7xQ2mZp9@h.com"),
]
GLUE = [
    "",
    " ",
    "\n",
    "\r\n",
    "，",
    ":",
    "'",
    '"',
    "@",
    ".",
    "-",
    "+",
    "\\n",
    "ü",
    "密码",
    "password=",
    "://",
    "tel ",
    "\0",
    "\ud800",
    "=",
    "🙂",
]
TEXTS = st.lists(st.one_of(st.sampled_from(VALUES), st.sampled_from(GLUE), st.text(max_size=8)), max_size=12).map("".join)
PIECES = st.lists(
    st.tuples(st.sampled_from(VALUES), st.integers(0, 30), st.integers(0, 60)).map(lambda cut: cut[0][cut[1] : cut[2]]),
    max_size=10,
).map("".join)
PLACEHOLDER = re.compile(r"\[[A-Z][A-Z0-9_]*:[0-9a-f]{4}\]")


@dataclass(frozen=True)
class Names:
    """A further detector: it finds one name, whatever it stands in."""

    name: str = "names 1"

    def find(self, text: str) -> Iterable[Finding]:
        return [Finding(match.start(), match.end(), "PERSON") for match in re.finditer("Ada|EMAIL", text)]


@given(TEXTS | PIECES)
@settings(max_examples=400, deadline=None)
def test_the_number_of_lines_never_changes(text: str):
    redacted = REDACTOR.redact(text).text
    assert re.findall(r"[\r\n]", redacted) == re.findall(r"[\r\n]", text)


@given(TEXTS | PIECES)
@settings(max_examples=400, deadline=None)
def test_what_was_redacted_once_stays_as_it_is(text: str):
    redacted = REDACTOR.redact(text).text
    assert REDACTOR.redact(redacted).text == redacted
    assert REDACTOR.find(redacted) == ()


@given(TEXTS)
@settings(deadline=None)
def test_findings_are_in_order_apart_and_within_the_text(text: str):
    ends = [0]
    for finding in REDACTOR.find(text):
        assert ends[-1] <= finding.start < finding.end <= len(text)
        ends.append(finding.end)


@given(TEXTS)
@settings(deadline=None)
def test_everything_but_what_was_found_stays(text: str):
    redaction = REDACTOR.redact(text)
    position, rest = 0, redaction.text
    for finding in redaction.findings:
        kept, value = text[position : finding.start], text[finding.start : finding.end]
        expected = kept + REDACTOR.placeholder(finding.kind, value) + "".join(re.findall(r"[\r\n]", value))
        assert rest.startswith(expected)
        position, rest = finding.end, rest[len(expected) :]
    assert rest == text[position:]


@given(TEXTS, st.sampled_from(VALUES))
@settings(deadline=None)
def test_idempotent_with_values_that_may_stay_too(text: str, value: str):
    redactor = Redactor(KEY, allow=[Allowed(value, "a test"), Allowed("*@corp.com", "public")])
    redacted = redactor.redact(text).text
    assert redactor.redact(redacted).text == redacted


def test_equal_values_have_equal_placeholders_and_others_have_others():
    first, second, third = PLACEHOLDER.findall(REDACTOR.redact("ada@corp.com bob@corp.com ada@corp.com").text)
    assert first == third != second


def test_under_another_key_the_placeholder_is_another():
    assert Redactor(b"j" * 32).redact("ada@corp.com").text != Redactor(KEY).redact("ada@corp.com").text


def test_a_placeholder_names_the_kind_and_four_digits():
    assert re.fullmatch(r"to \[EMAIL:[0-9a-f]{4}\]!", REDACTOR.redact("to ada@corp.com!").text)


def test_findings_count_characters_of_the_original():
    text = "İstanbul 🙂 邮箱是a@b.com，ada@corp.com"
    assert [text[one.start : one.end] for one in REDACTOR.find(text)] == ["a@b.com", "ada@corp.com"]


def test_a_value_that_may_stay_stays_in_any_case_and_only_whole():
    redactor = Redactor(KEY, allow=[Allowed("Info@Corp.com", "published")])
    assert redactor.redact("info@corp.com").text == "info@corp.com"
    assert redactor.redact("xinfo@corp.com").text != "xinfo@corp.com"


def test_a_star_stands_for_any_characters_and_a_dot_for_itself():
    redactor = Redactor(KEY, allow=[Allowed("*@corp.com", "published")])
    assert [len(redactor.find(text)) for text in ("ada@corp.com", "ada@corp.com.tr", "ada@corpxcom.com")] == [0, 1, 1]


def test_what_a_further_detector_finds_is_taken_out_too():
    redaction = Redactor(KEY, detectors=[Names()]).redact("şu Ada, ada@corp.com")
    assert [one.kind for one in redaction.findings] == ["PERSON", "EMAIL"]
    assert re.fullmatch(r"şu \[PERSON:\w{4}\], \[EMAIL:\w{4}\]", redaction.text)


def test_a_further_detector_does_not_reach_into_placeholders():
    redactor = Redactor(KEY, detectors=[Names()])
    redacted = redactor.redact("ada@corp.com and Ada").text
    assert redactor.redact(redacted).text == redacted


def test_the_stamp_changes_with_everything_that_changes_the_outcome():
    stamps = [
        Redactor(KEY),
        Redactor(b"j" * 32),
        Redactor(KEY, phone_regions=["TR"]),
        Redactor(KEY, allow=[Allowed("TR", "a country")]),
        Redactor(KEY, detectors=[Names()]),
        Redactor(KEY, detectors=[Names("names 2")]),
    ]
    assert len({redactor.stamp for redactor in stamps}) == len(stamps)


def test_the_stamp_is_the_same_for_the_same_and_shows_no_key():
    assert Redactor(KEY, phone_regions=["TR"]).stamp == Redactor(KEY, phone_regions=["TR"]).stamp
    assert KEY.decode() not in Redactor(KEY).stamp


def test_a_reason_does_not_change_the_stamp():
    assert Redactor(KEY, allow=[Allowed("a", "x")]).stamp == Redactor(KEY, allow=[Allowed("a", "y")]).stamp


def test_an_empty_text_holds_nothing():
    assert (REDACTOR.find(""), REDACTOR.redact("").text) == ((), "")
