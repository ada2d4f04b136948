"""Private keys, which go over many lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from citewell.text.redaction.rules import SEPARATOR, Rule, compiled

MAX_KEY_BYTES: Final = 20_000
"""Where a private key that begins must have ended; a certificate chain is longer, a key is not."""

_HEADER: Final = r"(-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)"
_GAP: Final = r"[ \t\r\nn\\\"'+,>#]"
_BODY: Final = rf"((?:{_GAP}{{0,12}}[A-Za-z0-9+/=]{{16,}})+(?:{_GAP}{{1,6}}[A-Za-z0-9+/]{{0,15}}={{1,2}})?)"
_BASE64: Final = re.compile(rb"[A-Za-z0-9+/=]{16,}")
_PUTTY: Final = r"(?i)Private-Lines: ?\d{1,3}\r?\n((?:[A-Za-z0-9+/=]{4,80}\r?\n)+)"


def find_private_keys(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where private keys stand in ``data``: from the first dash to the last, or as far as its body goes.

    A header alone, as documentation names it, is none.
    """
    position = ending = 0
    while (header := compiled(_HEADER).search(data, position)) is not None:
        start, position = header.span(1)
        if 0 <= ending < position:
            ending = data.find(b"-----END ", position)
        stop = _key_end(data, position, ending)
        if _BASE64.search(data, position, stop):
            yield start, stop
            position = stop


def _key_end(data: bytes, begin: int, ending: int) -> int:
    """Return where the key ends whose header ends at ``begin``; the next END begins at ``ending``, negative if nowhere."""
    limit = min(len(data), begin + MAX_KEY_BYTES)
    if begin <= ending < limit and data.find(SEPARATOR, begin, ending) < 0 and data.find(b"-----BEGIN ", begin, ending) < 0:
        closing = data.find(b"-----", ending + 9, ending + 80)
        return closing + 5 if closing >= 0 else ending + 8
    body = compiled(_BODY).match(data, begin, limit)
    return body.end() if body else begin


def _find_putty_keys(data: bytes) -> Iterator[tuple[int, int]]:
    for match in compiled(_PUTTY).finditer(data):
        start, end = match.span(1)
        yield start, start + len(data[start:end].rstrip())


KEY_RULES: Final = (
    Rule("PRIVATE_KEY", r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY", find_private_keys),
    Rule("PRIVATE_KEY", r"(?i)Private-Lines:", _find_putty_keys),
)
