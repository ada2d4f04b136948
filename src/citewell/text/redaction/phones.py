"""Telephone numbers: international ones anywhere, national ones of chosen countries, by their numbering plans."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

import phonenumbers

from citewell.text.redaction.rules import compiled

ENOUGH: Final = 1_500
"""Candidates in one text after which only their form counts: the plans take their time, and such a text is a directory."""

_INTERNATIONAL: Final = r"(\+\(?[1-9][0-9]{0,2}\)?(?:[ .\-/]{0,2}\(?[0-9]{2,5}\)?){2,6}|\+[1-9][0-9]{7,14})\b"
_NATIONAL: Final = (
    r"(?:^|[^0-9A-Za-z_.\-/#+:$=])(\(?0?[0-9]{1,4}\)?(?:[ .\-/]{1,2}[0-9]{2,5}){1,5}|\([0-9]{2,5}\) ?[0-9]{3}[ \-]?[0-9]{2,5}"
    r"|0[0-9]{9,10}|1[3-9][0-9]{9})\b"
)
_WORD: Final = re.compile(
    rb"(?i)(?:phone|mobile|cell|call|tel|fax|whats|gsm|cep|telefon|ara|\xe7\x94\xb5\xe8\xaf\x9d|\xe6\x89\x8b\xe6\x9c\xba)[^\n]{0,25}$"
)
_LOOK_BACK: Final = 40
_DATE: Final = re.compile(r"(?:19|20)\d\d[ .\-/]\d{1,2}[ .\-/]\d{1,2}|\d{1,2}[ .\-/]\d{1,2}[ .\-/](?:19|20)\d\d")
_ADDRESS: Final = re.compile(r"\d{1,3}(?:\.\d{1,3}){2,3}")


def find_phones(data: bytes, regions: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield where telephone numbers stand in ``data``: with a leading ``+``, or as the ``regions`` write their own."""
    if b"+" in data:
        yield from _valid(data, _INTERNATIONAL, (None,))
    if regions:
        yield from _valid(data, _NATIONAL, regions)


def _valid(data: bytes, pattern: str, regions: Sequence[str | None]) -> Iterator[tuple[int, int]]:
    for number, match in enumerate(compiled(pattern).finditer(data)):
        start, end = match.span(1)
        value = data[start:end].decode()
        if regions[0] is not None and not _is_written_as_one(value, data[max(start - _LOOK_BACK, 0) : start]):
            continue
        if number >= ENOUGH or any(_is_phone(value, region) for region in regions):
            yield start, end


def _is_written_as_one(value: str, before: bytes) -> bool:
    """Whether a national number shows itself: by its groups, or by the word before it where it is digits alone."""
    if _DATE.fullmatch(value) or _ADDRESS.fullmatch(value):
        return False
    grouped = not value.isdecimal() and len(re.findall(r"\d+", value)) > 2
    return grouped or "(" in value or _WORD.search(before) is not None


@lru_cache(maxsize=4096)
def _is_phone(value: str, region: str | None) -> bool:
    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(value, region))
    except phonenumbers.NumberParseException:
        return False
