"""The numbering plans of the countries, as ``phonenumbers`` has them: which digits are a telephone number."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import phonenumbers
from phonenumbers.phonemetadata import PhoneMetadata

_KINDS: Final = (
    *("fixed_line", "mobile", "toll_free", "premium_rate", "shared_cost", "personal_number", "voip", "pager", "uan"),
    "voicemail",
)
_CODES: Final = {str(code): code for code in phonenumbers.COUNTRY_CODE_TO_REGION_CODE}
_LONGEST_CODE: Final = 3
_NOTHING: Final = r"(?!)"


@dataclass(frozen=True, slots=True)
class Plan:
    """The numbers of a country, without its code and what is dialled before them at home."""

    lengths: frozenset[int]
    numbers: re.Pattern[str]

    def has(self, digits: str) -> bool:
        """Say whether ``digits`` are a number of this plan."""
        return len(digits) in self.lengths and self.numbers.fullmatch(digits) is not None


@dataclass(frozen=True, slots=True)
class Region:
    """How people in a country dial: numbers of its own plan, and others after a prefix."""

    plan: Plan
    trunk_digits: str
    trunk: re.Pattern[str]
    abroad: re.Pattern[str]

    def reaches(self, digits: str) -> bool:
        """Say whether somebody there reaches a telephone number by these ``digits``."""
        if self.plan.has(digits):
            return True
        trunk = self.trunk.match(digits)
        if trunk and trunk.end() and self.plan.has(digits[trunk.end() :]):
            return True
        abroad = self.abroad.match(digits)
        return abroad is not None and is_international(digits[abroad.end() :])


def is_international(digits: str) -> bool:
    """Say whether ``digits``, of which the first are the code of a country, are a number of its plan."""
    length, plan = code_and_plan(digits)
    return plan is not None and plan.has(digits[length:])


def code_and_plan(digits: str) -> tuple[int, Plan | None]:
    """Return how many of ``digits`` are the code of a country, and its plan; None where there is no such country."""
    for length in range(1, _LONGEST_CODE + 1):
        if (code := _CODES.get(digits[:length])) is not None:  # no code begins with another
            return length, _plan_of(code)
    return 0, None


@cache
def region_of(name: str) -> Region | None:
    """Return how people dial in the country ``name``, as ``TR``; None where there is no such country."""
    found: Any = PhoneMetadata.metadata_for_region(name, None)
    if found is None:
        return None
    trunk = re.compile(found.national_prefix_for_parsing or _NOTHING)
    abroad = re.compile(found.international_prefix or _NOTHING)
    return Region(_plan_of(found.country_code), found.national_prefix or "", trunk, abroad)


@cache
def _plan_of(country: int) -> Plan:
    patterns: list[str] = []
    lengths: set[int] = set()
    for name in phonenumbers.COUNTRY_CODE_TO_REGION_CODE[country]:
        found: Any = PhoneMetadata.metadata_for_region_or_calling_code(country, name)
        if found is None:
            continue
        lengths.update(found.general_desc.possible_length)
        described = [getattr(found, kind) for kind in _KINDS]
        patterns += [one.national_number_pattern for one in described if one and one.national_number_pattern]
    return Plan(frozenset(lengths), re.compile("|".join(dict.fromkeys(patterns)) or _NOTHING))
