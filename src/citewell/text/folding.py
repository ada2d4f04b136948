"""One spelling for every way of writing the same letters: width, case and diacritics are folded away."""

from __future__ import annotations

import unicodedata
from typing import Final

_INVISIBLE: Final = dict.fromkeys(
    [
        0x00AD,
        0x0640,
        0x200B,
        0x200C,
        0x200D,
        0x2060,
        0xFEFF,
        *range(0x200E, 0x2010),
        *range(0x202A, 0x202F),
        *range(0xFE00, 0xFE10),
    ]
)
"""Soft hyphen, tatweel, zero-width and direction marks, variation selectors: written, never meant."""

_STROKES: Final = str.maketrans(
    {"ı": "i", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ħ": "h", "ς": "σ"}
)
"""Letters that Unicode does not decompose."""

_MARKS: Final = dict.fromkeys([*range(0x0300, 0x0370), *range(0x0591, 0x05C8), *range(0x064B, 0x0660), 0x0670])
"""Latin, Greek and Cyrillic diacritics, Hebrew points, Arabic vowel signs; not the vowels of Indic and Thai writing."""


def normalize_text(text: str) -> str:
    """Return ``text`` in Unicode form NFKC without invisible characters: full-width letters become half-width."""
    if text.isascii():
        return text
    visible = unicodedata.normalize("NFKC", text).translate(_INVISIBLE)
    return unicodedata.normalize("NFKC", visible)  # letters that an invisible character kept apart


def fold_word(word: str) -> str:
    """Return ``word`` in lower case without diacritics; ``İ``, ``ı``, ``I`` and ``i`` all give ``i``, ``ß`` gives ``ss``.

    Idempotent, and independent of the language: identifiers survive whatever the text around them is written in.
    """
    if word.isascii():
        return word.lower()
    letters = unicodedata.normalize("NFKD", word).casefold()  # some have a case only once they are decomposed
    decomposed = unicodedata.normalize("NFKD", letters)
    return unicodedata.normalize("NFC", decomposed.translate(_MARKS).translate(_STROKES))
