"""The numbering plans of the countries, as ``phonenumbers`` has them: which digits are a telephone number."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final

import phonenumbers
from phonenumbers.phonemetadata import PhoneMetadata

from citewell.text.redaction.rules import compiled

_KINDS: Final = (
    *("fixed_line", "mobile", "toll_free", "premium_rate", "shared_cost", "personal_number", "voip", "pager", "uan"),
    "voicemail",
)


def is_international(digits: str) -> bool:
    """Say whether ``digits``, of which the first are the code of a country, are a number of its plan."""
    return any(
        digits[:length].isdecimal() and int(digits[:length]) in phonenumbers.COUNTRY_CODE_TO_REGION_CODE
        and _is_in_plan(int(digits[:length]), digits[length:])
        for length in (1, 2, 3)
    )


def is_national(digits: str, region: str) -> bool:
    """Say whether somebody in ``region``, a country as ``TR``, reaches a telephone number by these ``digits``."""
    metadata = _metadata_of(region)
    if metadata is None:
        return False
    abroad = re.match(metadata.international_prefix or "$", digits)
    if abroad and abroad.end() and is_international(digits[abroad.end() :]):
        return True
    trunk = re.match(metadata.national_prefix_for_parsing or "$", digits)
    return _is_in_plan(metadata.country_code, digits) or (
        trunk is not None and trunk.end() > 0 and _is_in_plan(metadata.country_code, digits[trunk.end() :])
    )


@cache
def _metadata_of(region: str) -> Any:
    return PhoneMetadata.metadata_for_region(region, None)


def _is_in_plan(country: int, digits: str) -> bool:
    return _plan_of(country).fullmatch(digits.encode()) is not None


@cache
def _plan_of(country: int) -> Any:
    """Return the pattern of the numbers of ``country``, without its code and what is dialled before them at home."""
    patterns: list[str] = []
    for region in phonenumbers.COUNTRY_CODE_TO_REGION_CODE[country]:
        found: Any = PhoneMetadata.metadata_for_region_or_calling_code(country, region)
        described = [getattr(found, kind) for kind in _KINDS] if found else []
        patterns += [one.national_number_pattern for one in described if one and one.national_number_pattern]
    return compiled("|".join(dict.fromkeys(patterns)) or r"[^\s\S]")
