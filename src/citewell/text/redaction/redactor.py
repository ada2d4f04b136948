"""The redactor: what is found in a text, and the text with a placeholder in the place of each."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from citewell.core.ports.detection import Detector, Finding
from citewell.text.redaction.credentials import CREDENTIAL_RULES, find_private_keys
from citewell.text.redaction.personal import NUMBER_RULES, find_emails, find_ibans
from citewell.text.redaction.phones import find_phones
from citewell.text.redaction.rules import Rule
from citewell.text.redaction.tokens import TOKEN_RULES

DETECTION_VERSION: Final = "1"
"""Goes up whenever the same text may be redacted otherwise."""

MAX_PASSES: Final = 4
"""How often a text is searched again, with what was found out of the way; more than two is never seen."""

_PLACEHOLDER: Final = re.compile(r"\[[A-Z][A-Z0-9_]*:[0-9a-f]{4}\]")
_BLANK: Final = re.compile(rb"[^\n]")
_HASH_DIGITS: Final = 4

Spans = Callable[[bytes], Iterable[tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class Allowed:
    """A value that may stay, and why. ``*`` in it stands for any characters; capitals count as small letters."""

    value: str
    reason: str


@dataclass(frozen=True, slots=True)
class Redaction:
    """A text without what was found in it. ``findings`` are offsets into the text as it was, in order, none overlapping."""

    text: str
    findings: tuple[Finding, ...] = field(default=())


class Redactor:
    """Finds secrets and personal data, and puts ``[KIND:hash]`` in the place of each.

    The hash is keyed: equal values have equal placeholders under one key, and nobody without the key can guess from it.
    The number of lines never changes, and what was redacted once is left as it is. Takes time in proportion to the text.
    """

    def __init__(
        self,
        key: bytes,
        *,
        phone_regions: Sequence[str] = (),
        allow: Sequence[Allowed] = (),
        detectors: Sequence[Detector] = (),
    ) -> None:
        self._key = key
        self._regions = tuple(phone_regions)
        self._allow = [_glob(allowed.value) for allowed in allow]
        self._detectors = tuple(detectors)
        self._stamp = _stamp(key, self._regions, [allowed.value for allowed in allow], [d.name for d in detectors])

    @property
    def stamp(self) -> str:
        """What is equal for two redactors only if they make the same of every text."""
        return self._stamp

    def find(self, text: str) -> tuple[Finding, ...]:
        """Return what would be taken out of ``text``."""
        data = _without_placeholders(text).encode("utf-8", "surrogatepass")
        found: list[tuple[int, int, str]] = []
        for number in range(MAX_PASSES):
            spans = self._scan(data, text if number == 0 else "")
            if not spans:
                break
            found += spans
            data = _blanked(data, spans)
        findings = sorted(_in_characters(text, data, found))
        return tuple(finding for finding in findings if not self._is_allowed(text[finding.start : finding.end]))

    def redact(self, text: str) -> Redaction:
        """Return ``text`` with placeholders, and what they stand for."""
        findings = self.find(text)
        parts: list[str] = []
        position = 0
        for finding in findings:
            value = text[finding.start : finding.end]
            parts += text[position : finding.start], self.placeholder(finding.kind, value), "\n" * value.count("\n")
            position = finding.end
        return Redaction("".join([*parts, text[position:]]), findings)

    def placeholder(self, kind: str, value: str) -> str:
        """Return what stands in the place of ``value``."""
        digest = hmac.new(self._key, f"{kind}\0{value}".encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()
        return f"[{kind}:{digest[:_HASH_DIGITS]}]"

    def _is_allowed(self, value: str) -> bool:
        return any(pattern.fullmatch(value) for pattern in self._allow)

    def _scan(self, data: bytes, text: str) -> list[tuple[int, int, str]]:
        """Return what is found in one pass, in bytes; of two that overlap the one that begins first, then the longer."""
        candidates = [(start, end, kind) for kind, spans in self._finders(data) for start, end in spans(data)]
        candidates += self._further(text) if text else ()
        candidates.sort(key=lambda span: (span[0], -span[1]))
        chosen: list[tuple[int, int, str]] = []
        for span in candidates:
            if not chosen or span[0] >= chosen[-1][1]:
                chosen.append(span)
        return chosen

    def _finders(self, data: bytes) -> Iterator[tuple[str, Spans]]:
        lowered = data.lower()
        if b"private key" in lowered:
            yield "PRIVATE_KEY", find_private_keys
        for rule in _RULES:
            if not rule.words or any(word in lowered for word in rule.words):
                yield rule.kind, rule.find
        if b"@" in data:
            yield "EMAIL", find_emails
        yield "IBAN", find_ibans
        yield "PHONE", partial(find_phones, regions=self._regions)

    def _further(self, text: str) -> Iterator[tuple[int, int, str]]:
        for detector in self._detectors:
            for finding in detector.find(text):
                start = len(text[: finding.start].encode("utf-8", "surrogatepass"))
                yield start, start + len(text[finding.start : finding.end].encode("utf-8", "surrogatepass")), finding.kind


_RULES: Final[tuple[Rule, ...]] = (*TOKEN_RULES, *CREDENTIAL_RULES, *NUMBER_RULES)


def _glob(value: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, value.split("*"))), re.IGNORECASE | re.DOTALL)


def _stamp(key: bytes, *parts: Sequence[str]) -> str:
    words = "\0".join([DETECTION_VERSION, *("\1".join(part) for part in parts)])
    return hmac.new(key, words.encode(), hashlib.sha256).hexdigest()[:16]


def _without_placeholders(text: str) -> str:
    """Return ``text`` with every placeholder blanked, so that nothing is found in or across one."""
    return _PLACEHOLDER.sub(lambda match: "\0" * len(match[0]), text) if ":" in text else text


def _blanked(data: bytes, spans: Iterable[tuple[int, int, str]]) -> bytes:
    parts: list[bytes] = []
    position = 0
    for start, end, _ in spans:
        parts += data[position:start], _BLANK.sub(b"\0", data[start:end])
        position = end
    return b"".join([*parts, data[position:]])


def _in_characters(text: str, data: bytes, spans: Sequence[tuple[int, int, str]]) -> Iterator[Finding]:
    """Yield ``spans`` with offsets in characters; ``data`` has as many bytes before each as the text had."""
    if text.isascii():
        yield from (Finding(start, end, kind) for start, end, kind in spans)
        return
    original = text.encode("utf-8", "surrogatepass")
    characters = position = 0
    for start, end, kind in sorted(spans):
        characters += len(original[position:start].decode("utf-8", "surrogatepass"))
        length = len(original[start:end].decode("utf-8", "surrogatepass"))
        yield Finding(characters, characters + length, kind)
        characters, position = characters + length, end
