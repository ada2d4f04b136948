"""The sentences of the passages found, and how well each answers the question."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from citewell.core.errors import EmbeddingFailed
from citewell.core.model import Lines
from citewell.core.ports import Embedder
from citewell.core.requests import Hit
from citewell.text.sentences import sentence_spans
from citewell.text.terms import QueryTerms, text_terms

MAX_COMPARED: Final = 24
"""How many sentences the embedder compares with the question: each costs milliseconds."""

MAX_QUOTE_CHARACTERS: Final = 700

LEAST_LETTERS: Final = 12

FRAGMENT: Final = 0.7
"""What a line of code is worth beside a sentence that matches as well."""

_CODE: Final = re.compile(
    r"\s[=+]?=\s|[{};]|\w\(|^\s*(?:\.\.\.|>>>|@|def|class|return|raise|async|await|if|for|and|or)\b|^\.\.\."
)
_ENDS: Final = (".", ":", "!", "。", "：", "！", "…", "```")
_QUESTION: Final = ("?", "？", "؟")
_HEADING: Final = re.compile(
    r"\s*(?:#{1,6}\s|[=\-~^*+]{3,}\s*$|\|?[\s:|-]+\|?\s*$|\[[^\]]+\]:\s|<!--|import\s|from\s\S+\simport)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """An exact part of a passage. ``match`` is the share of the question's words in it; ``worth`` its value as an answer."""

    hit: Hit
    start: int
    end: int
    match: float = 0.0
    worth: float = 0.0

    @property
    def text(self) -> str:
        """The words, as they stand in the document."""
        return self.hit.stored.chunk.text[self.start : self.end]

    @property
    def in_context(self) -> str:
        """The words below the heading or symbol they stand under: what they are about is often said only there."""
        chunk = self.hit.stored.chunk
        heading = chunk.symbol or "".join(chunk.breadcrumb[-1:])
        return f"{heading}\n{self.text}" if heading else self.text

    @property
    def lines(self) -> Lines:
        """Where the words stand in the document."""
        chunk = self.hit.stored.chunk
        first = chunk.lines.start + chunk.text.count("\n", 0, self.start)
        return Lines(first, first + chunk.text.count("\n", self.start, self.end))


async def rank_quotes(question: str, hits: Sequence[Hit], query: QueryTerms, embedder: Embedder) -> list[Quote]:
    """Return the sentences of ``hits`` that could answer ``question``, best first.

    Half of a sentence's worth is the share of the question's words in it and its section, half its similarity to the
    question; both count less the further down its passage stands. Without the embedder, words alone decide.
    """
    quotes = [quote for hit in hits for quote in _sentences(hit, query)]
    quotes.sort(key=lambda quote: -(quote.match + quote.hit.score))
    compared = quotes[:MAX_COMPARED]
    similarities = await _similarities(question, compared, embedder)
    ranked = [
        replace(
            quote, worth=(0.5 * quote.match + 0.5 * similarity) * _standing(quote.hit, hits[0]) * _readability(quote.text)
        )
        for quote, similarity in zip(compared, similarities, strict=True)
    ]
    return sorted(ranked, key=lambda quote: (-quote.worth, quote.hit.stored.shown_id, quote.start))


def _sentences(hit: Hit, query: QueryTerms) -> Iterator[Quote]:
    chunk, language = hit.stored.chunk, hit.stored.info.language
    context = "\n".join((hit.stored.info.title, *chunk.breadcrumb, chunk.symbol or ""))
    around = set(text_terms(context, language))
    for start, end in sentence_spans(chunk.text):
        text = chunk.text[start:end]
        if not _says_something(text):
            continue
        own = set(text_terms(text, language))
        match = (query.share(own) + query.share(own | around)) / 2
        yield Quote(hit=hit, start=start, end=end, match=match)


def _says_something(text: str) -> bool:
    """Say whether ``text`` could be an answer: neither a heading, a rule or an import, nor a question, nor a mere label."""
    if _HEADING.match(text) or text.rstrip(" *_`\"'”»").endswith(_QUESTION) or len(text) > MAX_QUOTE_CHARACTERS:
        return False
    return sum(map(str.isalnum, text)) >= LEAST_LETTERS


async def _similarities(question: str, quotes: Sequence[Quote], embedder: Embedder) -> list[float]:
    """Return 0..1 for each quote, from the least similar to the most; all 0 where the embedder fails."""
    if not quotes:
        return []
    try:
        asked = await embedder.embed([question], "query")
        given = await embedder.embed([quote.in_context for quote in quotes], "passage")
    except EmbeddingFailed:
        return [0.0] * len(quotes)
    cosines = [float(value) for value in given @ asked[0]]
    low, high = min(cosines), max(cosines)
    return [(cosine - low) / (high - low) if high > low else 1.0 for cosine in cosines]


def _readability(text: str) -> float:
    """Return 1 for sentences and whole blocks of code, less for a line of code that was cut out of its surroundings."""
    return FRAGMENT if _CODE.search(text) and not text.rstrip("\"'`) ").endswith(_ENDS) else 1.0


def _standing(hit: Hit, best: Hit) -> float:
    return 0.5 + 0.5 * (hit.score / best.score if best.score > 0 else 1.0)
