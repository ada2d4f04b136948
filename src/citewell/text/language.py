"""Which language a text is written in: the script first; then function words, letters and a model for the Latin alphabet."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from typing import Final, Protocol

from citewell.core.errors import StoreFull
from citewell.text.folding import fold_word, normalize_text
from citewell.text.scripts import language_of_script
from citewell.text.stopwords import LATIN_LANGUAGES, STOP_WORDS

REACH: Final = 20_000
"""Characters of a text within which a sample of its prose is looked for."""

SAMPLE: Final = 600
"""Characters of prose that are looked at: half from the beginning, half from the middle."""

EVIDENCE_WEIGHT: Final = 0.3
"""How much one unambiguous function word counts beside the model's probability."""

ENGLISH_PRIOR: Final = 0.2
DEFAULT_PRIOR: Final = 0.5
"""What the expected language is given in advance, so that a word or two do not overrule it."""

_FENCES: Final = re.compile(r"^[ ]{0,3}(`{3}|~{3}).*?(?:^[ ]{0,3}\1|\Z)", re.MULTILINE | re.DOTALL)
_CODE: Final = re.compile(
    r"`[^`\n]++`"
    r"|(?<![!-~])[!-.0-;?A-Z\[\]^`a-z~]*+[/\\{}<>=@$|_][!-~]*+"
    r"|(?<![A-Za-z0-9])[A-Za-z]*+[0-9][A-Za-z0-9]*+"
    r"|\b[A-Za-z]++(?:\.[A-Za-z]++)+"
    r"|\b[A-Z]?[a-z]++[A-Z][A-Za-z]*+"
)
_LETTERS: Final = {
    "ca": "àçèéíïòóúü·",
    "cs": "áčďéěíňóřšťúůýž",
    "da": "æøå",
    "de": "ßäöü",
    "es": "ñáéíóú¿¡",
    "fi": "äö",
    "fr": "àâçèéêëîïôùûœ",
    "hu": "áéíóöőúüű",
    "it": "àèéìòù",
    "nl": "ëéï",
    "no": "æøå",
    "pl": "ąćęłńóśźż",
    "pt": "ãõçáâéêíóôú",
    "ro": "ăâîșțşţ",
    "sv": "åäö",
    "tr": "ğışçöü",
    "vi": "ăâđêôơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ",
}
_TURKISH_ENDING: Final = re.compile(
    r"(?:l[ae]r[iae]n?|l[ae]rd[ae]n?|m[ae]si|m[ae]y[ae]|ind[ae]n?|sin[iae]|sinin|siy(?:la|le)|iyor|ilir|ulur|irim|urum"
    r"|m[ae]k|[ae]c[ae]k|tirm[ae]|l[ae]ndirm[ae]|l[ae]m[ae]|ligi|lugu|likl[ae]r|basi|misi|asyonu?|anici)$"
)


class _Model(Protocol):
    def rank(self, instance: str) -> list[tuple[str, float]]: ...


def detect_language(text: str, *, default: str = "") -> str:
    """Return the ISO 639-1 code of the language of ``text``; ``default`` is what to expect of a text too short to tell.

    Code, addresses and identifiers are no language: a text of nothing else gives ``default``.

    Raises StoreFull where there is no room to unpack the model that some Latin texts need.
    """
    prose = _CODE.sub(" ", _sample(text))
    if language := language_of_script(prose):
        return language
    words = re.findall(r"[^\W\d_]+", prose)
    return _latin(words, default) if words else default


def _sample(text: str) -> str:
    prose = _FENCES.sub("\n", text[:REACH])
    if len(prose) > SAMPLE:
        half, middle = SAMPLE // 2, len(prose) // 2
        prose = prose[:half] + "\n" + prose[middle : middle + half]
    return normalize_text(prose)


def _latin(words: list[str], default: str) -> str:
    evidence = _evidence(words)
    if language := _plain(evidence, len(words)):
        return language
    votes = defaultdict(float, _model().rank(" ".join(words)))
    for language, weight in evidence.items():
        votes[language] += EVIDENCE_WEIGHT * weight
    votes["en"] += ENGLISH_PRIOR
    if default:
        votes[default] += DEFAULT_PRIOR
    return max(votes, key=lambda language: (votes[language], language))


def _plain(evidence: dict[str, float], words: int) -> str:
    """Return the language that function words leave no doubt about, which spares loading the model; else nothing."""
    (first, most), (_, next_most) = sorted([*evidence.items(), ("", 0.0), ("", 0.0)], key=lambda item: (-item[1], item[0]))[
        :2
    ]
    return first if most >= max(2.0, 2 * next_most, 0.12 * words) else ""


def _evidence(words: list[str]) -> dict[str, float]:
    """Return how many words and letters speak for each language; what several languages share counts in parts."""
    evidence: defaultdict[str, float] = defaultdict(float)
    for word in words:
        folded = fold_word(word)
        languages = _word_languages().get(folded, ())
        for language in languages:
            evidence[language] += (1.0 if len(folded) > 1 else 0.5) / len(languages)
        if not languages and len(folded) >= 6 and _TURKISH_ENDING.search(folded):
            evidence["tr"] += 0.7
        if not word.isascii():
            _add_letters(evidence, word.lower())
    return evidence


def _add_letters(evidence: defaultdict[str, float], word: str) -> None:
    for letter in sorted(set(word)):
        languages = _letter_languages().get(letter, ())
        for language in languages:
            evidence[language] += 0.8 / len(languages)


@cache
def _word_languages() -> dict[str, list[str]]:
    return _inverted({language: STOP_WORDS[language] for language in LATIN_LANGUAGES})


@cache
def _letter_languages() -> dict[str, list[str]]:
    return _inverted({language: frozenset(letters) for language, letters in _LETTERS.items()})


def _inverted(marks: dict[str, frozenset[str]]) -> dict[str, list[str]]:
    languages: defaultdict[str, list[str]] = defaultdict(list)
    for language in sorted(marks):
        for mark in marks[language]:
            languages[mark].append(language)
    return dict(languages)


@cache
def _model() -> _Model:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # it takes a second to load: only where it is needed

    try:
        identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    except OSError as error:
        message = "The language model unpacks into the temporary folder, and there is no room. Make room, or set TMPDIR."
        raise StoreFull(message, detail=str(error)) from error
    identifier.set_languages(list(LATIN_LANGUAGES))
    model: _Model = identifier
    return model
