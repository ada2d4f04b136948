"""Telephone numbers: international ones anywhere, national ones of chosen countries, by their numbering plans."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from citewell.text.redaction.dialling import is_international, is_national
from citewell.text.redaction.rules import Rule, compiled, line_before

_INTERNATIONAL: Final = r"(\+ ?\(?[1-9](?:[ .\-/()]{0,3}[0-9]){6,14})"
_NATIONAL: Final = r"(\(?[0-9](?:[ .\-/()]{0,3}[0-9]){6,14})"
_GROUP: Final = re.compile(r"[0-9]+")
_TRUNK: Final = re.compile(r"\(0\)")
_WORD: Final = re.compile(
    r"(?i)(?:\b(?:(?:tele)?(?:phone|fon|foon)s?|mobil[e]?|cell|call(?: me)?(?: at| on)?|tel|fax|whats ?app|gsm|cep|ara(?:y[ıi]n)?|handy|sms"
    r"|hotline|dial|numar\w*|tél\w*|tfno|móvil|telef\w*)\b|电话|電話|手机|手機|联系|热线|微信|전화)[^\n]{0,20}$"
)
_REACH: Final = 60
_FEWEST: Final = 7
_MOST: Final = 15
_DATE: Final = re.compile(r"(?:19|20)\d\d[ .\-/]\d{1,2}[ .\-/]\d{1,2}\b|\d{1,2}[ .\-/]\d{1,2}[ .\-/](?:19|20)\d\d\b")
_ADDRESS: Final = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_BESIDE: Final = re.compile(rb"[A-Za-z0-9_@$#%=*+]$|[A-Za-z0-9_][.\-/:]$|[.,]\d?$")
_ESCAPE: Final = re.compile(rb"\\[nrt]$")
_BEHIND: Final = re.compile(rb"[A-Za-z0-9_%]|[.\-/:,][0-9]|-[A-Za-z]")
_EXTENSION: Final = re.compile(rb"(?i)(?: ?(?:x|ext\.?|#) ?\d{1,6})\b")
_FEW_GROUPS: Final = 2


def phone_rule(regions: Sequence[str]) -> Rule:
    """Return what finds telephone numbers: with a leading ``+``, or as the ``regions`` write their own."""
    pattern = r"\+ ?\(?[1-9](?:[ .\-/()]{0,3}[0-9]){6}"
    if regions:
        pattern += r"|[0-9](?:[ .\-/()]{0,3}[0-9]){6}"
    return Rule("PHONE", pattern, partial(_find_phones, regions=tuple(regions)))


def _find_phones(data: bytes, regions: Sequence[str]) -> Iterator[tuple[int, int]]:
    if b"+" in data:
        yield from _numbers(data, _INTERNATIONAL, _international_end)
    if regions:
        yield from _numbers(data, _NATIONAL, partial(_national_end, regions=regions))


def _numbers(data: bytes, pattern: str, end_of: Callable[[bytes, int, str], int]) -> Iterator[tuple[int, int]]:
    """Yield the numbers in what ``pattern`` matches: it may hold more than one, and other digits before and behind."""
    for match in compiled(pattern).finditer(data):
        start, end = match.span(1)
        written = data[start:end].decode()
        taken = 0
        for group in _GROUP.finditer(written):
            first = _first_of(written, group.start())
            length = end_of(data, start + first, written[first:]) if first >= taken else 0
            if length:
                taken = first + length
                yield start + first, start + taken


def _first_of(written: str, digit: int) -> int:
    """Return where a number begins whose first digit is at ``digit``: at the sign or the bracket before it."""
    before = re.search(r"(?:\+ ?)?\(?$", written[:digit])
    return before.start() if before else digit


def _international_end(data: bytes, start: int, written: str) -> int:
    """Return the length of the number with a leading ``+`` at the beginning of ``written``, 0 where there is none."""
    if not written.startswith("+") or re.search(rb"[A-Za-z0-9_+]$", data[max(start - 1, 0) : start]):
        return 0
    return next(
        (length for length, digits in _cuts(written) if is_international(digits) and not _goes_on(data, start + length)), 0
    )


def _national_end(data: bytes, start: int, written: str, regions: Sequence[str]) -> int:
    """Return the length of the national number at the beginning of ``written``, 0 where there is none."""
    if _DATE.match(written) or _ADDRESS.match(written) or not _begins(data, start):
        return 0
    for length, digits in _cuts(written):
        if any(is_national(digits, region) for region in regions) and not _goes_on(data, start + length):
            return length if _shows_itself(data, start, written[:length]) else 0
    return 0


def _begins(data: bytes, start: int) -> bool:
    before = data[max(start - 2, 0) : start]
    return not _BESIDE.search(before) or _ESCAPE.search(before) is not None


def _goes_on(data: bytes, end: int) -> bool:
    return _BEHIND.match(data, end) is not None and not _EXTENSION.match(data, end)


def _cuts(written: str) -> Iterator[tuple[int, str]]:
    """Yield how far a number may go, the longest first, with its digits."""
    for end in [group.end() for group in _GROUP.finditer(written)][::-1]:
        digits = re.sub(r"\D", "", _TRUNK.sub("", written[:end]) if written[0] == "+" else written[:end])
        if _FEWEST <= len(digits) <= _MOST:
            yield end, digits


def _shows_itself(data: bytes, start: int, value: str) -> bool:
    """Whether a national number is seen to be one: by its groups, or by the word before it."""
    groups = len(_GROUP.findall(value))
    if "(" in value or groups > _FEW_GROUPS:
        return True
    return _WORD.search(line_before(data, start, _REACH).decode("utf-8", "ignore")) is not None
