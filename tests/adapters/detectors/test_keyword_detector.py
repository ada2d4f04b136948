from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.core.ports import Detector
from citewell.testing.detector_suite import DetectorSuite
from citewell.testing.keyword_detector import KeywordDetector
from citewell.text.redaction import Redactor


class TestKeywordDetector(DetectorSuite):
    @pytest.fixture
    def detector(self) -> Detector:
        return KeywordDetector({"albatross": "BIRD", "penguin": "BIRD"})

    @pytest.fixture
    def specimen(self) -> str:
        return "albatross"


def test_another_list_of_words_is_another_detector() -> None:
    assert KeywordDetector({"albatross": "BIRD"}).name != KeywordDetector({"albatross": "FISH"}).name


@given(st.lists(st.sampled_from(["albatross", "alba", "tross", "\n", "é", "[BIRD:", "]", " ", "a"])).map("".join))
def test_what_was_redacted_with_a_further_detector_is_left_as_it_is(text: str) -> None:
    redactor = Redactor(b"k" * 32, detectors=[KeywordDetector({"albatross": "BIRD"})])
    once = redactor.redact(text)
    assert "albatross" not in once.text
    assert redactor.redact(once.text).text == once.text
    assert once.text.count("\n") == text.count("\n")
