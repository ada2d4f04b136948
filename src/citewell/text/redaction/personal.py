"""Data about people and their money: addresses for mail, cards, accounts, identity numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from citewell.text.redaction.checksums import IBAN_LENGTHS, passes_iban, passes_luhn, passes_tckn
from citewell.text.redaction.rules import Rule, compiled

_EMAIL: Final = r"([A-Za-z0-9._%+\-]+@[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)+)"
_FILE_ENDINGS: Final = frozenset(
    {
        "png",
        "jpg",
        "jpeg",
        "gif",
        "svg",
        "webp",
        "ico",
        "js",
        "mjs",
        "ts",
        "jsx",
        "tsx",
        "css",
        "scss",
        "py",
        "rb",
        "go",
        "rs",
    }
    | {"java", "md", "html", "htm", "json", "yaml", "yml", "toml", "xml", "txt", "zip", "gz", "map", "pipeline", "component"}
)
_EXAMPLE_DOMAINS: Final = ("example.com", "example.org", "example.net", "localhost.localdomain", "users.noreply.github.com")
_EXAMPLE_ENDINGS: Final = frozenset({"example", "test", "invalid", "localhost", "local", "internal"})
_MACHINES: Final = frozenset({"git", "hg", "svn", "ssh"})

_IBAN: Final = r"\b([A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?)"
_CARD: Final = (
    r"\b([1-69][0-9]{11,18}|[1-69][0-9]{3}[ \-][0-9]{4}[ \-][0-9]{4}[ \-][0-9]{4}(?:[ \-][0-9]{3})?"
    r"|[123][0-9]{3}[ \-][0-9]{6}[ \-][0-9]{4,5})\b"
)
_PUBLISHED_CARDS: Final = frozenset(
    {"4111111111111111", "4242424242424242", "4012888888881881", "4000056655665556", "4222222222222", "5555555555554444"}
    | {"5105105105105100", "5200828282828210", "2223003122003222", "378282246310005", "371449635398431", "378734493671000"}
    | {"6011111111111117", "6011000990139424", "30569309025904", "38520000023237", "3056930009020004", "3530111333300000"}
    | {"3566002020360505", "6200000000000005", "5454545454545454"}
)
_PUBLISHED_SSNS: Final = frozenset({"078-05-1120", "219-09-9999", "123-45-6789", "111-11-1111", "987-65-4321"})


def find_emails(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where addresses for mail stand in ``data``; not examples, remotes of repositories and names of image files."""
    for match in compiled(_EMAIL).finditer(data):
        start, end = match.span(1)
        local, _, domain = data[start:end].decode().rpartition("@")
        stripped = local.lstrip(".-+%")
        if _is_mailbox(stripped, domain.lower()) and not data[max(start - 3, 0) : start].endswith((b"://", b"\\")):
            yield end - len(domain) - 1 - len(stripped), end


def _is_mailbox(local: str, domain: str) -> bool:
    ending = domain.rsplit(".", 1)[-1]
    if not local or len(local) > 64 or len(domain) > 253 or local in _MACHINES or local.endswith("."):
        return False
    if not ending.isalpha() or len(ending) < 2 or ending in _FILE_ENDINGS or ending in _EXAMPLE_ENDINGS:
        return False
    return not domain.startswith("-") and not any(domain == name or domain.endswith(f".{name}") for name in _EXAMPLE_DOMAINS)


def find_ibans(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where account numbers with right check digits stand in ``data``, written together or in groups of four."""
    for match in compiled(_IBAN).finditer(data):
        start, end = match.span(1)
        text = data[start:end].decode()
        stop = _iban_end(text)
        after = data[start + stop : start + stop + 1]
        if stop and not (after.isalnum() and text[:stop].count(" ") == 0):
            yield start, start + stop


def _iban_end(text: str) -> int:
    """Return where the account number that begins ``text`` ends, 0 where it is none."""
    length = IBAN_LENGTHS.get(text[:2], 0)
    compact = ""
    for position, character in enumerate(text, start=1):
        compact += character.strip()
        if len(compact) == length:
            return position if passes_iban(compact) and len(set(compact[4:])) > 2 else 0
    return 0


def _is_card(value: str) -> bool:
    digits = value.replace(" ", "").replace("-", "")
    return _is_issued(digits) and passes_luhn(digits) and digits not in _PUBLISHED_CARDS and len(set(digits)) > 3


def _is_issued(digits: str) -> bool:
    """Whether a network issues cards that begin so and are that long (ISO/IEC 7812 issuer identification numbers)."""
    length, first4 = len(digits), int(digits[:4])
    first2 = first4 // 100
    by_length = {
        12: first4 in _MAESTRO,
        13: first2 // 10 == 4 or first4 in _MAESTRO,
        14: first2 in (36, 38) or 3000 <= first4 <= 3059,
        15: first2 in (34, 37) or first4 in (2131, 1800),
        16: first2 // 10 in (4, 5)
        or 2200 <= first4 <= 2720
        or 3528 <= first4 <= 3589
        or first2 in (60, 62, 64, 65, 67, 63)
        or first4 == 9792,
        19: first2 in (62, 65) or first2 // 10 == 4 or first4 in _MAESTRO,
    }
    return by_length.get(length, first2 == 62 or first4 in _MAESTRO)


_MAESTRO: Final = frozenset({5018, 5020, 5038, 5893, 6304, 6390, 6759, 6761, 6762, 6763})


def _is_tckn(value: str) -> bool:
    return passes_tckn(value) and len(set(value)) > 3


def _is_ssn(value: str) -> bool:
    area, group, serial = value.split("-")
    return (
        area not in ("000", "666") and area[0] != "9" and group != "00" and serial != "0000" and value not in _PUBLISHED_SSNS
    )


NUMBER_RULES: Final = (
    Rule("CARD", _CARD, check=_is_card),
    Rule("TCKN", r"(?:^|[^0-9A-Za-z_.\-/#+])([1-9][0-9]{10})\b", check=_is_tckn),
    Rule("US_SSN", r"(?:^|[^0-9A-Za-z_.\-/#+])([0-9]{3}-[0-9]{2}-[0-9]{4})\b", check=_is_ssn),
)
