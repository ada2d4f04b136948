"""The best chunks by their vectors: a chunk may have several points, and equal scores are ordered by chunk id."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from qdrant_client import models

from citewell.adapters.stores.elastic_qdrant.rows import Row
from citewell.adapters.stores.elastic_qdrant.vector_engine import VectorEngine
from citewell.adapters.stores.keywords import plain
from citewell.core.model import ChunkId
from citewell.core.ports import Ranked

if TYPE_CHECKING:
    from citewell.core.ports import Vectors

MOST_POINTS: Final = 10_000
MOST_VALUES: Final = 1_000_000
FIELDS: Final = ["chunk_id", "key", "file", "generation"]

Admits = Callable[[Row], bool]


class PointSearch:
    """Asks Qdrant for more points until the list of chunks is certain."""

    def __init__(self, engine: VectorEngine) -> None:
        self._engine = engine

    async def best(
        self,
        collection: str,
        vector: Vectors,
        condition: models.Filter,
        limit: int,
        vet: Callable[[Sequence[Row]], Awaitable[Admits]],
    ) -> list[Ranked]:
        """Return the ``limit`` best chunks of those points that ``vet`` admits."""
        size = limit * 2 + 10
        while True:
            points = await self.points(collection, vector, condition, size, FIELDS)
            admits = await vet([dict(point.payload or {}) for point in points]) if points else _nothing
            ranked = _by_chunk(points, admits)
            certain = len(points) < size or (len(ranked) > limit and points[-1].score < ranked[limit - 1].score)
            if certain or size >= MOST_POINTS:
                return ranked[:limit]
            size = min(size * 4, MOST_POINTS)

    async def points(
        self, collection: str, vector: Vectors, condition: models.Filter, size: int, fields: list[str], using: str = ""
    ) -> list[models.ScoredPoint]:
        """Return the ``size`` nearest points with ``fields`` of their payload."""
        answer = await self._engine.ask(
            lambda client: client.query_points(
                collection,
                query=vector.tolist(),
                using=using or None,
                query_filter=condition,
                limit=size,
                with_payload=fields,
                search_params=self._engine.search_parameters,
            )
        )
        return answer.points

    async def values(self, collection: str, name: str, condition: models.Filter) -> list[str]:
        """Return every value of the keyword ``name`` in the payload of points that meet ``condition``."""
        answer = await self._engine.ask(
            lambda client: client.facet(collection, name, facet_filter=condition, limit=MOST_VALUES, exact=True)
        )
        return [str(hit.value) for hit in answer.hits]


def _nothing(row: Row) -> bool:
    return False


def _by_chunk(points: Sequence[Any], admits: Admits) -> list[Ranked]:
    best: dict[ChunkId, float] = {}
    for point in points:
        if admits(point.payload):
            name = ChunkId(plain(point.payload["chunk_id"]))
            best[name] = max(point.score, best.get(name, point.score))
    order = sorted(best.items(), key=lambda item: (-item[1], item[0]))
    return [Ranked(name, score) for name, score in order]
