"""What every detector must do, as tests: subclass ``DetectorSuite`` and say in the fixtures what to test.

    class TestMine(DetectorSuite):
        @pytest.fixture
        def detector(self) -> Detector:
            return MY_DETECTOR  # loaded once, used by every test

        @pytest.fixture
        def specimen(self) -> str:
            return "a value that it finds as a whole, wherever it stands between blanks"

Needs pytest.
"""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from citewell.core.ports import Detector, Finding
from citewell.text.redaction import Redactor

KIND = re.compile(r"[A-Z][A-Z0-9_]*")

SURROUNDINGS = (
    ("", ""),
    ("value: ", " and more\n"),
    ("Zaman aşımı için değer: ", " olmalı, çünkü öyle."),
    ("设置密钥为 ", " 然后重启服务。"),
    ("😀👩‍👩‍👧‍👦 e\u0301 \u202e ", " \u202c\ud83d"),
    ("\ufeffkey ", ""),
    ("a\0b ", " \0"),
    ("a\r\n\u2028\x0b ", "\r\n"),
    ("\ud800 ", " \udfff"),
    ("word " * 50_000, " word" * 50),
    ("字" * 150_000 + "\n", "\n" + "字" * 10),
)
"""What may stand around a value without being taken for it, and without moving where it is found."""

EMPTY = ("", " ", "\n\t\r\n", "\0", "\ufeff", "\ud800", "x", "字", "plain words without anything in them. " * 100)


class DetectorSuite:
    """The tests."""

    @pytest.fixture
    def detector(self) -> Detector:
        """Return the detector under test. Subclasses must define it."""
        raise NotImplementedError

    @pytest.fixture
    def specimen(self) -> str:
        """Return a value that it finds. Subclasses must define it."""
        raise NotImplementedError

    def test_the_name_stays(self, detector: Detector, specimen: str) -> None:
        """What was indexed under a name is not done again while it is the same."""
        before = detector.name
        list(detector.find(specimen))
        assert detector.name == before == before.strip() != ""

    @pytest.mark.parametrize("text", EMPTY, ids=range(len(EMPTY)))
    def test_nothing_is_found_where_nothing_is(self, detector: Detector, text: str) -> None:
        """And nothing is raised, whatever the text is."""
        assert list(detector.find(text)) == []

    @pytest.mark.parametrize("around", SURROUNDINGS, ids=range(len(SURROUNDINGS)))
    def test_offsets_count_characters(self, detector: Detector, specimen: str, around: tuple[str, str]) -> None:
        """Not bytes, nor UTF-16."""
        before, after = around
        found = list(detector.find(before + specimen + after))
        assert (len(before), len(before) + len(specimen)) in {(one.start, one.end) for one in found}

    def test_all_of_several_are_found_at_their_places(self, detector: Detector, specimen: str) -> None:
        """Each one, though they are equal."""
        text = f"ä {specimen} ö\n日本 {specimen} x\n"
        found = {text[one.start : one.end] for one in detector.find(text)}
        starts = {one.start for one in detector.find(text) if text[one.start : one.end] == specimen}
        assert specimen in found
        assert starts == {match.start() for match in re.finditer(re.escape(specimen), text)}

    def test_findings_lie_within_the_text_and_have_kinds(self, detector: Detector, specimen: str) -> None:
        """A kind becomes a part of a placeholder, so not every name will do."""
        text = f"日本 {specimen}"
        for one in detector.find(text):
            assert 0 <= one.start < one.end <= len(text)
            assert KIND.fullmatch(one.kind), one.kind

    def test_the_same_text_gives_the_same_findings(self, detector: Detector, specimen: str) -> None:
        """Whatever was asked between."""
        text = f"a {specimen} b"
        first = sorted(detector.find(text))
        list(detector.find("something else " + specimen * 3))
        assert sorted(detector.find(text)) == first

    def test_threads_do_not_disturb_each_other(self, detector: Detector, specimen: str) -> None:
        """Documents are indexed side by side."""
        texts = [f"{'字' * number} {specimen} {'x' * number}" for number in range(16)]
        alone: list[list[Finding]] = [sorted(detector.find(text)) for text in texts]
        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(lambda text: sorted(detector.find(text)), texts * 4)) == alone * 4

    def test_the_redactor_takes_out_what_it_finds(self, detector: Detector, specimen: str) -> None:
        """And leaves nothing to take out."""
        redactor = Redactor(b"k" * 32, detectors=[detector])
        once = redactor.redact(f"日本 {specimen} 语\n")
        assert specimen not in once.text
        assert redactor.redact(once.text).text == once.text
