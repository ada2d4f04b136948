"""The two legs of a search, BM25 and vectors, asked at the same time."""

from __future__ import annotations

from dataclasses import dataclass, field

import anyio

from citewell.core.access import Tokens
from citewell.core.errors import EmbeddingFailed
from citewell.core.ports import Candidates, DenseQuery, Embedder, LexicalQuery, Reader
from citewell.core.requests import Mode, SearchRequest
from citewell.text.terms import QueryTerms
from citewell.trace import stage


@dataclass(slots=True)
class Legs:
    """What each leg found, and what did not take part as it should."""

    lexical: Candidates = field(default_factory=Candidates)
    dense: Candidates = field(default_factory=Candidates)
    degraded: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True, kw_only=True)
class LegSearch:
    """One search as both legs see it: who may read what, and how many candidates each leg gives."""

    store: Reader
    embedder: Embedder
    request: SearchRequest
    terms: QueryTerms
    visible: Tokens
    limit: int

    async def run(self, mode: Mode, *, tolerant: bool) -> Legs:
        """Ask the legs that ``mode`` wants. A failing embedder is only reported where ``tolerant``, else EmbeddingFailed."""
        legs = Legs()
        try:
            async with anyio.create_task_group() as tasks:
                if mode != "dense":
                    tasks.start_soon(self._ask_lexical, legs)
                if mode != "bm25":
                    tasks.start_soon(self._ask_dense, legs, tolerant and mode != "dense")
        except ExceptionGroup as group:
            raise group.exceptions[0] from None
        return legs

    async def _ask_lexical(self, legs: Legs) -> None:
        with stage("bm25"):
            legs.lexical = await self.store.lexical(
                LexicalQuery(self.request.query, self.terms.weights, self.terms.words),
                visible=self.visible,
                filters=self.request.filters,
                limit=self.limit,
            )

    async def _ask_dense(self, legs: Legs, tolerant: bool) -> None:
        try:
            legs.dense = await self._search_vectors()
        except EmbeddingFailed:
            if not tolerant:
                raise
            legs.degraded.append("dense_unavailable")
            return
        legs.degraded += self.embedder.degraded
        if legs.dense.pending:
            legs.degraded.append("dense_pending")

    async def _search_vectors(self) -> Candidates:
        """Embed the query and search with it. Raises EmbeddingFailed, also where the store has no use for the vector."""
        with stage("embed"):
            vectors = await self.embedder.embed([self.request.query], "query")
        with stage("dense"):
            return await self.store.dense(
                DenseQuery(self.embedder.name, vectors[0]),
                visible=self.visible,
                filters=self.request.filters,
                limit=self.limit,
            )
