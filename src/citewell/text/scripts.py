"""Which writing system a character belongs to, and the language that is meant by it."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from typing import Final

_BLOCKS: Final = (
    (0x0370, 0x0400, "el"),
    (0x0400, 0x0530, "cyrillic"),
    (0x0530, 0x0590, "hy"),
    (0x0590, 0x0600, "he"),
    (0x0600, 0x0780, "arabic"),
    (0x0900, 0x0980, "hi"),
    (0x0980, 0x0A00, "bn"),
    (0x0A00, 0x0A80, "pa"),
    (0x0A80, 0x0B00, "gu"),
    (0x0B80, 0x0C00, "ta"),
    (0x0C00, 0x0C80, "te"),
    (0x0C80, 0x0D00, "kn"),
    (0x0D00, 0x0D80, "ml"),
    (0x0D80, 0x0E00, "si"),
    (0x0E00, 0x0E80, "th"),
    (0x0E80, 0x0F00, "lo"),
    (0x1000, 0x10A0, "my"),
    (0x10A0, 0x1100, "ka"),
    (0x1100, 0x1200, "ko"),
    (0x1200, 0x1380, "am"),
    (0x1780, 0x1800, "km"),
    (0x1F00, 0x2000, "el"),
    (0x3041, 0x3100, "kana"),
    (0x3131, 0x3190, "ko"),
    (0x31F0, 0x3200, "kana"),
    (0x3400, 0x4DC0, "han"),
    (0x4E00, 0xA000, "han"),
    (0xAC00, 0xD7A4, "ko"),
    (0xF900, 0xFB00, "han"),
    (0x20000, 0x32400, "han"),
)
_STARTS: Final = [start for start, _, _ in _BLOCKS]

_CYRILLIC: Final = (("be", "ў"), ("uk", "іїєґ"), ("mk", "ѓќѕ"), ("sr", "ђјљњћџ"), ("kk", "әғқңөұһ"), ("ru", "ыэё"))
_ARABIC: Final = (("ur", "ٹڈڑےں"), ("fa", "پچژگیک"))
_BULGARIAN: Final = frozenset("е са се ще че като със във този тази която който от".split())  # noqa: SIM905
_LATIN_PER_LETTER: Final = 3
"""So many Latin letters to one of another script leave a text in that script: code and names are Latin everywhere."""


def script_of(character: str) -> str:
    """Return the name of the script of ``character``: the ISO 639-1 code of its one language, or han, kana, cyrillic, arabic.

    Empty for the Latin alphabet and for what is in no script known here.
    """
    code = ord(character)
    if code < _STARTS[0]:
        return ""
    _, end, name = _BLOCKS[bisect_right(_STARTS, code) - 1]
    return name if code < end else ""


def language_of_script(text: str) -> str:
    """Return the language that the script of ``text`` tells, an ISO 639-1 code; empty for the Latin alphabet."""
    counts = Counter(filter(None, map(script_of, filter(str.isalpha, text))))
    if not counts:
        return ""
    latin = sum(character < "\u0250" for character in text if character.isalpha())
    if counts.total() * _LATIN_PER_LETTER < latin:
        return ""
    name = counts.most_common(1)[0][0]
    if name in ("han", "kana"):
        return "ja" if counts["kana"] * 20 >= counts["han"] else "zh"
    if name == "cyrillic":
        return _cyrillic(text.lower())
    return _told_by_letters(text, _ARABIC, "ar") if name == "arabic" else name


def _cyrillic(text: str) -> str:
    language = _told_by_letters(text, _CYRILLIC, "")
    return language or ("bg" if len(_BULGARIAN.intersection(text.split())) > 1 else "ru")


def _told_by_letters(text: str, letters: tuple[tuple[str, str], ...], default: str) -> str:
    return next((language for language, own in letters if any(letter in text for letter in own)), default)
