"""Telephone numbers: international ones anywhere, national ones of chosen countries, by their numbering plans."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from citewell.text.redaction.dialling import Region, code_and_plan, region_of
from citewell.text.redaction.rules import Rule, compiled

TRIES: Final = 2
"""How many groups of a run of digits are tried as the beginning of a number before the rest of the run is given up."""

_INTERNATIONAL: Final = r"(\+\(?[1-9](?:[ .\-/()]{0,3}[0-9]){6,14})"
_RUN: Final = r"(\(?[0-9](?:[ .\-/()]{0,3}[0-9]){6,})"
_SIGNS: Final = re.compile(r"\D")
_GROUP: Final = re.compile(r"[0-9]+")
_NAMED: Final = (
    r"(?i)(?:\b(?:(?:tele)?(?:phone|fon|foon)s?|mobile?|cell|call(?: me)?(?: at| on)?|tel|fax|whats ?app|gsm|cep|sms"
    r"|ara(?:y[ıi]n)?|handy|hotline|dial|numar[a-zı]*|tél[a-z.]*|tfno|móvil|telef[a-zó]*)\b"
    r"|电话|電話|手机|手機|联系|热线|微信|전화)"
    r"[^\n\x000-9+]{0,20}?(\(?[0-9](?:[ .\-/(),;]{0,3}[0-9]){6,})"
)
"""After a word that says so, a telephone number may be written as digits alone."""

_FEWEST: Final = 7
_MOST: Final = 15
_WIDEST: Final = 40
"""Characters within which all the digits of one number stand."""

_DATE: Final = re.compile(r"(?:19|20)\d\d[ .\-/]\d{1,2}[ .\-/]\d{1,2}\b|\d{1,2}[ .\-/]\d{1,2}[ .\-/](?:19|20)\d\d\b")
_ADDRESS: Final = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_BESIDE: Final = re.compile(rb"[A-Za-z0-9_@$#%*+]\Z|[A-Za-z0-9_][.\-/]\Z|\.\d?\Z")
_ESCAPE: Final = re.compile(rb"\\[nrt]\Z")
_BEHIND: Final = re.compile(rb"[A-Za-z0-9_%]|[.\-/:][0-9]|,[0-9]{1,2}(?![0-9])|-[A-Za-z]")
_EXTENSION: Final = re.compile(rb"(?i)(?: ?(?:x|ext\.?|#) ?\d{1,6})(?![A-Za-z0-9_])")
_FEW_GROUPS: Final = 2
_SHORTEST_GROUP: Final = 2
_AREA: Final = re.compile(r"\(\d+\)")
_JOINERS: Final = re.compile(r"[.\-/]")
_CODE_WITHIN: Final = 12
"""Characters within which all the digits of the code of a country stand."""


def phone_rule(regions: Sequence[str]) -> Rule:
    """Return what finds telephone numbers: with a leading ``+``, or as the ``regions`` write their own."""
    hint = r"\+\(?[1-9](?:[ .\-/()]{0,3}[0-9]){6}"
    if regions:
        hint += r"|[0-9](?:[ .\-/()]{0,3}[0-9]){6}"
    known = [region for name in regions if (region := region_of(name)) is not None]
    return Rule("PHONE", hint, partial(_find_phones, regions=known))


def _find_phones(data: bytes, regions: Sequence[Region]) -> Iterator[tuple[int, int]]:
    if b"+" in data:
        yield from _international(data)
    if regions:
        yield from _national(data, regions)


def _international(data: bytes) -> Iterator[tuple[int, int]]:
    for match in compiled(_INTERNATIONAL).finditer(data):
        start, end = match.span(1)
        if data[max(start - 1, 0) : start].isalnum():
            continue
        written = data[start:end].decode()
        code, plan = code_and_plan(_SIGNS.sub("", written[:_CODE_WITHIN]))
        for length, digits in _cuts(written) if plan else ():
            if plan and plan.has(digits[code:]) and not _goes_on(data, start + length):
                yield start, _end_with_extension(data, start + length)
                break


def _national(data: bytes, regions: Sequence[Region]) -> Iterator[tuple[int, int]]:
    for match in compiled(_NAMED).finditer(data):
        start, end = match.span(1)
        yield from _numbers_in(data, start, end, regions, named=True)
    for match in compiled(_RUN).finditer(data):
        start, end = match.span(1)
        if not data[start:end].isdigit() and data[max(start - 1, 0) : start] != b"+":
            yield from _numbers_in(data, start, end, regions, named=False)


def _numbers_in(data: bytes, start: int, end: int, regions: Sequence[Region], *, named: bool) -> Iterator[tuple[int, int]]:
    """Yield the numbers in a run of digits: there may be more than one, and other digits before and behind."""
    run = data[start:end].decode()
    position = tries = 0
    while tries < TRIES and (group := _GROUP.search(run, position)) is not None:
        first = group.start() - (run[group.start() - 1 : group.start()] == "(")
        if date := _DATE.match(run, group.start()):
            position = date.end()
            continue
        length = _national_length(data, start + first, run[first : first + _WIDEST], regions, named=named)
        tries = 0 if length else tries + 1
        position = first + length if length else group.end()
        if length:
            yield start + first, _end_with_extension(data, start + position)


def _national_length(data: bytes, start: int, written: str, regions: Sequence[Region], *, named: bool) -> int:
    """Return the length of the national number at the beginning of ``written``, 0 where there is none."""
    if not _begins(data, start) or _ADDRESS.match(written):
        return 0
    for length, digits in _cuts(written):
        if not named and not _is_grouped(written[:length]):
            continue
        fits = [
            region for region in regions if region.reaches(digits) and (named or _is_usual(written[:length], digits, region))
        ]
        if fits and not _goes_on(data, start + length):
            return length
    return 0


def _is_grouped(written: str) -> bool:
    """Whether digits are in groups as those of telephone numbers are, and not of versions and dates."""
    groups = _GROUP.findall(written)
    if len(set(_JOINERS.findall(written))) > 1 or any(len(group) < _SHORTEST_GROUP for group in groups[1:]):
        return False
    return _AREA.search(written) is not None or len(groups) > _FEW_GROUPS


def _is_usual(written: str, digits: str, region: Region) -> bool:
    """Whether people in ``region`` write a number of their own like that where no word says that it is one."""
    lengths = [len(group) for group in _GROUP.findall(written)]
    if region.trunk_digits == "1":
        return lengths[-3:] == [3, 3, 4]
    return (
        _AREA.search(written) is not None
        or not region.trunk_digits
        or digits.startswith(region.trunk_digits)
        or lengths == [3, 3, 2, 2]
    )


def _begins(data: bytes, start: int) -> bool:
    before = data[max(start - 2, 0) : start]
    return not _BESIDE.search(before) or _ESCAPE.search(before) is not None


def _goes_on(data: bytes, end: int) -> bool:
    return _BEHIND.match(data, end) is not None and not _EXTENSION.match(data, end)


def _end_with_extension(data: bytes, end: int) -> int:
    extension = _EXTENSION.match(data, end)
    return extension.end() if extension else end


def _cuts(written: str) -> Iterator[tuple[int, str]]:
    """Yield how far a number may go, the longest first, with its digits."""
    if written[0] == "+" and "(0)" in written:
        written = written.replace("(0)", "(.)")
    digits = ""
    ends: list[tuple[int, str]] = []
    for group in _GROUP.finditer(written):
        digits += group[0]
        if len(digits) > _MOST:
            break
        if len(digits) >= _FEWEST:
            ends.append((group.end(), digits))
    yield from reversed(ends)
