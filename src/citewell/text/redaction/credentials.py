"""Secrets that only their surroundings give away: connection strings, headers, assignments."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Final
from urllib.parse import unquote

from citewell.text.redaction.rules import SEPARATOR, Rule, by_pattern, compiled, entropy_of
from citewell.text.redaction.stand_ins import is_name, is_stand_in, is_template

MAX_SECRET: Final = 200
"""Characters of the longest value of an assignment that is looked at."""

_WINDOW: Final = 4 * MAX_SECRET + 2

_NAME: Final = (
    r"(?i)(?:password|passwd|passphrase|pwd|secret|token|api[_\-]?key|access[_\-]?key|auth[_\-]?key|account[_\-]?key|credential"
    r"|passwort|kennwort|contraseña|mot de passe|şifre|sifre|parola|密码|密碼|口令|密钥|密鑰|パスワード|비밀번호)"
)
_SIGN: Final = r"[A-Za-z0-9_.\-]{0,40}[\"'`]?\]?[ \t]{0,4}(?::=|=>|={1,2}|:|是|为)[ \t]{0,4}[bru]{0,2}"
_ASSIGNED: Final = _NAME + _SIGN
_QUOTED: Final = re.compile(
    rf'(?:"([^\s"\0\ufffd]{{8,{MAX_SECRET}}})"|\'([^\s\'\0\ufffd]{{8,{MAX_SECRET}}})\'|`([^\s`\0\ufffd]{{8,{MAX_SECRET}}})`)'
)
_BARE: Final = re.compile(rf"[^\s\"'`<>(){{}}\[\],;&\0\\|\ufffd]{{8,{MAX_SECRET}}}(?![^\s\"'`<>)}}\],;&\0\\|])")
_PUBLIC: Final = re.compile(rb"(?i)public")
_URL_SECOND: Final = (
    r"[A-Za-z][A-Za-z0-9+.\-]*://[^\s:/@'\"`<>\[\]\x00]*:([^\s/'\"`<>\[\]\x00]+)@(?:[A-Za-z0-9\[_]|\$\{|\{\{)"
)
_URL_FIRST: Final = r"://([A-Za-z0-9_\-]{20,255})(?::[A-Za-z0-9_\-]{0,40})?@[A-Za-z0-9]"
_PRESENTED: Final = (
    r"(?i)\b(?:(?:proxy-)?authorization['\"]?\s{0,3}[:=,]\s{0,3}[bf]?['\"]?(?:bearer|basic|token|apikey)|bearer)"
    r"[ \t]{1,4}['\"]?([a-z0-9+/=_.~\-]{16,})"
)
_DIGIT, _SMALL, _CAPITAL, _SIGN_WITHIN = map(re.compile, (r"\d", r"[a-z]", r"[A-Z]", r"[!@#$%^&*+=?~\-_/.]"))
_JOINT: Final = re.compile(r"[A-Za-z][!@#$%^&*+=?~]+[A-Za-z]")
_MIN_DIFFERENT: Final = 6
_MIN_KINDS: Final = 3
"""Of how many kinds of characters a value without quotes is: digits, small letters, capital letters, signs."""


def is_real(value: str) -> bool:
    """Say whether ``value`` can be a secret: neither a template, nor what people write in place of one."""
    return not is_template(value) and not is_stand_in(value)


def _is_url_password(value: str) -> bool:
    return is_real(value) and not is_stand_in(unquote(value))


def _is_random(value: str) -> bool:
    return any(map(str.isdigit, value)) and entropy_of(value) > 3.4 and not is_name(value) and is_real(value)


def _is_password(value: str) -> bool:
    """Whether a quoted value is a secret: mixed and irregular, and no name, path or address."""
    if len(set(value)) < _MIN_DIFFERENT or not _is_mixed(value) or "://" in value or is_name(value) or not is_real(value):
        return False
    return "%" not in value or (plain := unquote(value)) == value or _is_password(plain)


def _is_mixed(value: str) -> bool:
    """Whether there are letters, and digits or a sign that joins no words."""
    return ((_DIGIT.search(value) and (_SMALL.search(value) or _CAPITAL.search(value))) or _JOINT.search(value)) is not None


def _is_bare_password(value: str) -> bool:
    """Whether a value without quotes is one: stricter, since it may be code."""
    if not _DIGIT.search(value):
        return False
    kinds = sum([one.search(value) is not None for one in (_SMALL, _CAPITAL, _SIGN_WITHIN)])
    return (kinds + 1 >= _MIN_KINDS or _is_hex_key(value)) and _is_password(value)


def _is_hex_key(value: str) -> bool:
    return len(value) >= 24 and re.fullmatch(r"[0-9a-f]+|[0-9A-F]+", value) is not None


def _is_presented(value: str) -> bool:
    """Whether what follows ``Bearer`` or ``Basic`` is a secret; of the latter, it is the password within that counts."""
    with suppress(ValueError):
        name, colon, password = base64.b64decode(value, validate=True).decode("ascii").partition(":")
        if colon and name.isprintable():
            return is_real(password)
    return _is_random(value)


def find_assigned(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield the literal values that are given to passwords, tokens and keys by name."""
    for match in compiled(_ASSIGNED).finditer(data):
        position = match.end()
        if SEPARATOR in data[position : position + 2] or _PUBLIC.search(data[max(match.start() - 12, 0) : position]):
            continue
        window = data[position : position + _WINDOW].decode("utf-8", "replace")
        quoted = _QUOTED.match(window)
        found = quoted or _BARE.match(window)
        if found is None:
            continue
        value = found[found.lastindex or 0]
        if (_is_password if quoted else _is_bare_password)(value):
            start = position + found.start(found.lastindex or 0)  # what stands before is one quote, or nothing
            yield start, start + len(value.encode())


CREDENTIAL_RULES: Final = (
    Rule("PASSWORD", r"://[^\s/@\x00]*:[^\s/\x00]*@", by_pattern(_URL_SECOND, _is_url_password)),
    Rule("SECRET", r"://[A-Za-z0-9_\-]{20}[A-Za-z0-9_\-]*[:@]", by_pattern(_URL_FIRST, _is_random)),
    Rule("CREDENTIAL", r"(?i)authorization|bearer", by_pattern(_PRESENTED, _is_presented)),
    Rule("SECRET", _NAME, find_assigned),
)
