"""The systems that the benchmark of redaction compares: each finds spans of characters in a text. None uses the network."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from citewell.core.errors import MissingExtra
from citewell.registry import open_detector
from citewell.text.redaction import Redactor

Span = tuple[int, int, str]
Find = Callable[[str, str], list[Span]]
"""Finds spans in a text, which is that of a file of some name."""

PEOPLE = frozenset({"EMAIL", "CARD", "IBAN", "PHONE", "TCKN", "CN_ID", "US_SSN"})


@dataclass(frozen=True)
class System:
    """A system by its name and version: ``for_regions`` makes what finds, for countries whose telephone numbers count.

    ``kinds`` are those it has rules for; it is not blamed for others.
    """

    name: str
    for_regions: Callable[[Sequence[str]], Find]
    kinds: frozenset[str]
    secrets: bool


def systems() -> Iterator[System | str]:
    """Yield the systems that are installed; in place of one that is not, why it is left out."""
    yield System("citewell", _citewell, PEOPLE, secrets=True)
    for make in (_with_kingfisher, _kingfisher, _detect_secrets, _presidio):
        try:
            yield make()
        except (ImportError, MissingExtra) as error:
            yield f"left out: {error}"


def _citewell(regions: Sequence[str]) -> Find:
    redactor = Redactor(b"k" * 32, phone_regions=regions)
    return lambda text, _: [(one.start, one.end, one.kind) for one in redactor.find(text)]


def _with_kingfisher() -> System:
    """Our own rules and Kingfisher's, as ``redaction.detectors`` puts them side by side."""
    detector = open_detector("kingfisher:")

    def for_regions(regions: Sequence[str]) -> Find:
        redactor = Redactor(b"k" * 32, phone_regions=regions, detectors=[detector])
        return lambda text, _: [(one.start, one.end, one.kind) for one in redactor.find(text)]

    return System("citewell + kingfisher", for_regions, PEOPLE, secrets=True)


def _kingfisher() -> System:
    detector = open_detector("kingfisher:")

    def find(text: str, _: str) -> list[Span]:
        return [(one.start, one.end, one.kind) for one in detector.find(text)]

    return System(detector.name, lambda _: find, frozenset(), secrets=True)


def _detect_secrets() -> System:
    """All of its plugins and its usual filters, as it reads files. It tells lines and values, so they are looked up again."""
    from detect_secrets.core.scan import scan_file
    from detect_secrets.settings import default_settings

    folder = tempfile.TemporaryDirectory()

    def find(text: str, name: str) -> list[Span]:
        path = Path(folder.name, name)
        path.write_text(text, encoding="utf-8", errors="replace")
        with default_settings():
            found = {(secret.line_number, secret.secret_value or "", secret.type) for secret in scan_file(str(path))}
        path.unlink()
        return _places(text, found)

    find.folder = folder  # type: ignore[attr-defined]  # lives as long as what uses it
    return System(f"detect-secrets/{version('detect-secrets')}", lambda _: find, frozenset(), secrets=True)


def _places(text: str, found: set[tuple[int, str, str]]) -> list[Span]:
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    spans = []
    for number, value, kind in found:
        line = text[starts[number - 1] : starts[number]] if number < len(starts) else ""
        place = line.find(value)
        if value and place >= 0:
            start = starts[number - 1] + place
            spans.append((start, start + len(value), kind))
    return sorted(spans)


PRESIDIO = {
    **{"EmailRecognizer": "EMAIL", "CreditCardRecognizer": "CARD", "IbanRecognizer": "IBAN", "PhoneRecognizer": "PHONE"},
    **{"TrNationalIdRecognizer": "TCKN", "UsSsnRecognizer": "US_SSN"},
}
PRESIDIO_THRESHOLD = 0.4
"""What its telephone numbers score; they would all be lost with more."""


def _presidio() -> System:
    """Its recognizers for our kinds, without a language model, at the threshold that suits it best."""
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry, predefined_recognizers
    from presidio_analyzer.nlp_engine import NoOpNlpEngine

    _keep_offline()

    def for_regions(regions: Sequence[str]) -> Find:
        made: list[Any] = []
        for name in PRESIDIO:
            more = {"supported_regions": tuple(regions)} if name == "PhoneRecognizer" and regions else {}
            made.append(getattr(predefined_recognizers, name)(supported_language="en", **more))
        registry = RecognizerRegistry(made, supported_languages=["en"])
        engine = AnalyzerEngine(registry, NoOpNlpEngine([{"lang_code": "en", "model_name": ""}]))

        def find(text: str, _: str) -> list[Span]:
            found = engine.analyze(text, "en", score_threshold=PRESIDIO_THRESHOLD)
            return [(one.start, one.end, one.entity_type) for one in found]

        return find

    name = f"presidio/{version('presidio-analyzer')}"
    return System(name, for_regions, frozenset(PRESIDIO.values()), secrets=False)


def _keep_offline() -> None:
    """Let the suffixes of domains come from the package, as its recognizer of mail addresses would download them."""
    with contextlib.suppress(ImportError):
        import tldextract.tldextract

        tldextract.tldextract.TLD_EXTRACTOR = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
