"""Telling which encoding from before Unicode a text is in, by whether it makes sense in the languages written in it.

Each candidate decodes the sample strictly and is scored by the share of its letters that people write: for East Asian
encodings the common characters as the national standards rank them, for alphabets their frequent letters, for European
languages the accented letters of one language at a time. The wrong encoding turns common characters into rare ones, and one
language's letters into another's. Where two Latin encodings make sense, the language of the words decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from typing import Final

from citewell.text.language import detect_language

MIN_SCORE: Final = 0.8
"""The share of letters that must make sense; below it no guess is better than a wrong one."""

_WESTERN: Final = (
    "äöüß",
    "àâæçéèêëîïôœùûüÿ",
    "áéíñóúüªº",
    "ãáâàçéêíõóôúüªº",
    "àèéìíîòóùú",
    "åäöæøéü",
    "áðéíóúýþæö",
    "àçèéíïòóúü·",
    "áéëïíóöúèü",
)
_CENTRAL: Final = ("ąćęłńóśźż", "áčďéěíňóřšťúůýžäôľĺŕ", "áéíóöőúüű", "čćđšž", "ăâîşţ")
_TURKISH: Final = ("çğıöşüâîû\u0307",)
_LANGUAGES: Final = {"cp1254": ("tr", "az"), "cp1250": ("pl", "cs", "sk", "hu", "hr", "bs", "sl", "sr", "ro", "sq")}

_CYRILLIC: Final = "оеаинтсрвлкмдпуі"
_GREEK: Final = "αοιετσνηυρπκμςλωά"
_ARABIC: Final = "اليمنترودبعهسفقكأةی"
_HEBREW: Final = "יוהלאתרמבשנעםדקחפ"
_THAI: Final = "านรอกเงมยลวดทตสปคบหขช่้ัิีำะึไแ"
_FREQUENT_SHARE: Final = 0.75
"""What the letters listed above make up of an ordinary text in their alphabet, at least."""

_PUNCTUATION: Final = frozenset("“”‘’‚„‹›«»–—…•·©®™°§¶†‡€£¥¢±×÷²½¼¾\xa0\xad")
_OPENING: Final = re.compile(r"(?<!\w)[¡¿](?=\w)")
_WORDS: Final = re.compile(r"[^\W\d_]+")
_RUNAWAY_CAPITAL: Final = re.compile(r"[a-zß-ÿα-ώа-яіїєґў][À-ÖØ-ÞĄĆĘŁŃÓŚŹŻĞİŞČŠŽŘΑ-ΩА-ЯІЇЄҐЎ]")
_KANA: Final = re.compile("[ぁ-ヺー]")
_UNSPACED_HANGUL: Final = re.compile("[가-힣]{13,}")
_SPACED_HAN: Final = re.compile("(?<=[一-鿿]) (?=[一-鿿])")
"""Korean puts spaces between its words; Chinese does not."""


def recognise(sample: bytes) -> str:
    """Return the name of the codec that ``sample`` is in; nothing when that cannot be told."""
    scores = {encoding: _score(sample, encoding, score) for encoding, score in _CANDIDATES.items()}
    best = max(scores, key=lambda encoding: scores[encoding])
    if scores[best] < MIN_SCORE:
        return ""
    rivals = [encoding for encoding in _LATIN if best in _LATIN and scores[encoding] >= MIN_SCORE]
    return next((encoding for encoding in rivals if _encoding_of(detect_language(sample.decode(encoding))) == encoding), best)


def _score(sample: bytes, encoding: str, score: Callable[[str], float]) -> float:
    try:
        return score(sample.decode(encoding))
    except UnicodeDecodeError:
        return 0.0


def _encoding_of(language: str) -> str:
    return next((encoding for encoding, languages in _LANGUAGES.items() if language in languages), "cp1252")


def _foreign(text: str) -> list[str]:
    return [character for character in text.lower() if character > "\x7f" and character not in _PUNCTUATION]


def _latin_score(text: str, alphabets: tuple[str, ...]) -> float:
    foreign = _foreign(_OPENING.sub("", text))
    if 2 * len(foreign) > sum(map(len, _WORDS.findall(text))):
        return 0.0
    sensible = max(sum(character in alphabet for character in foreign) for alphabet in alphabets)
    return sensible / (len(foreign) + len(_RUNAWAY_CAPITAL.findall(text))) if foreign else 1.0


def _alphabet_score(text: str, frequent: str) -> float:
    foreign = _foreign(text)
    if not foreign:
        return 0.0
    first, last = ord(min(frequent)) & ~0x7F, ord(max(frequent)) | 0x7F
    letters = sum(first <= ord(character) <= last for character in foreign)
    known = sum(character in frequent for character in foreign) / _FREQUENT_SHARE
    return min(letters, known) / (len(foreign) + len(_RUNAWAY_CAPITAL.findall(text)))


def _korean_score(text: str) -> float:
    unspaced = sum(map(len, _UNSPACED_HANGUL.findall(text)))
    return _common_share(text, _characters("euc_kr", range(0xB0, 0xC9))) * (1 - unspaced / len(text))


def _japanese_score(text: str) -> float:
    common = _characters("euc_jp", range(0xA1, 0xA6), range(0xB0, 0xD0))
    return _common_share(text, common) if 10 * len(_KANA.findall(text)) > len(_foreign(text)) else 0.0


def _simplified_score(text: str) -> float:
    simplified = _characters("gb2312", range(0xA1, 0xA4), range(0xB0, 0xD8))
    return _chinese_score(text, simplified | _characters("cp950", range(0xA4, 0xC7)))


def _traditional_score(text: str) -> float:
    return _chinese_score(text, _characters("cp950", range(0xA1, 0xA4), range(0xA4, 0xC7)))


def _chinese_score(text: str, common: frozenset[str]) -> float:
    return _common_share(text, common) * (1 - min(1.0, 3 * len(_SPACED_HAN.findall(text)) / len(text)))


def _unmarked_score(text: str) -> float:
    return max(_simplified_score(text), _japanese_score(text), _korean_score(text))


def _common_share(text: str, common: frozenset[str]) -> float:
    foreign = _foreign(text)
    return sum(character in common for character in foreign) / len(foreign) if foreign else 0.0


@cache
def _characters(encoding: str, *rows: range) -> frozenset[str]:
    """Return the characters of ``rows`` of a double-byte standard: its punctuation, and its first and most common level."""
    pairs = (bytes((lead, trail)) for row in rows for lead in row for trail in (*range(0x40, 0x7F), *range(0xA1, 0xFF)))
    return frozenset(pair.decode(encoding, "ignore") for pair in pairs) - {""}


_LATIN: Final[dict[str, Callable[[str], float]]] = {
    "cp1254": partial(_latin_score, alphabets=_TURKISH),
    "cp1250": partial(_latin_score, alphabets=_CENTRAL),
    "cp1252": partial(_latin_score, alphabets=_WESTERN),
}
_CANDIDATES: Final[dict[str, Callable[[str], float]]] = {
    **_LATIN,
    **dict.fromkeys(("cp1251", "koi8_r", "koi8_u", "iso8859_5", "cp866"), partial(_alphabet_score, frequent=_CYRILLIC)),
    **dict.fromkeys(("cp1253", "iso8859_7"), partial(_alphabet_score, frequent=_GREEK)),
    "cp1256": partial(_alphabet_score, frequent=_ARABIC),
    "cp1255": partial(_alphabet_score, frequent=_HEBREW),
    "cp874": partial(_alphabet_score, frequent=_THAI),
    "euc_jp": _japanese_score,
    "cp932": _japanese_score,
    "cp949": _korean_score,
    "gb18030": _simplified_score,
    "cp950": _traditional_score,
    "big5hkscs": _traditional_score,
    "utf-16-le": _unmarked_score,
    "utf-16-be": _unmarked_score,
}
"""From the most to the least particular: of two that make equal sense the first is believed."""
