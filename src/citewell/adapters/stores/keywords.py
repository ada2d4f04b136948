"""Texts as every engine can keep and compare them exactly, whatever characters they are made of."""

from __future__ import annotations

import hashlib
from typing import Final

LONGEST: Final = 2_000
"""Lucene refuses words of more than 32,766 bytes; its whitespace tokenizer cuts words of more than 255 characters."""

LONGEST_TERM: Final = 200

ESCAPED: Final = "\ufdd0"
HASHED: Final = "\ufdd1"
"""Characters that Unicode has set aside for such uses: they begin what does not stand for itself."""


def keyword(text: str) -> str:
    """Return ``text`` in a form that is equal for equal texts only; most stand for themselves."""
    if len(text) > LONGEST:
        return HASHED + _digest(text)
    if text.startswith((ESCAPED, HASHED)) or not _encodes(text):
        return ESCAPED + text.encode("unicode_escape").decode("ascii")
    return text


def plain(word: str) -> str:
    """Return the text that ``keyword`` was given, unless that was too long."""
    return word[1:].encode("ascii").decode("unicode_escape") if word.startswith(ESCAPED) else word


def index_term(term: str) -> str:
    """Return ``term`` as one word for the whitespace tokenizer."""
    whole = len(term) <= LONGEST_TERM and _encodes(term) and not any(letter.isspace() or letter < " " for letter in term)
    return term if whole else HASHED + _digest(term)


def readable(text: str) -> str:
    """Return ``text`` for the fields that others read: halves of characters become U+FFFD."""
    return text if _encodes(text.replace("\x00", "")) else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def identity(*parts: str) -> str:
    """Return the name of what ``parts`` describe: 128 bits of SHA-256."""
    return _digest("\x00".join(parts))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _encodes(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return "\x00" not in text
