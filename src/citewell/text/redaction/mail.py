"""Addresses for electronic mail."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from citewell.text.redaction.rules import Rule, compiled

_LETTER: Final = r"A-Za-z0-9\x{C0}-\x{D6}\x{D8}-\x{F6}\x{F8}-\x{24F}"
_EMAIL: Final = rf"([{_LETTER}._%+\-]+@[{_LETTER}\-]+(?:\.[{_LETTER}\-]+)+)"
_FILES: Final = """
png jpg jpeg gif svg webp ico js mjs cjs ts jsx tsx css scss py rb go rs java md html htm json yaml yml toml xml txt
zip gz map pipeline component service socket timer target mount
"""
"""What a file is called at the end, as in ``logo@2x.png``."""

_FILE_ENDINGS: Final = frozenset(_FILES.split())
_EXAMPLE_DOMAINS: Final = ("example.com", "example.org", "example.net", "localhost.localdomain", "users.noreply.github.com")
_EXAMPLE_ENDINGS: Final = frozenset({"example", "test", "invalid", "localhost", "local", "internal", "localdomain"})
_MACHINES: Final = frozenset({"git", "hg", "svn", "ssh"})
_ENDING: Final = re.compile(r"[^\W\d_]{2,63}|xn--[a-z0-9-]{2,59}")
_USER_INFO: Final = re.compile(rb"://(?:[^\s/@]*:)?\Z")
_REACH: Final = 120
_MAX_LOCAL: Final = 64
_MAX_DOMAIN: Final = 253


def find_emails(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where addresses for mail stand in ``data``; not examples, remotes of repositories and names of image files."""
    for match in compiled(_EMAIL).finditer(data):
        start, end = match.span(1)
        local, _, domain = data[start:end].decode().rpartition("@")
        local = _unescaped(local, data[max(start - 1, 0) : start]).lstrip(".-+%_")
        while domain.endswith("-"):
            domain = domain[:-1]
            end -= 1
        begin = end - len(domain.encode()) - 1 - len(local.encode())
        if _is_mailbox(local, domain.lower()) and not _USER_INFO.search(data[max(begin - _REACH, 0) : begin]):
            yield begin, end


def _unescaped(local: str, before: bytes) -> str:
    r"""Return ``local`` without the letter of an escape that stands before it, as in ``\nada@…``."""
    return local[1:] if before == b"\\" and local[:1] in ("n", "r", "t") else local


def _is_mailbox(local: str, domain: str) -> bool:
    if not local or len(local) > _MAX_LOCAL or local in _MACHINES or local.endswith("."):
        return False
    return _is_mail_domain(domain)


def _is_mail_domain(domain: str) -> bool:
    ending = domain.rsplit(".", 1)[-1]
    if not _ENDING.fullmatch(ending) or ending in _FILE_ENDINGS or ending in _EXAMPLE_ENDINGS:
        return False
    if domain.startswith("-") or len(domain) > _MAX_DOMAIN:
        return False
    return not any(domain == name or domain.endswith(f".{name}") for name in _EXAMPLE_DOMAINS)


MAIL_RULES: Final = (Rule("EMAIL", r"@[^\s@\x00]+\.", find_emails),)
