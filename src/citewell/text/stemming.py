"""Light stemming: the forms of a word share one term, by the language of the text and the script of the word."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Final

from citewell.text.folding import fold_word
from citewell.text.scripts import script_of
from citewell.text.turkish import stem_turkish

SNOWBALL: Final = {
    "ar": "arabic",
    "ca": "catalan",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hi": "hindi",
    "hu": "hungarian",
    "id": "indonesian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
}
"""Languages whose words a Snowball stemmer shortens. Turkish has a stemmer of its own: Snowball's needs every diacritic."""

_SCRIPT_LANGUAGES: Final = {
    "cyrillic": ("ru", frozenset({"be", "bg", "kk", "mk", "ru", "sr", "uk"})),
    "arabic": ("ar", frozenset({"ar", "fa", "ur"})),
}
_NOT_LATIN: Final = frozenset(
    [
        "ar",
        "be",
        "bg",
        "bn",
        "el",
        "fa",
        "he",
        "hi",
        "hy",
        "ja",
        "ka",
        "kk",
        "ko",
        "mk",
        "ru",
        "sr",
        "ta",
        "th",
        "uk",
        "ur",
        "zh",
    ]
)

WordStemmer = Callable[[str], str]


def stem_word(word: str, language: str) -> str:
    """Return the folded stem of ``word``, which is in lower case, as ``language`` (ISO 639-1) forms it.

    A word in another script than the language's is stemmed as the language most often written in that script, English for
    the Latin one; a word of a language without a stemmer is only folded. Numbers and very short words stay whole.
    """
    return _stem(word, language_of_word(word, language))


def language_of_word(word: str, language: str) -> str:
    """Return the language that ``word`` is stemmed by within a text of ``language``: its script decides first."""
    script = script_of(word[:1]) if word[:1] > "\u024f" else ""
    if not script:
        return "en" if not language or language in _NOT_LATIN else language
    main, others = _SCRIPT_LANGUAGES.get(script, (script, frozenset()))
    return language if language in others else main


@lru_cache(maxsize=1 << 17)
def _stem(word: str, language: str) -> str:
    folded = fold_word(word)
    if len(word) < 3 or any(map(str.isdigit, word)):
        return folded
    if language == "tr":
        return stem_turkish(folded)
    return fold_word(_snowball(language)(word)) or folded


@cache
def _snowball(language: str) -> WordStemmer:
    if language not in SNOWBALL:
        return str
    import Stemmer  # a binary module, loaded when first needed

    stem: WordStemmer = Stemmer.Stemmer(SNOWBALL[language], 0).stemWord
    return stem
