"""Light stemming: the forms of a word share one term, by the language of the text and the script of the word."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Final

from citewell.text.folding import fold_word

_SNOWBALL: Final = {
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

WordStemmer = Callable[[str], str]


def stem_word(word: str, language: str) -> str:
    """Return the folded stem of ``word``, which is in lower case, as ``language`` (ISO 639-1) forms it.

    A word in another script than the language's is stemmed as the language most often written in that script; a word of a
    language without a stemmer is only folded. Numbers and words of less than three letters stay whole.
    """
    return _stem(word, language_of_word(word, language))


@lru_cache(maxsize=1 << 17)
def _stem(word: str, language: str) -> str:
    if len(word) < 3 or not word.isalpha():
        return fold_word(word)
    return fold_word(_stemmer(language)(word)) or fold_word(word)


_SCRIPTS: Final = (
    ("\u0370", "\u03ff", "el", frozenset({"el"})),
    ("\u0400", "\u052f", "ru", frozenset({"ru", "uk", "bg", "sr", "mk", "be", "kk", "ky", "mn"})),
    ("\u0590", "\u05ff", "he", frozenset({"he", "yi"})),
    ("\u0600", "\u06ff", "ar", frozenset({"ar", "fa", "ur", "ps"})),
    ("\u0900", "\u097f", "hi", frozenset({"hi", "mr", "ne"})),
)
_NOT_LATIN: Final = frozenset({"zh", "ja", "ko", "th"}).union(*(languages for _, _, _, languages in _SCRIPTS))


def language_of_word(word: str, language: str) -> str:
    """Return the language that ``word`` is stemmed in within a text of ``language``: the script decides first."""
    first = word[:1]
    if first < "\u0370":
        return "en" if not language or language in _NOT_LATIN else language
    for low, high, default, languages in _SCRIPTS:
        if low <= first <= high:
            return language if language in languages else default
    return language


@cache
def _stemmer(language: str) -> WordStemmer:
    if language == "tr":
        return _turkish()
    if language not in _SNOWBALL:
        return str
    import Stemmer  # loaded when first needed: starting the command line must stay fast

    stem: WordStemmer = Stemmer.Stemmer(_SNOWBALL[language], 0).stemWord
    return stem


def _turkish() -> WordStemmer:
    import simplemma

    return lambda word: simplemma.lemmatize(word, lang="tr").lower()
