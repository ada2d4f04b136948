"""Secrets that only their surroundings give away: private keys, connection strings, headers, assignments."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from citewell.text.redaction.rules import Rule, compiled, entropy_of

MAX_KEY_BYTES: Final = 20_000
"""Where a private key that begins must have ended; a certificate chain is longer, a key is not."""

_KEY_HEADER: Final = r"(-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----)"
_KEY_BODY: Final = re.compile(rb"[A-Za-z0-9+/=:,. \t\r\n\\\"']*")
_BASE64: Final = re.compile(rb"[A-Za-z0-9+/=]{16,}")

_TEMPLATE: Final = re.compile(r"\$\{|\{\{|\{[a-z_]|%[({sd]|<[a-z_ -]+>|\.\.\.|\*{3}|…|\$\(|\$[A-Za-z_]")
_STAND_INS: Final = re.compile(
    r"(?i)^(?:x+|\*+|0+|1234\w*|abc\w*|pass(?:word|wd|phrase)?\d{0,4}|secret\d{0,4}|changeme\w*|change[-_]?it|hunter2|admin\d{0,4}"
    r"|root\d{0,4}|user(?:name)?\d{0,4}|test\w{0,8}|guest|foo\w{0,4}|bar|baz|none|null|true|false|default|redacted|todo|postgres|mysql"
    r"|s3cr3t|p@ss(?:w0rd)?|letmein|token|key|value|string|(?:my|your|the|some|a)[-_]?\w*|.*(?:example|placeholder|dummy|sample|fake"
    r"|changeme|insert|replace|your[-_]).*)$"
)
_NAME_PATH: Final = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|->|/|-)[A-Za-z_$][\w$]*)*")


def find_private_keys(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where private keys stand in ``data``: from the first dash to the last, or as far as its body goes."""
    position = 0
    ending = 0
    while (header := compiled(_KEY_HEADER).search(data, position)) is not None:
        start, position = header.span(1)
        if 0 <= ending < position:
            ending = data.find(b"-----END ", position)
        stop = _key_end(data, position, ending)
        if _BASE64.search(data, position, stop):
            yield start, stop
            position = stop


def _key_end(data: bytes, begin: int, ending: int) -> int:
    limit = min(len(data), begin + MAX_KEY_BYTES)
    if 0 <= ending < limit:
        closing = data.find(b"-----", ending + 5, ending + 80)
        return closing + 5 if closing >= 0 else ending + 9
    body = _KEY_BODY.match(data, begin, limit)
    return body.end() if body else begin


def is_real(value: str) -> bool:
    """Say whether ``value`` can be a secret: neither a template, nor what people write in place of one."""
    return not _TEMPLATE.search(value) and not _STAND_INS.match(value) and len(set(value)) > 3


def _is_password(value: str) -> bool:
    """Whether a quoted value is a secret: mixed and irregular, and no name, path or address."""
    return is_real(value) and _is_mixed(value) and entropy_of(value) > 2.7 and "://" not in value and not _is_name(value)


def _is_bare_password(value: str) -> bool:
    """Whether a value without quotes is one: stricter, since it may be code."""
    varied = any(c.islower() for c in value) and any(c.isupper() for c in value) and any(c.isdigit() for c in value)
    return varied and len(value) >= 12 and entropy_of(value) > 3.2 and _is_password(value)


def _is_mixed(value: str) -> bool:
    return any(c.isalpha() for c in value) and any(not c.isalpha() and c not in "_-." for c in value)


def _is_name(value: str) -> bool:
    """Whether it is a name as programs have them: words of letters, with a digit only at the end of one."""
    return _NAME_PATH.fullmatch(value) is not None and not re.search(r"\d[A-Za-z]", value)


def _is_presented(value: str) -> bool:
    """Whether what follows ``Bearer`` or ``Basic`` is a secret; of the latter, it is the password within that counts."""
    with suppress(ValueError):
        name, colon, password = base64.b64decode(value, validate=True).decode("ascii").partition(":")
        if colon and name.isprintable():
            return is_real(password)
    return is_real(value) and entropy_of(value) > 3.0 and any(not c.isalpha() for c in value)


_NAMES: Final = (
    r"(?i)[a-z0-9_.\-]{0,40}(?:password|passwd|passphrase|pwd|secret|token|api[_\-]?key|access[_\-]?key|auth[_\-]?key|credential)"
    r"[a-z0-9_.\-]{0,40}['\"]?\]?[ \t]{0,4}(?::=|=>|==?|:)[ \t]{0,4}"
)
_NAME_WORDS: Final = (b"passw", b"passphrase", b"pwd", b"secret", b"token", b"key", b"credential")

CREDENTIAL_RULES: Final = (
    Rule(
        "PASSWORD",
        r"\b[A-Za-z][A-Za-z0-9+.\-]*://[^\s:/@'\"<>\[\]\x00]*:([^\s/@'\"<>\[\]\x00]+)@[A-Za-z0-9\[]",
        (b"://",),
        is_real,
    ),
    Rule(
        "CREDENTIAL",
        r"(?i)\b(?:proxy-)?authorization['\"]?\s{0,3}[:=]\s{0,3}['\"]?(?:bearer|basic|token|apikey)\s+([a-z0-9+/=_.~\-]{16,})",
        (b"authorization",),
        _is_presented,
    ),
    Rule("SECRET", _NAMES + r"(?:[brfu]{0,2})\"([^\s\"\x00\[\]]{8,200})\"", _NAME_WORDS, _is_password),
    Rule("SECRET", _NAMES + r"(?:[brfu]{0,2})'([^\s'\x00\[\]]{8,200})'", _NAME_WORDS, _is_password),
    Rule("SECRET", _NAMES + r"([^\s\"'`\x00\[\](){}<>,;\\]{12,200})(?:[\s,;]|$)", _NAME_WORDS, _is_bare_password),
)
