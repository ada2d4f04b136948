"""Answers without a language model: what the passages themselves say, word for word, or an honest refusal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from citewell.answering.quotes import MAX_QUOTE_CHARACTERS, Quote, rank_quotes
from citewell.core.access import Tokens
from citewell.core.model import Lines
from citewell.core.ports import Embedder, Reader
from citewell.core.requests import Answer, AskRequest, Citation, DeclineReason, Hit, SearchRequest, SearchResult
from citewell.retrieval.search import Ranking, search_passages
from citewell.text.sentences import sentence_spans
from citewell.text.terms import query_terms
from citewell.trace import stage

PASSAGES: Final = 6
MAX_QUOTES: Final = 3
NEAREST: Final = 3

LEAST_CONFIDENCE: Final = 0.3
"""Score of the best passage below which nothing is claimed, unless a sentence holds the words of the question."""

ENOUGH_WORDS: Final = 0.65
"""Share of the question's words in a sentence (half) and in it and its section together (half) that is support by itself."""

CLOSE_SECOND: Final = 0.8
"""Worth, as a share of the best quote's, from which a further quote is added."""

_LINK: Final = re.compile(r"!?\[([^\]]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+\"[^\"]*\")?\)")
_ADDRESS: Final = re.compile(r"<?\b(?:[a-zA-Z][a-zA-Z0-9+.-]*://|www\.|mailto:)[^\s<>\"'`)\]]*>?")
_GAP: Final = "\0"
_HUSK: Final = re.compile(rf",?\s*(?:`{_GAP}`|\({_GAP}\)|<{_GAP}>|(?<![\"']){_GAP}(?![\"']))")
"""What is left of an address, in brackets or bare, once it is gone. In a string of code an ellipsis takes its place."""


async def answer_question(
    store: Reader, embedder: Embedder, request: AskRequest, visible: Tokens, ranking: Ranking
) -> Answer:
    """Answer with the best sentences of what ``visible`` admits, each with its label, or decline.

    Raises what search raises.
    """
    search = SearchRequest(query=request.question, k=PASSAGES, filters=request.filters)
    result = await search_passages(store, embedder, search, visible, ranking)
    if not result.hits:
        return _decline(result, "no_evidence")
    with stage("quote"):
        quotes = await rank_quotes(request.question, result.hits, query_terms(request.question), embedder)
    chosen = list(_choose(quotes)) if _supports(result, quotes) else []
    if not chosen:
        return _decline(result, "low_support")
    return Answer(
        answerable=True,
        text="\n".join(f"{without_addresses(quote.text)} [c{n}]" for n, quote in enumerate(chosen, start=1)),
        citations=tuple(_cite(f"c{n}", q.hit, q.text, q.lines) for n, q in enumerate(chosen, start=1)),
        retrieval=result.retrieval,
        degraded=result.degraded,
    )


def without_addresses(text: str) -> str:
    """Return ``text`` with the names of its links and without their addresses: links come from the index alone."""
    return _HUSK.sub("", _ADDRESS.sub(_GAP, _LINK.sub(r"\1", text))).replace(_GAP, "…").strip()


def _supports(result: SearchResult, quotes: Sequence[Quote]) -> bool:
    return max(hit.score for hit in result.hits) >= LEAST_CONFIDENCE or any(quote.match >= ENOUGH_WORDS for quote in quotes)


def _choose(quotes: Sequence[Quote]) -> Iterator[Quote]:
    """Yield the best quote and those nearly as good, in the order of their worth; none that an earlier one contains."""
    seen: list[str] = []
    for quote in quotes:
        if quote.worth < CLOSE_SECOND * quotes[0].worth or len(seen) == MAX_QUOTES:
            return
        whole = _complete(quote)
        words = without_addresses(whole.text)
        if words and not any(without_addresses(quote.text) in other for other in seen):
            seen.append(words)
            yield whole


def _complete(quote: Quote) -> Quote:
    """Return the quote together with what it announces: a sentence that ends in a colon goes on in the next span.

    A block of code comes whole or, where it is longer than a quote may be, not at all.
    """
    if not quote.text.endswith((":", "：")):
        return quote
    text = quote.hit.stored.chunk.text
    for _, end in (span for span in sentence_spans(text) if span[0] >= quote.end):
        if end - quote.start > MAX_QUOTE_CHARACTERS:
            return quote
        if text.count("```", quote.start, end) % 2 == 0:
            return replace(quote, end=end)
    return quote


def _cite(label: str, hit: Hit, quote: str, lines: Lines) -> Citation:
    info = hit.stored.info
    return Citation(
        id=label,
        passage=hit.stored.shown_id,
        url=info.url(lines),
        title=info.label,
        path=info.path,
        lines=lines,
        section=hit.stored.section,
        version=info.version,
        score=hit.score,
        quote=quote,
    )


def _decline(result: SearchResult, reason: DeclineReason) -> Answer:
    nearest = enumerate(result.hits[:NEAREST], start=1)
    return Answer(
        answerable=False,
        text="",
        citations=tuple(_cite(f"c{n}", hit, hit.snippet, hit.snippet_lines) for n, hit in nearest),
        retrieval=result.retrieval,
        reason=reason,
        degraded=result.degraded,
    )
