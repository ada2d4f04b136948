"""A light stemmer for Turkish that works on folded words, so that it makes no difference whether diacritics were typed.

Turkish puts plural, possession and case behind the noun one after another. The stemmer takes such endings off, longest
first, while enough of a stem is left, then cuts what is still long: stems are for comparing only, not for reading.
"""

from __future__ import annotations

from typing import Final

MIN_STEM: Final = 4
MIN_STEM_BEFORE_PLURAL: Final = 2
MAX_STEM: Final = 7
MAX_ENDINGS: Final = 3

_PLURAL: Final = """lar lari larin larini larinin larina larinda larindan lara larda lardan larla
    ler leri lerin lerini lerinin lerine lerinde lerinden lere lerde lerden lerle"""
_POSSESSIVE: Final = """si su im um in un sini sunu sinin sunun sina sine suna sinda sinde sunda sindan sinden sundan
    siyla siyle suyla ini unu inin unun ina ine una inda inde unda indan inden undan iyla iyle uyla"""
_CASE: Final = "i u a e yi yu ya ye nin nun da de ta te dan den tan ten la le yla yle"
_OTHER: Final = "ki daki deki taki teki dir dur tir tur"

_ENDINGS: Final = frozenset(f"{_PLURAL} {_POSSESSIVE} {_CASE} {_OTHER}".split())
_LONGEST: Final = max(map(len, _ENDINGS))
_HARDENED: Final = {"b": "p", "d": "t", "g": "k"}
"""A consonant softens before an ending (``kitap``, ``kitabi``): the stem takes the hard one."""


def stem_turkish(word: str) -> str:
    """Return the stem of ``word``, which is folded (``fold_word``)."""
    for _ in range(MAX_ENDINGS):
        shorter = _without_ending(word)
        if shorter == word:
            break
        word = shorter
    if len(word) >= MIN_STEM and word[-1] in _HARDENED:
        word = word[:-1] + _HARDENED[word[-1]]
    return word[:MAX_STEM]


def _without_ending(word: str) -> str:
    for size in range(min(_LONGEST, len(word) - MIN_STEM_BEFORE_PLURAL), 0, -1):
        ending = word[-size:]
        shortest = MIN_STEM_BEFORE_PLURAL if ending.startswith(("lar", "ler")) else MIN_STEM
        if ending in _ENDINGS and len(word) - size >= shortest:
            return word[:-size]
    return word
