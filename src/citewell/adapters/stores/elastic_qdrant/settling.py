"""Bringing both engines to what the files say: the last part of every change, and the repair after a crash."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from qdrant_client import models

from citewell.adapters.stores.elastic_qdrant.conditions import matches
from citewell.adapters.stores.elastic_qdrant.layout import POINT_KEYWORDS, Names
from citewell.adapters.stores.elastic_qdrant.passages import PassageQueue
from citewell.adapters.stores.elastic_qdrant.rows import Row, points
from citewell.adapters.stores.elastic_qdrant.text_engine import PAGE, TextEngine
from citewell.adapters.stores.elastic_qdrant.vector_engine import VectorEngine

if TYPE_CHECKING:
    from citewell.core.ports import Vectors


class Settling:
    """Takes away what is of an earlier version, gives points to what is live, and notes that all is done."""

    def __init__(self, text: TextEngine, vectors: VectorEngine, names: Names, queue: PassageQueue) -> None:
        self._text = text
        self._vectors = vectors
        self._names = names
        self._queue = queue
        self._collections: dict[str, str] | None = None

    async def settle(self, files: Sequence[Row], released: Iterable[str]) -> None:
        """Take away chunks and points of ``files`` that are of no live version, and forget passages nobody needs."""
        keys = [row["key"] for row in files]
        live = [row["generation"] for row in files if row.get("held")]
        stale = {"bool": {"filter": [{"terms": {"file": keys}}], "must_not": [{"terms": {"generation": live}}]}}
        await self._text.delete(self._names.chunks, stale)
        old = models.Filter(must=[matches("file", keys)], must_not=[matches("generation", live)] if live else None)
        for collection in (await self.collections()).values():
            await self._vectors.delete(collection, old)
        await self._place_all(await self._passages_of(keys))
        await self._queue.release(released)
        await self._text.write(self._names.files, [_settled(row) for row in files])

    async def open_to(self, row: Row) -> None:
        """Give the chunks and points of a file the ACL of its row, Qdrant first: it answers alone while the other is away."""
        condition = models.Filter(must=[matches("file", [row["key"]])])
        for collection in (await self.collections()).values():
            await self._vectors.set_payload(collection, {"acl": row["acl"]}, condition)
        scan = self._text.scan(self._names.chunks, {"term": {"file": row["key"]}}, source=["key"], by="key")
        found = [hit["_source"]["key"] async for hit in scan]
        await self._text.write(self._names.chunks, [("update", key, {"doc": {"acl": row["acl"]}}) for key in found])

    async def place(self, model: str, vectors: Mapping[str, Vectors]) -> None:
        """Give every chunk that refers to one of these passages its points in the collection of the model's key."""
        names = sorted(vectors)
        for start in range(0, len(names), PAGE):
            query = {"bool": {"filter": [{"terms": {"passages": names[start : start + PAGE]}}]}}
            rows = [hit["_source"] async for hit in self._text.scan(self._names.chunks, query, by="key")]
            made = [point for row in rows for point in points(row, vectors)]
            await self._vectors.upsert((await self.collections())[model], made)
            await self._mark_embedded(model, rows)

    async def prepare(self, model: str, dimension: int) -> None:
        """Create the collection of the model's key unless it is there."""
        if model not in await self.collections():
            name = self._names.prefix + model
            await self._vectors.create(name, dimension, POINT_KEYWORDS)
            self._collections = (self._collections or {}) | {model: name}

    async def collections(self) -> dict[str, str]:
        """Return our collections by the key of their model."""
        if self._collections is None:
            answer = await self._vectors.ask(lambda client: client.get_collections())
            named = ((self._names.model(described.name), described.name) for described in answer.collections)
            self._collections = {model: name for model, name in named if model}
        return self._collections

    async def repair(self) -> None:
        """Finish what a crash broke off, and fill collections that have lost their points."""
        self._collections = None
        query = {"bool": {"filter": [{"term": {"settled": False}}]}}
        fields = ["key", "generation", "acl", "held", "entry"]
        files = [hit["_source"] async for hit in self._text.scan(self._names.files, query, source=fields, by="key")]
        for row in files:
            if row.get("held"):
                await self.open_to(row)
        if files:
            await self.settle(files, await self._queue.wanted())
        unplaced = await self._queue.unplaced()
        for model in await self._queue.models():
            if model not in await self.collections():
                unplaced += await self._queue.with_vectors(model)
        await self._place_all(unplaced)
        await self._queue.placed(unplaced)

    async def _place_all(self, hashes: Sequence[str]) -> None:
        for start in range(0, len(hashes), PAGE):
            for model, vectors in (await self._queue.vectors(hashes[start : start + PAGE])).items():
                await self.prepare(model, next(iter(vectors.values())).size)
                await self.place(model, vectors)

    async def _passages_of(self, files: list[str]) -> list[str]:
        query = {"bool": {"filter": [{"terms": {"file": files}}]}}
        scan = self._text.scan(self._names.chunks, query, source=["key", "passages"], by="key")
        return sorted({name async for hit in scan for name in hit["_source"]["passages"]})

    async def _mark_embedded(self, model: str, rows: Sequence[Row]) -> None:
        known = await self._queue.known_models(name for row in rows for name in row["passages"])
        whole = [row for row in rows if all(model in known.get(name, ()) for name in row["passages"])]
        await self._text.write(
            self._names.chunks,
            [
                ("update", row["key"], {"doc": {"embedded": sorted({*row["embedded"], model})}})
                for row in whole
                if model not in row["embedded"]
            ],
        )


def _settled(row: Row) -> tuple[str, str, Row | None]:
    if row.get("held") or "entry" in row:
        return "update", row["key"], {"doc": {"settled": True}}
    return "delete", row["key"], None
