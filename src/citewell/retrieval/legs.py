"""The two legs of a search, BM25 and vectors, asked at the same time."""

from __future__ import annotations

from dataclasses import dataclass, field

import anyio

from citewell.core.access import Tokens
from citewell.core.errors import CitewellError, EmbeddingFailed, StoreUnavailable, VectorSearchFailed
from citewell.core.ports import Candidates, DenseQuery, Embedder, LexicalQuery, Reader
from citewell.core.requests import Filters, Mode
from citewell.text.terms import QueryTerms
from citewell.trace import stage


@dataclass(slots=True)
class Legs:
    """What each leg found, and what did not take part as it should.

    ``trust`` is the score of the best passage, where a reranker gave one.
    """

    lexical: Candidates = field(default_factory=Candidates)
    dense: Candidates = field(default_factory=Candidates)
    degraded: list[str] = field(default_factory=list[str])
    failures: list[CitewellError] = field(default_factory=list[CitewellError])
    trust: float | None = None

    @property
    def found(self) -> bool:
        """Whether either leg found anything."""
        return bool(self.lexical.hits or self.dense.hits)


@dataclass(frozen=True, slots=True, kw_only=True)
class LegSearch:
    """One search as both legs see it: who may read what, and how many candidates each leg gives."""

    store: Reader
    embedder: Embedder
    query: str
    terms: QueryTerms
    filters: Filters
    visible: Tokens
    limit: int
    tolerant: bool

    async def run(self, mode: Mode) -> Legs:
        """Ask the legs that ``mode`` wants.

        Where `tolerant`, a leg that fails is left out and reported as long as the other one answers; else EmbeddingFailed,
        VectorSearchFailed or StoreUnavailable is raised at once. It is raised, too, where no leg is left.
        """
        legs = Legs()
        try:
            async with anyio.create_task_group() as tasks:
                if mode != "dense":
                    tasks.start_soon(self._ask_lexical, legs)
                if mode != "bm25":
                    tasks.start_soon(self._ask_dense, legs)
        except ExceptionGroup as group:
            raise group.exceptions[0] from None
        if len(legs.failures) == (2 if mode in ("hybrid", "auto") else 1):
            raise legs.failures[0]
        return legs

    async def _ask_lexical(self, legs: Legs) -> None:
        try:
            with stage("bm25"):
                legs.lexical = await self.store.lexical(
                    LexicalQuery(self.query, self.terms.weights, self.terms.words),
                    visible=self.visible,
                    filters=self.filters,
                    limit=self.limit,
                )
        except StoreUnavailable as error:
            self._leave_out("lexical_unavailable", error, legs)

    async def _ask_dense(self, legs: Legs) -> None:
        try:
            legs.dense = await self._search_vectors()
        except EmbeddingFailed as error:
            self._leave_out("dense_unavailable", error, legs)
            return
        except StoreUnavailable as error:
            failure = VectorSearchFailed("The vector search failed.", detail=error.detail or error.message)
            self._leave_out("dense_unavailable", error if self.tolerant else failure, legs)
            return
        legs.degraded += self.embedder.degraded
        if legs.dense.pending:
            legs.degraded.append("dense_pending")

    def _leave_out(self, reason: str, error: CitewellError, legs: Legs) -> None:
        """Go on without a leg. Raises ``error`` where that is not wanted."""
        if not self.tolerant:
            raise error
        legs.failures.append(error)
        legs.degraded.append(reason)

    async def _search_vectors(self) -> Candidates:
        """Embed the query and search with it. Raises EmbeddingFailed, also where the store has no use for the vector."""
        with stage("embed"):
            vectors = await self.embedder.embed([self.query], "query")
        with stage("dense"):
            return await self.store.dense(
                DenseQuery(self.embedder.name, vectors[0]),
                visible=self.visible,
                filters=self.filters,
                limit=self.limit,
            )
