"""``kingfisher:``: the rules of MongoDB's Kingfisher for secrets of some 400 services, beside our own detectors.

It only detects. Kingfisher can also try out what it finds at the service it belongs to; that part of it is never called.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import version
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING, Final

from citewell.core.errors import ConfigurationError, MissingExtra
from citewell.core.ports import Detector, Finding

if TYPE_CHECKING:
    from kingfisher_sdk import Scanner

_ODD: Final = re.compile("[\0\ufeff\ud800-\udfff]")
"""What would let Kingfisher take a text for another encoding and count otherwise, or cannot be encoded at all."""

_NO_LETTER: Final = re.compile(r"[^A-Z0-9]+")
_VARIANT: Final = re.compile(r"\.\d+$")


def open_detector(rest: str) -> Detector:
    """Return the detector. Raises ConfigurationError when ``rest`` is not empty, MissingExtra without the package."""
    if rest:
        raise ConfigurationError(f"'kingfisher:' takes nothing after the colon, but was given '{rest}'.")
    if find_spec("kingfisher_sdk") is None:
        raise MissingExtra("kingfisher: needs a package that is missing: pip install 'citewell[kingfisher]'")
    return KingfisherDetector()


class KingfisherDetector:
    """Finds secrets by Kingfisher's rules, of its default confidence. They are loaded once, when first needed."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._scanner: Scanner | None = None
        self._name = f"kingfisher/{version('kingfisher-secret-scanner')}"

    @property
    def name(self) -> str:
        """``kingfisher/`` and the version of the package, which brings the rules with it."""
        return self._name

    def find(self, text: str) -> list[Finding]:
        """Return the secrets in ``text``; of one in Base64, the whole that was encoded."""
        data = _ODD.sub(" ", text).encode()
        found = [finding for finding in self._loaded().scan(data) if finding.visible]
        spans = sorted((one.location["start_offset"], one.location["end_offset"], kind_of(one.rule_id)) for one in found)
        return list(_in_characters(data, spans))

    def _loaded(self) -> Scanner:
        with self._lock:
            if self._scanner is None:
                from kingfisher_sdk import Scanner

                self._scanner = Scanner()
            return self._scanner


def kind_of(rule: str) -> str:
    """Return the kind that Kingfisher's ``rule`` finds: ``GITHUB_PAT`` for ``betterleaks.github-pat``."""
    name = _VARIANT.sub("", rule.partition(".")[2] or rule)
    kind = _NO_LETTER.sub("_", name.rpartition("/")[2].upper()).strip("_")
    return kind if kind[:1].isalpha() else f"KEY_{kind}"


def _in_characters(data: bytes, spans: list[tuple[int, int, str]]) -> Iterator[Finding]:
    """Yield ``spans``, which count bytes of ``data`` in order of their starts, with offsets in characters."""
    position = characters = 0
    for start, end, kind in spans:
        characters += len(data[position:start].decode())
        position = start
        yield Finding(characters, characters + len(data[start:end].decode()), kind)
