"""Numbers that carry a check digit: whether it is right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_REGISTRY: Final = """
AD=24 AE=23 AL=28 AT=20 AZ=28 BA=20 BE=16 BG=22 BH=22 BI=27 BR=29 BY=28 CH=21 CR=22 CY=28 CZ=24 DE=22 DJ=27 DK=18
DO=28 EE=20 EG=29 ES=24 FI=18 FK=18 FO=18 FR=27 GB=22 GE=22 GI=23 GL=18 GR=27 GT=28 HN=28 HR=21 HU=28 IE=22 IL=23
IQ=23 IS=26 IT=27 JO=30 KW=30 KZ=20 LB=28 LC=32 LI=21 LT=20 LU=20 LV=21 LY=25 MC=27 MD=24 ME=22 MK=19 MN=20 MR=27
MT=31 MU=30 NI=28 NL=18 NO=15 OM=23 PK=24 PL=28 PS=29 PT=25 QA=29 RO=24 RS=22 RU=33 SA=24 SC=31 SD=18 SE=24 SI=19
SK=24 SM=27 SO=23 ST=25 SV=28 TL=23 TN=24 TR=26 UA=29 VA=22 VG=24 XK=20 YE=30
"""

IBAN_LENGTHS: Final[Mapping[str, int]] = {word[:2]: int(word[3:]) for word in _REGISTRY.split()}
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
