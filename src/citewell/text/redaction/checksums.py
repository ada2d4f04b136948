"""Numbers that carry a check digit: whether it is right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_REGISTRY: Final = """
AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24
FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32
LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24
RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30
"""

IBAN_LENGTHS: Final[Mapping[str, int]] = {word[:2]: int(word[2:]) for word in _REGISTRY.split()}
"""Length of account numbers by country, as in the SWIFT IBAN Registry."""


_DOUBLED: Final = str.maketrans("0123456789", "0246813579")
"""A digit to the sum of the digits of its double."""

_CN_WEIGHTS: Final = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)


def passes_luhn(digits: str) -> bool:
    """Say whether ``digits`` end in the check digit of ISO/IEC 7812-1 (Luhn)."""
    return sum(map(int, digits[-1::-2] + digits[-2::-2].translate(_DOUBLED))) % 10 == 0


def passes_iban(number: str) -> bool:
    """Say whether ``number``, without blanks, has the length of its country and the check digits of ISO 13616 (mod 97)."""
    if len(number) != IBAN_LENGTHS.get(number[:2]) or not number[2:4].isdecimal() or not "02" <= number[2:4] <= "98":
        return False
    return int("".join(str(int(character, 36)) for character in number[4:] + number[:4])) % 97 == 1


def passes_tckn(digits: str) -> bool:
    """Say whether ``digits`` are a Turkish identity number: eleven, not beginning with 0, with both check digits right."""
    if len(digits) != 11 or digits[0] == "0":
        return False
    numbers = [int(digit) for digit in digits]
    if sum(numbers[:10]) % 10 != numbers[10]:
        return False
    return (7 * sum(numbers[0:9:2]) - sum(numbers[1:8:2])) % 10 == numbers[9]


def passes_resident_id(number: str) -> bool:
    """Say whether ``number`` is a Chinese resident identity number (GB 11643): a birthday, and the right check character."""
    birthday = number[6:14]
    if not ("18991231" < birthday < "21000101" and "0101" <= birthday[4:] <= "1231" and "01" <= birthday[6:] <= "31"):
        return False
    rest = sum(weight * int(digit) for weight, digit in zip(_CN_WEIGHTS, number, strict=False)) % 11
    return "10X98765432"[rest] == number[17].upper()
