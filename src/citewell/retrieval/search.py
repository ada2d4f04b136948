"""From a question to passages: planned by its intent, both legs at once, fused, one page cut out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from citewell.core.access import Tokens
from citewell.core.errors import BadLimit, EmptyQuery, InvalidRequest, StoreUnavailable
from citewell.core.model import ChunkId, StoredChunk
from citewell.core.ports import Embedder, Reader
from citewell.core.requests import (
    MAX_QUERY_CHARACTERS,
    MAX_RESULTS,
    RRF_K,
    Filters,
    Hit,
    Mode,
    Retrieval,
    SearchRequest,
    SearchResult,
)
from citewell.retrieval.confidence import confidence
from citewell.retrieval.cursor import decode_cursor, encode_cursor
from citewell.retrieval.fusion import WEIGHTED_DENSE, Fused, HybridRanker, fuse
from citewell.retrieval.intent import Plan, plan_search
from citewell.retrieval.legs import Legs, LegSearch
from citewell.retrieval.reranking import Reranking, rerank
from citewell.retrieval.rules import RULED, apply_rules
from citewell.retrieval.snippet import best_snippet
from citewell.retrieval.weighing import weigh
from citewell.text.terms import QueryTerms, query_terms
from citewell.trace import stage

RULED_POOL: Final = 200
"""How many of the best candidates a rule looks at, whatever k is."""

FIXED: Final[Mapping[HybridRanker, str]] = {
    "rrf": f"both lists joined by rank, k = {RRF_K}",
    "weighted": f"vectors count {WEIGHTED_DENSE}, BM25 {1 - WEIGHTED_DENSE:.1f}, by configuration",
}
"""How both lists become one where the configuration says so, and not the question."""

SHARED_STATISTICS: Final = "scores rest on statistics of the whole engine"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """How to rank: ``candidates`` from each leg, whatever k is, so that a longer list never changes its head.

    ``mode`` is that of a search that leaves it open.
    """

    ranker: HybridRanker = "auto"
    mode: Mode = "auto"
    candidates: int = 50
    on_failure: Literal["degrade", "error"] = "degrade"
    reranking: Reranking | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Searching:
    """One question on its way: where it is asked, what it wants, who may read what."""

    store: Reader
    embedder: Embedder
    request: SearchRequest
    visible: Tokens
    ranking: Ranking
    plan: Plan
    terms: QueryTerms

    @property
    def tolerant(self) -> bool:
        return self.ranking.on_failure == "degrade"

    @property
    def wanted(self) -> Mode:
        return self.ranking.mode if self.request.mode == "auto" else self.request.mode

    def attempts(self) -> list[tuple[Mode, Filters]]:
        """Return how to search, and how if that finds nothing."""
        filters = self.request.filters
        if self.wanted != "auto":
            return [(self.wanted, filters)]
        hybrid: tuple[Mode, Filters] = ("hybrid", filters)
        if self.plan.intent == "temporal" and "doc_type" not in dict(filters.fields):
            releases = replace(filters, fields=(*filters.fields, ("doc_type", ("release",))))
            return [("bm25", releases), ("hybrid", releases), hybrid]
        return [("bm25", filters), hybrid] if self.plan.mode == "bm25" else [hybrid]

    async def find(self) -> tuple[Mode, Legs]:
        """Return the first attempt that finds anything, or the last, with the mode it was made in."""
        mode, legs = self.wanted, Legs()
        for mode, filters in self.attempts():
            mode, legs = await self._ask(mode, filters)
            if legs.found:
                break
        return mode, legs

    async def _ask(self, mode: Mode, filters: Filters) -> tuple[Mode, Legs]:
        """Ask once. BM25 alone gives way to vectors where the store has none, or its engine does not answer."""
        depth = self.plan.depth if self.wanted == "auto" else 1
        search = LegSearch(
            store=self.store,
            embedder=self.embedder,
            query=self.request.query,
            terms=self.terms,
            filters=filters,
            visible=self.visible,
            limit=self.ranking.candidates * depth,
            tolerant=self.tolerant,
        )
        try:
            legs = await search.run(mode)
        except StoreUnavailable:
            if mode != "bm25" or self.wanted != "auto" or not self.tolerant:
                raise
            legs = await search.run("dense")
            legs.degraded.append("lexical_unavailable")
            return "dense", legs
        if mode == "bm25" and legs.lexical.absent:
            absent = legs.lexical.absent
            legs = await search.run("dense")
            legs.lexical = replace(legs.lexical, absent=absent)
        return ("dense" if legs.lexical.absent else mode), legs

    async def order(self, mode: Mode, legs: Legs) -> tuple[list[Fused], str]:
        """Return the candidates of ``legs``, best first, and the reason in words."""
        lexical_weight, reason = weigh(legs.lexical, legs.dense)
        fused = fuse(self.ranking.ranker, legs.lexical, legs.dense, lexical_weight=lexical_weight)
        fixed = FIXED.get(self.ranking.ranker) if legs.lexical.hits and legs.dense.hits else None
        reasons = [self._chosen(mode), legs.lexical.absent, "vectors alone" if mode == "dense" else fixed or reason]
        if self.ranking.reranking is not None and mode != "bm25":
            reranked = await rerank(
                fused, self.request.query, self.store, self.visible, self.ranking.reranking, tolerant=self.tolerant
            )
            fused, reasons = reranked.hits, [*reasons, reranked.said]
            legs.degraded += reranked.degraded
            legs.trust = reranked.trust
        if self.wanted == "auto" and self.plan.intent in RULED:
            pool = await self._read(fused[:RULED_POOL])
            ruled = apply_rules(self.plan, fused[:RULED_POOL], pool)
            fused, reasons = ruled.hits + fused[RULED_POOL:], [*reasons, ruled.said]
        if not self.store.exact_isolation:
            reasons.append(SHARED_STATISTICS)
        return fused, "; ".join(filter(None, reasons))

    def _chosen(self, mode: Mode) -> str:
        if self.request.mode != "auto":
            return "the caller chose the mode"
        if self.wanted != "auto":
            return "the configuration chose the mode"
        weaker = "" if mode == self.plan.mode else f", {self.plan.mode} alone found nothing"
        return f"{self.plan.reason}{weaker if self.plan.mode == 'bm25' and mode == 'hybrid' else ''}"

    async def _read(self, hits: list[Fused]) -> Mapping[ChunkId, StoredChunk]:
        with stage("read"):
            return await self.store.chunks([hit.chunk for hit in hits], visible=self.visible)

    async def page(self, fused: list[Fused], start: int, trust: float) -> tuple[Hit, ...]:
        """Return the hits from ``start`` on, ``trust`` being the score of the best candidate."""
        chosen = fused[start : start + self.request.k]
        stored = await self._read(chosen)
        top = max((hit.score for hit in fused), default=0.0)
        return tuple(self._hit(hit, stored[hit.chunk], trust / top if top else 0.0) for hit in chosen if hit.chunk in stored)

    def _hit(self, fused: Fused, stored: StoredChunk, scale: float) -> Hit:
        snippet, lines = best_snippet(stored.chunk, self.terms, stored.info.language)
        score = round(scale * fused.score, 4)
        return Hit(stored=stored, score=score, ranks=fused.ranks, snippet=snippet, snippet_lines=lines)


async def search_passages(
    store: Reader, embedder: Embedder, request: SearchRequest, visible: Tokens, ranking: Ranking
) -> SearchResult:
    """Return the page of passages that ``request`` asks for, of what ``visible`` admits.

    Where both leave the mode open, the intent of the question decides how it is searched for. Raises EmptyQuery, BadLimit,
    BadCursor; EmbeddingFailed or StoreUnavailable where nothing is left to search with; where ``ranking.on_failure`` is
    "error", these or VectorSearchFailed for any leg that fails.
    """
    _check(request)
    start = decode_cursor(request)
    plan = plan_search(request.query)
    terms = query_terms(request.query)
    searching = _Searching(
        store=store, embedder=embedder, request=request, visible=visible, ranking=ranking, plan=plan, terms=terms
    )
    mode, legs = await searching.find()
    with stage("fuse"):
        fused, reason = await searching.order(mode, legs)
        trust = legs.trust
        if trust is None:
            trust = confidence(embedder.name, len(terms.words), legs.lexical, legs.dense)
    hits = await searching.page(fused, start, trust)
    more = start + request.k < len(fused)
    return SearchResult(
        hits=hits,
        retrieval=Retrieval(intent=plan.intent, mode=mode, reason=reason),
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
