"""What BM25 counts: the terms of a chunk, weighted by field, and the terms of a query."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from citewell.core.errors import StoreFull
from citewell.core.model import Chunk, DocumentInfo
from citewell.text.folding import fold_word
from citewell.text.language import detect_language
from citewell.text.stemming import stem_word
from citewell.text.stopwords import STOP_WORDS
from citewell.text.tokens import Token, tokenize

ANALYZER_VERSION: Final = "2"
"""Changes whenever a text may give other terms than before: postings of another version must be rebuilt."""

BODY_WEIGHT: Final = 1.0
"""How often one occurrence in a field counts; measured on paragraphs, code, commits and command pages alike."""

OWN_NAME_WEIGHT: Final = 3.0
PARENT_WEIGHT: Final = 3.0
PATH_WEIGHT: Final = 2.0

NAME_QUERY_WEIGHT: Final = 1.25
"""Identifiers are the most deliberate words of a question."""

FRAGMENT_QUERY_WEIGHT: Final = 0.3
"""Fragments support the token that holds them, and find what was written apart; alone they say little."""

OTHER_LANGUAGES: Final = ("tr", "de", "fr", "es", "it", "pt", "nl")
"""Languages whose stems a query tries beside its own and English, because its own is only a guess."""

OTHER_STEM_WEIGHT: Final = 0.25

_QUERY_WEIGHTS: Final = {"name": NAME_QUERY_WEIGHT, "fragment": FRAGMENT_QUERY_WEIGHT}


@dataclass(frozen=True, slots=True)
class TermVector:
    """The terms of a chunk with their weighted frequencies; ``length`` is the document length of the BM25 formula."""

    frequencies: Mapping[str, float]
    length: float


def text_terms(text: str, language: str) -> Iterator[str]:
    """Yield the terms of ``text``, which is written in ``language``, one for each token, in order."""
    for token in tokenize(text):
        yield _term(token, language)


def index_terms(chunk: Chunk, info: DocumentInfo) -> TermVector:
    """Return the terms of ``chunk``: its words, its own heading or symbol, the headings above it, and its path."""
    frequencies: defaultdict[str, float] = defaultdict(float)
    length = 0.0
    for text, weight in _fields(chunk, info):
        for token in tokenize(text):
            frequencies[_term(token, info.language)] += weight
            length += weight if token.kind != "fragment" else 0.0
    return TermVector(dict(frequencies), length)


def _fields(chunk: Chunk, info: DocumentInfo) -> Iterator[tuple[str, float]]:
    yield chunk.text, BODY_WEIGHT
    yield chunk.symbol or "", OWN_NAME_WEIGHT
    yield " ".join(chunk.breadcrumb[-1:]), OWN_NAME_WEIGHT
    yield "\n".join(dict.fromkeys((info.title, *chunk.breadcrumb[:-1]))), PARENT_WEIGHT
    yield info.path, PATH_WEIGHT


@dataclass(frozen=True, slots=True)
class QueryTerms:
    """A query as the index sees it: ``weights`` of the terms to look for, and the ``words`` they stand for.

    A word is the terms any of which may be what a document made of it: its stems in several languages.
    """

    weights: Mapping[str, float]
    words: tuple[tuple[str, ...], ...]

    def share(self, terms: Collection[str]) -> float:
        """Return the part of the query, 0..1 by weight, whose words are among ``terms``."""
        worths = [max(self.weights[term] for term in word) for word in self.words]
        met = (worth for worth, word in zip(worths, self.words, strict=True) if any(term in terms for term in word))
        return sum(met) / sum(worths) if worths else 0.0


def query_terms(query: str) -> QueryTerms:
    """Return the terms to look for and how much each counts. Question words are left out unless there is nothing else.

    A word gives its stems in the language of the query and in English, and with less weight those in other languages: a
    document is stemmed by its own language, and that of a query of three words is a guess.
    """
    tokens = list(tokenize(query))
    languages = tuple(dict.fromkeys((_query_language(query), "en")))
    content = [token for token in tokens if not _is_stop(token, languages)] or tokens
    weights: dict[str, float] = {}
    words: dict[tuple[str, ...], None] = {}
    for token in content:
        sure = dict.fromkeys((_term(token, language) for language in languages), _QUERY_WEIGHTS.get(token.kind, 1.0))
        guessed = dict.fromkeys((_term(token, language) for language in OTHER_LANGUAGES), OTHER_STEM_WEIGHT)
        for term, weight in (guessed | sure).items():
            weights[term] = max(weights.get(term, 0.0), weight)
        words[tuple(sorted(guessed | sure))] = None
    return QueryTerms(weights, tuple(words))


def _query_language(query: str) -> str:
    """Return the language of ``query``; English where no model can be loaded, since other stems are tried as well."""
    try:
        return detect_language(query)
    except StoreFull:
        return "en"


def _is_stop(token: Token, languages: Sequence[str]) -> bool:
    folded = fold_word(token.text)
    return any(folded in STOP_WORDS.get(language, ()) for language in languages)


def _term(token: Token, language: str) -> str:
    if token.kind == "exact":
        return token.text
    return stem_word(token.text, "en" if token.kind == "name" else language)
