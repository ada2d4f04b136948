"""Numbers that stand for people and their money, most with a check digit: cards, accounts, identity numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from citewell.text.redaction.checksums import IBAN_LENGTHS, passes_iban, passes_luhn, passes_resident_id, passes_tckn
from citewell.text.redaction.rules import Finder, Rule, compiled, line_before

_IBAN: Final = rf"((?:{'|'.join(IBAN_LENGTHS)})[0-9]{{2}}(?:[ \-]?[A-Z0-9]{{4}}){{2,7}}(?:[ \-]?[A-Z0-9]{{1,3}})?)"
_CARD: Final = (
    r"([1-69][0-9]{11,18}|[1-69][0-9]{3}[ \-.][0-9]{4}[ \-.][0-9]{4}[ \-.][0-9]{4}(?:[ \-.][0-9]{3})?"
    r"|[123][0-9]{3}[ \-.][0-9]{6}[ \-.][0-9]{4,5})"
)
_TEST_CARDS: Final = """
4111111111111111 4242424242424242 4012888888881881 4000056655665556 4222222222222 5555555555554444 5105105105105100
5200828282828210 2223003122003222 378282246310005 371449635398431 378734493671000 6011111111111117 6011000990139424
30569309025904 38520000023237 3056930009020004 3530111333300000 3566002020360505 6200000000000005 5454545454545454
4000000000000002 4007000000027 6011000000000004 5500000000000004 340000000000009 30000000000004
"""
"""What the payment networks and processors publish for tests."""

_PUBLISHED_CARDS: Final = frozenset(_TEST_CARDS.split())

_CARD_WORD: Final = re.compile(r"(?i)card|karte|kart(?:ı|i)?\b|tarjeta|carte|maestro|visa\b|卡号|卡".encode())
_MAESTRO: Final = frozenset({5018, 5020, 5038, 5893, 6304, 6390, 6759, 6761, 6762, 6763})
_SSN: Final = r"\b([0-9]{3}[ \-][0-9]{2}[ \-][0-9]{4}|[0-9]{9})\b"
_SSN_WORD: Final = re.compile(rb"(?i)\bssns?\b|social[ -]?security|\bssn[_ ]?(?:no|num)|tax(?:payer)? id")
_PUBLISHED_SSNS: Final = frozenset(
    {"078051120", "219099999", "123456789", "111111111", "987654321", "111223333", "123121234"}
)
_GAPS: Final = re.compile(r"[ .\-]")
_REACH: Final = 60
_JOINED: Final = re.compile(rb"[A-Za-z0-9_]\Z|[A-Za-z0-9_][.\-/]\Z")
_ESCAPE: Final = re.compile(rb"\\[nrt]\Z")
_CONTINUED: Final = re.compile(rb"[A-Za-z0-9_]|[.\-/][A-Za-z0-9_]")
_SOME: Final = 3
"""How many different digits a number must have more than, to be no example."""


def find_cards(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where numbers of payment cards stand in ``data``, with a right check digit.

    Some networks issue so many different numbers that a word has to say that it is a card.
    """
    for match in compiled(_CARD).finditer(data):
        start, end = match.span(1)
        digits = _GAPS.sub("", data[start:end].decode())
        told = _is_issued(digits) or (digits[0] in "56" and _CARD_WORD.search(line_before(data, start, _REACH)))
        if told and _is_card(digits) and _stands_alone(data, start, end):
            yield start, end


def _alone(data: bytes, pattern: str, check: Callable[[str], bool]) -> Iterator[tuple[int, int]]:
    """Yield what ``pattern`` matches and ``check`` agrees with, where it is not a part of a longer name or number."""
    for match in compiled(pattern).finditer(data):
        start, end = match.span(1)
        if check(data[start:end].decode()) and _stands_alone(data, start, end):
            yield start, end


def _stands_alone(data: bytes, start: int, end: int) -> bool:
    before = data[max(start - 2, 0) : start]
    return not _CONTINUED.match(data, end) and (not _JOINED.search(before) or _ESCAPE.search(before) is not None)


def _is_card(digits: str) -> bool:
    return passes_luhn(digits) and digits not in _PUBLISHED_CARDS and _is_no_row(digits)


def _is_no_row(digits: str) -> bool:
    """Whether the digits are those of a number in use: neither few different ones, nor mostly one."""
    return len(set(digits)) > _SOME and max(map(digits.count, set(digits))) * 3 < len(digits) * 2


def _is_issued(digits: str) -> bool:
    """Whether a network issues cards that begin so and are that long (ISO/IEC 7812 issuer identification numbers)."""
    length, first4 = len(digits), int(digits[:4])
    first2 = first4 // 100
    if first4 in _MAESTRO:
        return True
    match length:
        case 13:
            return first2 // 10 == 4
        case 14:
            return first2 in (36, 38, 39) or 3000 <= first4 <= 3059
        case 15:
            return first2 in (34, 37) or first4 in (2131, 1800)
        case 16:
            return _is_issued_16(first2, first4)
        case 19:
            return first2 in (62, 65) or first2 // 10 == 4
    return first2 == 62 and length > 16


def _is_issued_16(first2: int, first4: int) -> bool:
    if first2 // 10 in (4, 5) or first2 in (35, 60, 62, 63, 64, 65, 67):
        return True
    return 2200 <= first4 <= 2720 or first4 == 9792


def find_ibans(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where account numbers with right check digits stand in ``data``, written together or in groups of four."""
    for match in compiled(_IBAN).finditer(data):
        start, end = match.span(1)
        length = _iban_length(data[start:end].decode())
        if length and _stands_alone(data, start, start + length):
            yield start, start + length


def _iban_length(text: str) -> int:
    """Return how many characters at the beginning of ``text`` are an account number, 0 where there is none."""
    length = IBAN_LENGTHS.get(text[:2], 0)
    compact = _GAPS.sub("", text)[:length]
    if not length or len(set(compact[4:])) <= 2 or not passes_iban(compact):
        return 0
    taken = 0
    for position, character in enumerate(text, start=1):
        taken += character.isalnum()
        if taken == length:
            return position
    return 0


def _is_tckn(value: str) -> bool:
    return passes_tckn(value) and _is_no_row(value)


def _find_ssns(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where US social security numbers stand, which have no check digit: only after a word that says so."""
    for match in compiled(_SSN).finditer(data):
        start, end = match.span(1)
        digits = _GAPS.sub("", data[start:end].decode())
        if _is_ssn(digits) and _stands_alone(data, start, end) and _SSN_WORD.search(line_before(data, start, _REACH)):
            yield start, end


def _is_ssn(digits: str) -> bool:
    if digits[:3] in ("000", "666") or digits[0] == "9" or digits[3:5] == "00" or digits[5:] == "0000":
        return False
    return digits not in _PUBLISHED_SSNS


def _checked(pattern: str, check: Callable[[str], bool]) -> Finder:
    return lambda data: _alone(data, pattern, check)


NUMBER_RULES: Final = (
    Rule("CN_ID", r"[0-9]{17}[0-9Xx]", _checked(r"\b([1-9][0-9]{16}[0-9Xx])\b", passes_resident_id)),
    Rule("CARD", r"[0-9](?:[ \-.]?[0-9]){11}", find_cards),
    Rule("IBAN", rf"(?:{'|'.join(IBAN_LENGTHS)})[0-9]{{2}}", find_ibans),
    Rule("TCKN", r"[0-9]{11}", _checked(r"\b([1-9][0-9]{10})\b", _is_tckn)),
    Rule("US_SSN", r"(?i)ssn|social|tax", _find_ssns),
)
