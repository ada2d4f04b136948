"""From a question to passages: both legs at once, fused, one page cut out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from citewell.core.access import Tokens
from citewell.core.errors import BadLimit, EmptyQuery, InvalidRequest
from citewell.core.ports import Embedder, Reader
from citewell.core.requests import MAX_QUERY_CHARACTERS, MAX_RESULTS, Hit, Mode, Retrieval, SearchRequest, SearchResult
from citewell.retrieval.confidence import confidence
from citewell.retrieval.cursor import decode_cursor, encode_cursor
from citewell.retrieval.fusion import Fused, HybridRanker, fuse
from citewell.retrieval.legs import LegSearch
from citewell.retrieval.reranking import Reranking, rerank
from citewell.retrieval.snippet import best_snippet
from citewell.retrieval.weighing import weigh
from citewell.text.terms import QueryTerms, query_terms
from citewell.trace import stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """How to rank: ``candidates`` from each leg, whatever k is, so that a longer list never changes its head."""

    ranker: HybridRanker = "auto"
    candidates: int = 50
    on_failure: Literal["degrade", "error"] = "degrade"
    reranking: Reranking | None = None


async def search_passages(
    store: Reader, embedder: Embedder, request: SearchRequest, visible: Tokens, ranking: Ranking
) -> SearchResult:
    """Return the page of passages that ``request`` asks for, of what ``visible`` admits.

    Raises EmptyQuery, BadLimit, BadCursor; EmbeddingFailed only where ``ranking.on_failure`` is "error" or the mode is dense;
    VectorSearchFailed where it is "error".
    """
    _check(request)
    start = decode_cursor(request)
    mode: Mode = "hybrid" if request.mode == "auto" else request.mode
    terms = query_terms(request.query)
    search = LegSearch(
        store=store, embedder=embedder, request=request, terms=terms, visible=visible, limit=ranking.candidates
    )
    legs = await search.run(mode, tolerant=ranking.on_failure == "degrade")
    with stage("fuse"):
        lexical_weight, reason = weigh(legs.lexical, legs.dense)
        fused = fuse(ranking.ranker, legs.lexical, legs.dense, lexical_weight=lexical_weight)
        trust = confidence(embedder.name, len(terms.words), legs.lexical, legs.dense)
    if ranking.reranking is not None and mode != "bm25":
        tolerant = ranking.on_failure == "degrade"
        reranked = await rerank(fused, request.query, store, visible, ranking.reranking, tolerant=tolerant)
        fused, reason = reranked.hits, f"{reason}; {reranked.said}"
        legs.degraded += reranked.degraded
    with stage("read"):
        hits = await _read_page(store, fused, start, request.k, trust, terms, visible)
    more = start + request.k < len(fused)
    return SearchResult(
        hits=hits,
        retrieval=Retrieval(intent="general", mode=mode, reason=reason),
        degraded=tuple(dict.fromkeys(legs.degraded)),
        cursor=encode_cursor(request, start + request.k) if more else None,
    )


def _check(request: SearchRequest) -> None:
    if not request.query.strip():
        raise EmptyQuery("The query is empty. Ask for something.")
    if len(request.query) > MAX_QUERY_CHARACTERS:
        raise InvalidRequest(f"The query is longer than {MAX_QUERY_CHARACTERS:,} characters. Ask for one thing at a time.")
    if not 1 <= request.k <= MAX_RESULTS:
        raise BadLimit(f"k is {request.k}; it must be from 1 to {MAX_RESULTS}.")


async def _read_page(
    store: Reader,
    fused: list[Fused],
    start: int,
    k: int,
    trust: float,
    terms: QueryTerms,
    visible: Tokens,
) -> tuple[Hit, ...]:
    page = fused[start : start + k]
    stored = await store.chunks([hit.chunk for hit in page], visible=visible)
    top = fused[0].score if fused else 1.0
    hits: list[Hit] = []
    for hit in page:
        if hit.chunk not in stored:
            continue
        found = stored[hit.chunk]
        snippet, lines = best_snippet(found.chunk, terms, found.info.language)
        score = round(trust * hit.score / top, 4) if top > 0 else 0.0
        hits.append(Hit(stored=found, score=score, ranks=hit.ranks, snippet=snippet, snippet_lines=lines))
    return tuple(hits)
