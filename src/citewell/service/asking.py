"""What is asked, on its way to models that may stand anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from citewell.core.ports import Embedder, Reranker, Role
from citewell.text.redaction import Redactor

if TYPE_CHECKING:
    from citewell.core.ports import Vectors
    from citewell.core.ports.reranking import Scores


class RedactedQueries:
    """An embedder that is sent no secret somebody typed: it gets the placeholder, as it got in the passages."""

    def __init__(self, embedder: Embedder, redactor: Redactor) -> None:
        self._embedder = embedder
        self._redactor = redactor

    @property
    def name(self) -> str:
        """The model's name."""
        return self._embedder.name

    @property
    def degraded(self) -> tuple[str, ...]:
        """What the model lacks."""
        return self._embedder.degraded

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """Return the vectors of ``texts``, each redacted first. Raises EmbeddingFailed."""
        return await self._embedder.embed([self._redactor.redact(text).text for text in texts], role)


class RedactedPairs:
    """A reranker that is sent no secret somebody typed."""

    def __init__(self, reranker: Reranker, redactor: Redactor) -> None:
        self._reranker = reranker
        self._redactor = redactor

    @property
    def name(self) -> str:
        """The model's name."""
        return self._reranker.name

    async def score(self, query: str, passages: Sequence[str]) -> Scores:
        """Return the scores of ``passages`` for ``query``, which is redacted first. Raises VectorSearchFailed."""
        return await self._reranker.score(self._redactor.redact(query).text, passages)
