"""A query instruction for any embedder: models trained with one expect it before every query, and never before a passage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from citewell.core.ports import Embedder, Role, Vectors


class InstructedEmbedder:
    """An embedder that reads ``instruction`` before each query. Passages keep their vectors, and so the space its name."""

    def __init__(self, embedder: Embedder, instruction: str) -> None:
        self._embedder = embedder
        self._instruction = instruction

    @property
    def name(self) -> str:
        """The name of the embedder behind it."""
        return self._embedder.name

    @property
    def degraded(self) -> tuple[str, ...]:
        """What the embedder behind it says."""
        return self._embedder.degraded

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """Return the vectors of ``texts``, each behind the instruction where they are queries. Raises EmbeddingFailed."""
        lead = self._instruction if role == "query" else ""
        return await self._embedder.embed([lead + text for text in texts], role)
