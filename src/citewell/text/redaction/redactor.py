"""The redactor: what is found in a text, and the text with a placeholder in the place of each."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final

from citewell.core.ports.detection import Detector, Finding
from citewell.text.redaction.credentials import CREDENTIAL_RULES
from citewell.text.redaction.keys import KEY_RULES
from citewell.text.redaction.mail import MAIL_RULES
from citewell.text.redaction.numbers import NUMBER_RULES
from citewell.text.redaction.phones import phone_rule
from citewell.text.redaction.rules import RuleBook
from citewell.text.redaction.tokens import TOKEN_RULES

DETECTION_VERSION: Final = "2"
"""Goes up whenever the same text may be redacted otherwise."""

MAX_PASSES: Final = 5
"""How often a text is searched again, with what was found out of the way; more than three is never seen."""

PLACEHOLDER: Final = r"\[[A-Z][A-Z0-9_]*:[0-9a-f]{4}\]"
"""What stands in the place of a value, as a pattern."""

_PLACEHOLDER: Final = re.compile(PLACEHOLDER)
_BREAK: Final = re.compile(r"[\r\n]")
_HASH_DIGITS: Final = 4

_VARIANTS: Final[dict[int, int | str]] = {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys((0x00A0, 0x2007, 0x2009, 0x202F, 0x3000), " "),
    **dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0xFE63), "-"),
}
"""Full-width characters, other blanks and hyphens: found as what they stand for, one character for one."""

_VARIANT: Final = re.compile(f"[{''.join(map(chr, _VARIANTS)).translate({0xFF3B: None, 0xFF3C: None, 0xFF3D: None})}]")

Span = tuple[int, int, str]


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
        self._rules = RuleBook((*_RULES, phone_rule(phone_regions)))
        self._allow = [_glob(allowed.value) for allowed in allow]
        self._detectors = tuple(detectors)
        self._stamp = _stamp(key, phone_regions, [allowed.value for allowed in allow], [one.name for one in detectors])

    @property
    def stamp(self) -> str:
        """What is equal for two redactors only if they make the same of every text."""
        return self._stamp

    def find(self, text: str) -> tuple[Finding, ...]:
        """Return what would be taken out of ``text``."""
        plain = _plain(text)
        data = plain.encode("utf-8", "surrogatepass")
        further = self._further(text, plain, data)
        found: list[Span] = []
        for _ in range(MAX_PASSES):
            spans = _chosen([*self._rules.find(data), *further])
            if not spans:
                break
            found += spans
            data, further = _blanked(data, spans), []
        findings = _in_characters(plain, sorted(found))
        if not self._allow:
            return tuple(findings)
        return tuple(finding for finding in findings if not self._is_allowed(text[finding.start : finding.end]))

    def redact(self, text: str) -> Redaction:
        """Return ``text`` with placeholders, and what they stand for."""
        findings = self.find(text)
        parts: list[str] = []
        position = 0
        for finding in findings:
            value = text[finding.start : finding.end]
            parts += text[position : finding.start], self.placeholder(finding.kind, value), *_BREAK.findall(value)
            position = finding.end
        return Redaction("".join([*parts, text[position:]]), findings)

    def placeholder(self, kind: str, value: str) -> str:
        """Return what stands in the place of ``value``."""
        digest = hmac.digest(self._key, f"{kind}\0{value}".encode("utf-8", "surrogatepass"), hashlib.sha256)
        return f"[{kind}:{digest.hex()[:_HASH_DIGITS]}]"

    def _is_allowed(self, value: str) -> bool:
        return any(pattern.fullmatch(value) for pattern in self._allow)

    def _further(self, text: str, plain: str, data: bytes) -> list[Span]:
        """Return what the further detectors find, in bytes, without what touches a placeholder."""
        found = [finding for one in self._detectors for finding in one.find(text)]
        kept = [one for one in found if 0 <= one.start < one.end <= len(text) and "\0" not in plain[one.start : one.end]]
        if not kept or plain.isascii():
            return [(one.start, one.end, one.kind) for one in kept]
        offsets = [0, *accumulate(len(character.encode("utf-8", "surrogatepass")) for character in plain)]
        return [(offsets[one.start], offsets[one.end], one.kind) for one in kept]


_RULES: Final = (*KEY_RULES, *TOKEN_RULES, *CREDENTIAL_RULES, *NUMBER_RULES, *MAIL_RULES)


def _glob(value: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, value.split("*"))), re.IGNORECASE | re.DOTALL)


def _stamp(key: bytes, *parts: Sequence[str]) -> str:
    words = "\0".join([DETECTION_VERSION, *("\1".join(part) for part in parts)])
    return hmac.new(key, words.encode(), hashlib.sha256).hexdigest()[:16]


def _plain(text: str) -> str:
    """Return ``text`` as the rules read it, character for character: without variants, and every placeholder blanked."""
    if ":" in text:
        text = _PLACEHOLDER.sub(lambda match: "\0" * len(match[0]), text)
    return text if text.isascii() or not _VARIANT.search(text) else text.translate(_VARIANTS)


def _chosen(candidates: list[Span]) -> list[Span]:
    """Return those that do not overlap: of two that do, the one that begins first, then the longer."""
    candidates.sort(key=lambda span: (span[0], -span[1]))
    chosen: list[Span] = []
    for span in candidates:
        if not chosen or span[0] >= chosen[-1][1]:
            chosen.append(span)
    return chosen


def _blanked(data: bytes, spans: Iterable[Span]) -> bytes:
    """Return ``data`` as if it held placeholders: blanks in the place of each, then the line breaks that were within."""
    parts: list[bytes] = []
    position = 0
    for start, end, _ in spans:
        breaks = bytes(byte for byte in data[start:end] if byte in b"\r\n")
        parts += data[position:start], bytes(end - start - len(breaks)), breaks
        position = end
    return b"".join([*parts, data[position:]])


def _in_characters(text: str, spans: Sequence[Span]) -> Iterator[Finding]:
    """Yield ``spans``, which count bytes, with offsets in characters of ``text``."""
    if text.isascii():
        yield from (Finding(*span) for span in spans)
        return
    data = text.encode("utf-8", "surrogatepass")
    characters = position = 0
    for start, end, kind in spans:
        characters += len(data[position:start].decode("utf-8", "surrogatepass"))
        length = len(data[start:end].decode("utf-8", "surrogatepass"))
        yield Finding(characters, characters + length, kind)
        characters, position = characters + length, end
