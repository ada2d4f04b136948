"""``presidio:``: national identity numbers by Microsoft Presidio, and names and places by a spaCy model.

``presidio:`` finds numbers of several countries whose check digits are right. ``presidio:MODEL`` also finds persons and
places: MODEL is the name of an installed spaCy model or its folder. Nothing is ever downloaded.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from citewell.core.errors import ConfigurationError, MissingExtra
from citewell.core.ports import Detector, Finding

if TYPE_CHECKING:
    from presidio_analyzer import AnalyzerEngine

RECOGNIZERS: Final = (
    *("CryptoRecognizer", "DeHealthInsuranceRecognizer", "DeIdCardRecognizer", "DeSocialSecurityRecognizer"),
    *("DeVatIdRecognizer", "EsNieRecognizer", "EsNifRecognizer", "FiPersonalIdentityCodeRecognizer", "InGstinRecognizer"),
    *("ItFiscalCodeRecognizer", "KrRrnRecognizer", "MedicalLicenseRecognizer", "ZaIdNumberRecognizer"),
)
"""Those with check digits over enough structure that numbers made at random do not pass: a check digit alone lets a tenth of
all numbers through. Without those for mail and web addresses, which ask the network, and for what we find ourselves."""

CERTAIN: Final = 1.0
"""The score that Presidio gives where the check digits are right."""

NAMED: Final = ("PERSON", "LOCATION")
"""What a model finds, which has no check digits."""

_LANGUAGE: Final = "en"
"""What Presidio files the recognizers under; numbers have no language, and a model knows its own."""

_WINDOW: Final = re.compile(r".{1,99999}(?:\n|\Z)|.{1,100000}", re.DOTALL)
"""spaCy refuses long texts. A window ends at the end of a line if it can."""

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def open_detector(rest: str) -> Detector:
    """Return the detector with the model ``rest``, if any.

    Raises MissingExtra without the package, ConfigurationError for a model that is not there.
    """
    if find_spec("presidio_analyzer") is None:
        raise MissingExtra("presidio: needs a package that is missing: pip install 'citewell[presidio]'")
    return PresidioDetector(rest)


class PresidioDetector:
    """Finds what Presidio is certain of, and what ``model`` takes for a person or a place. Loaded when first needed."""

    def __init__(self, model: str = "") -> None:
        self._model = model
        self._lock = Lock()
        self._engine: AnalyzerEngine | None = None
        self._name = "/".join(["presidio", version("presidio-analyzer"), *([_model_name(model)] if model else [])])

    @property
    def name(self) -> str:
        """``presidio/`` and the version of the package, and the model with its version."""
        return self._name

    def find(self, text: str) -> list[Finding]:
        """Return the numbers, and with a model the persons and places, in ``text``."""
        engine, encodable = self._loaded(), _SURROGATE.sub(" ", text)
        return [finding for match in _WINDOW.finditer(encodable) for finding in _found(engine, match[0], match.start())]

    def _loaded(self) -> AnalyzerEngine:
        with self._lock:
            if self._engine is None:
                self._engine = _load(self._model)
            return self._engine


def _found(engine: AnalyzerEngine, text: str, offset: int) -> Iterator[Finding]:
    for one in engine.analyze(text, _LANGUAGE):
        if one.score >= CERTAIN or one.entity_type in NAMED:
            yield Finding(offset + one.start, offset + one.end, one.entity_type)


def _load(model: str) -> AnalyzerEngine:
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry, predefined_recognizers

    recognizers = [getattr(predefined_recognizers, name)(supported_language=_LANGUAGE) for name in RECOGNIZERS]
    if model:
        recognizers.append(predefined_recognizers.SpacyRecognizer(supported_entities=list(NAMED)))
    return AnalyzerEngine(RecognizerRegistry(recognizers, supported_languages=[_LANGUAGE]), _language_engine(model))


def _language_engine(model: str) -> Any:
    """Return what reads the language: a model that is here, or nothing. Presidio's own choice would download one."""
    from presidio_analyzer.nlp_engine import NoOpNlpEngine, SpacyNlpEngine

    if not model:
        return NoOpNlpEngine([{"lang_code": _LANGUAGE, "model_name": ""}])
    import spacy

    engine: Any = SpacyNlpEngine([{"lang_code": _LANGUAGE, "model_name": model}])
    engine.nlp = {_LANGUAGE: spacy.load(model)}
    return engine


def _model_name(model: str) -> str:
    """Return the name and version of ``model``. Raises ConfigurationError where there is none."""
    folder = Path(model)
    if model.isidentifier() and (package := find_spec(model)) is not None and package.origin:
        folder = Path(package.origin).parent
    try:
        meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
        return f"{meta['lang']}_{meta['name']}-{meta['version']}"
    except (OSError, ValueError, KeyError) as error:
        message = f"presidio: there is no spaCy model '{model}': neither an installed one nor a folder."
        raise ConfigurationError(message, detail=str(error)) from error
