from __future__ import annotations

import sys

import pytest

from citewell.adapters.detectors import presidio as adapter
from citewell.core.errors import ConfigurationError, MissingExtra
from citewell.core.ports import Detector
from citewell.registry import open_detector
from citewell.testing.detector_suite import DetectorSuite

FISCAL_CODE = "RSSMRA85T10A562S"
WITHOUT = "citewell[presidio] is not installed"


@pytest.fixture(scope="module")
def presidio() -> Detector:
    pytest.importorskip("presidio_analyzer", reason=WITHOUT)
    return open_detector("presidio:")


@pytest.fixture(scope="module")
def with_model(tmp_path_factory: pytest.TempPathFactory) -> Detector:
    """Presidio with a spaCy model that knows one name by heart: as a folder, which is how a trained one comes as well."""
    pytest.importorskip("presidio_analyzer", reason=WITHOUT)
    spacy = pytest.importorskip("spacy", reason=WITHOUT)
    model = spacy.blank("en", meta={"name": "one_name", "version": "7.0.0"})
    names = [{"label": "PERSON", "pattern": "Ada Lovelace"}, {"label": "GPE", "pattern": "Marylebone"}]
    model.add_pipe("entity_ruler").add_patterns(names)
    folder = tmp_path_factory.mktemp("model")
    model.to_disk(folder)
    return open_detector(f"presidio:{folder}")


class TestPresidio(DetectorSuite):
    @pytest.fixture
    def detector(self, presidio: Detector) -> Detector:
        return presidio

    @pytest.fixture
    def specimen(self) -> str:
        return FISCAL_CODE


class TestPresidioWithModel(DetectorSuite):
    @pytest.fixture
    def detector(self, with_model: Detector) -> Detector:
        return with_model

    @pytest.fixture
    def specimen(self) -> str:
        return "Ada Lovelace"


def test_every_recognizer_that_is_chosen_exists(presidio: Detector) -> None:
    predefined = pytest.importorskip("presidio_analyzer", reason=WITHOUT).predefined_recognizers
    assert [name for name in adapter.RECOGNIZERS if not hasattr(predefined, name)] == []


def test_a_number_whose_check_digit_is_wrong_is_left(presidio: Detector) -> None:
    assert list(presidio.find(f"Codice fiscale: {FISCAL_CODE[:-1]}T")) == []


def test_words_that_look_like_addresses_of_the_web_are_left(presidio: Detector) -> None:
    assert list(presidio.find("app.ro imports s3 and v4 from os.environ; see 12345678901")) == []


def test_a_model_finds_persons_and_places(with_model: Detector) -> None:
    text = "Ada Lovelace lived in Marylebone."
    assert {(one.kind, text[one.start : one.end]) for one in with_model.find(text)} == {
        ("PERSON", "Ada Lovelace"),
        ("LOCATION", "Marylebone"),
    }


def test_the_name_tells_the_version_and_the_model(presidio: Detector, with_model: Detector) -> None:
    assert with_model.name == f"{presidio.name}/en_one_name-7.0.0"


@pytest.mark.parametrize("model", ["no_such_model", "./no/such/folder", "json"])
def test_a_model_that_is_not_there_is_refused_and_not_downloaded(model: str) -> None:
    pytest.importorskip("presidio_analyzer", reason=WITHOUT)
    with pytest.raises(ConfigurationError, match=f"there is no spaCy model '{model}'"):
        open_detector(f"presidio:{model}")


def test_a_missing_package_is_named_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "presidio_analyzer", None)
    with pytest.raises(MissingExtra, match=r"pip install 'citewell\[presidio\]'"):
        open_detector("presidio:")


def test_mail_and_web_addresses_are_left_to_our_own_rules_because_theirs_ask_the_network(presidio: Detector) -> None:
    assert list(presidio.find("ada@corp.com and https://corp.com")) == []
