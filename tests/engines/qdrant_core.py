"""Points in Qdrant's own core, in the shape of its client: what a server does with them, without a server.

qdrant-edge is that core as a library. It knows no collections by name: what there is to be known of them, beside their
points, is kept by the client's local mode, which is given none.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import qdrant_edge as core
from qdrant_client import QdrantClient
from qdrant_client.http import models

WITHOUT_NAME = ""


class CoreClient:
    """As much of a QdrantClient as the stand-in asks for; every collection is a shard in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._shards: dict[str, core.EdgeShard] = {}
        self._described = QdrantClient(":memory:")
        self.get_collections = self._described.get_collections
        self.get_collection = self._described.get_collection
        self.collection_exists = self._described.collection_exists

    def create_collection(self, name: str, vectors_config: Any) -> bool:
        self._described.create_collection(name, vectors_config=vectors_config)
        named = vectors_config if isinstance(vectors_config, dict) else {WITHOUT_NAME: vectors_config}
        vectors = {name: core.EdgeVectorParams(v.size, getattr(core.Distance, v.distance.value)) for name, v in named.items()}
        place = tempfile.mkdtemp(dir=self._folder)
        self._shards[name] = core.EdgeShard.create(place, core.EdgeConfig(vectors=vectors, wal_enabled=False))
        return True

    def delete_collection(self, name: str) -> bool:
        if name in self._shards:
            self._shards.pop(name).close()
        return bool(self._described.delete_collection(name))

    def create_payload_index(self, name: str, field: str, schema: str) -> None:
        kind = getattr(core.PayloadSchemaType, schema.capitalize())
        self._update(name, core.UpdateOperation.create_field_index(field, kind))

    def upsert(self, name: str, points: Sequence[models.PointStruct]) -> None:
        held = [core.Point(point.id, point.vector, point.payload) for point in points]
        self._update(name, core.UpdateOperation.upsert_points(held))

    def delete(self, name: str, selector: models.FilterSelector) -> None:
        self._update(name, core.UpdateOperation.delete_points_by_filter(filter_of(selector.filter)))

    def set_payload(self, name: str, payload: dict[str, Any], points: models.Filter) -> None:
        self._update(name, core.UpdateOperation.set_payload_by_filter(filter_of(points), payload))

    def query_points(
        self,
        name: str,
        *,
        query: list[float],
        using: str | None,
        query_filter: models.Filter | None,
        limit: int,
        with_payload: bool | list[str],
    ) -> models.QueryResponse:
        asked = core.QueryRequest(
            limit=limit,
            query=core.Query.Nearest(query, using),
            filter=filter_of(query_filter),
            with_payload=with_payload,
            params=core.SearchParams(exact=True),
        )
        found = self._shard(name).query(asked)
        return models.QueryResponse(
            points=[models.ScoredPoint(id=p.id, version=p.version, score=p.score, payload=p.payload) for p in found]
        )

    def scroll(
        self, name: str, scroll_filter: models.Filter | None, limit: int, offset: Any = None
    ) -> tuple[list[models.Record], Any]:
        asked = core.ScrollRequest(offset=offset, limit=limit, filter=filter_of(scroll_filter), with_payload=True)
        found, following = self._shard(name).scroll(asked)
        records = [models.Record(id=point.id, payload=point.payload) for point in found]
        return records, following if isinstance(following, int | None) else str(following)

    def facet(self, name: str, key: str, facet_filter: models.Filter | None, limit: int, exact: bool) -> models.FacetResponse:
        asked = core.FacetRequest(key, limit=limit, exact=exact, filter=filter_of(facet_filter))
        hits = self._shard(name).facet(asked).hits
        return models.FacetResponse(hits=[models.FacetValueHit(value=hit.value, count=hit.count) for hit in hits])

    def close(self) -> None:
        for shard in self._shards.values():
            shard.close()

    def _shard(self, name: str) -> core.EdgeShard:
        if name not in self._shards:
            raise ValueError(f"Collection {name} not found")
        return self._shards[name]

    def _update(self, name: str, operation: core.UpdateOperation) -> None:
        self._shard(name).update(operation)


def filter_of(given: models.Filter | None) -> core.Filter | None:
    """Return the filter as the core knows it. Raises ValueError for what nobody has needed yet."""
    if given is None:
        return None
    if given.min_should:
        raise ValueError("min_should is not handed on")
    parts = {name: getattr(given, name) for name in ("must", "should", "must_not")}
    return core.Filter(**{name: [condition_of(part) for part in _several(some)] for name, some in parts.items() if some})


def condition_of(given: Any) -> Any:
    """Return one condition of a filter."""
    match given:
        case models.Filter():
            return filter_of(given)
        case models.HasIdCondition(has_id=ids):
            return core.HasIdCondition(set(ids))
        case models.FieldCondition(key=key, match=models.MatchAny(any=values)):
            return core.FieldCondition(key, match=core.MatchAny(list(values)))
        case models.FieldCondition(key=key, match=models.MatchValue(value=value)):
            return core.FieldCondition(key, match=core.MatchValue(value))
    raise ValueError(f"{given!r} is not handed on")


def _several(some: Any) -> Sequence[Any]:
    return some if isinstance(some, list) else [some]
