"""The queue of texts to embed. Their vectors are kept beside them, so that Qdrant can be filled again from here."""

from __future__ import annotations

import json
import time
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from citewell.adapters.stores.elastic_qdrant.layout import Names, model_key
from citewell.adapters.stores.elastic_qdrant.text_engine import PAGE, TextEngine
from citewell.adapters.stores.keywords import readable
from citewell.core.errors import BadLimit
from citewell.core.model import PassageHash
from citewell.core.ports import Passage

if TYPE_CHECKING:
    from citewell.core.ports import Vectors

WANTED = {"term": {"wanted": True}}


class PassageQueue:
    """Implements the queue of the port over one index."""

    def __init__(self, engine: TextEngine, names: Names) -> None:
        self._engine = engine
        self._names = names

    async def pending(self, model: str, limit: int) -> list[Passage]:
        """Return passages without a vector of ``model``, oldest first."""
        if limit < 1:
            raise BadLimit("The limit must be at least 1.")
        query = {"bool": {"filter": [WANTED], "must_not": [{"term": {"models": model_key(model)}}]}}
        found: list[Passage] = []
        fields = ["hash", "text", "exact_text", "order"]
        async for hit in self._engine.scan(self._names.passages, query, source=fields, by="order"):
            row = hit["_source"]
            found.append(
                Passage(PassageHash(row["hash"]), json.loads(row["exact_text"]) if "exact_text" in row else row["text"])
            )
            if len(found) == limit:
                break
        return found

    async def progress(self, model: str) -> tuple[int, int]:
        """Return how many passages have a vector of ``model``, and how many there are."""
        embedded = {"bool": {"filter": [WANTED, {"term": {"models": model_key(model)}}]}}
        bodies = [{"size": 0, "track_total_hits": True, "query": query} for query in (embedded, WANTED)]
        done, total = await self._engine.searches([(self._names.passages, body) for body in bodies])
        return done["hits"]["total"]["value"], total["hits"]["total"]["value"]

    async def want(self, texts: Mapping[str, str]) -> None:
        """Queue ``texts`` by hash; those that are known keep their place and their vectors."""
        known = await self._engine.get(self._names.passages, list(texts), source="wanted")
        now = time.time_ns()
        operations: list[tuple[str, str, Any]] = []
        for place, (name, text) in enumerate(texts.items()):
            if name not in known:
                operations.append(("index", name, _new(name, text, f"{now:020d}{place:08d}")))
            elif not known[name].get("wanted"):
                operations.append(("update", name, {"doc": {"wanted": True}}))
        await self._engine.write(self._names.passages, operations)

    async def release(self, hashes: Iterable[str]) -> None:
        """Forget passages that no chunk refers to any more; those that have a vector stay, for a document that comes back."""
        names = sorted(set(hashes))
        for start in range(0, len(names), PAGE):
            part = names[start : start + PAGE]
            orphans = set(part) - await self._referred(part)
            held = await self._engine.get(self._names.passages, sorted(orphans), source="models")
            await self._engine.write(
                self._names.passages,
                [
                    ("update", name, {"doc": {"wanted": False}}) if row.get("models") else ("delete", name, None)
                    for name, row in sorted(held.items())
                ],
            )

    async def keep(self, model: str, vectors: Mapping[str, Vectors]) -> dict[str, Vectors]:
        """Keep vectors of passages that are known and have none of ``model`` yet, and return these."""
        known = await self._engine.get(self._names.passages, sorted(vectors), source="models")
        key = model_key(model)
        new = {name: vectors[name] for name, row in known.items() if key not in row.get("models", ())}
        await self._engine.write(
            self._names.passages,
            [
                ("update", name, {"doc": _with_vector(key, known[name].get("models", ()), vector)})
                for name, vector in sorted(new.items())
            ],
        )
        return new

    async def placed(self, hashes: Iterable[str]) -> None:
        """Note that the vectors of these passages are in Qdrant."""
        await self._engine.write(self._names.passages, [("update", name, {"doc": {"placed": True}}) for name in hashes])

    async def unplaced(self) -> list[str]:
        """Return the passages whose vectors may not be in Qdrant yet."""
        query = {"bool": {"filter": [{"term": {"placed": False}}]}}
        return [hit["_source"]["hash"] async for hit in self._scan(query)]

    async def models(self) -> list[str]:
        """Return the keys of all models that there are vectors of."""
        body = {"size": 0, "query": {"match_all": {}}, "aggs": {"models": {"terms": {"field": "models", "size": 1000}}}}
        found = await self._engine.search(self._names.passages, body)
        return [bucket["key"] for bucket in found["aggregations"].get("models", {}).get("buckets", ())]

    async def with_vectors(self, model: str) -> list[str]:
        """Return the passages that have a vector of the model with the key ``model``."""
        return [hit["_source"]["hash"] async for hit in self._scan({"bool": {"filter": [{"term": {"models": model}}]}})]

    async def wanted(self) -> list[str]:
        """Return all passages that some chunk is thought to refer to."""
        return [hit["_source"]["hash"] async for hit in self._scan({"bool": {"filter": [WANTED]}})]

    async def vectors(self, hashes: Sequence[str]) -> dict[str, dict[str, Vectors]]:
        """Return the vectors of these passages, by the key of their model and by hash."""
        found: dict[str, dict[str, Vectors]] = {}
        for name, row in (await self._engine.get(self._names.passages, list(hashes), source="vectors")).items():
            for key, vector in row.get("vectors", {}).items():
                found.setdefault(key, {})[name] = np.frombuffer(b64decode(vector), dtype="<f4")
        return found

    async def known_models(self, hashes: Iterable[str]) -> dict[str, frozenset[str]]:
        """Return which models these passages have vectors of."""
        rows = await self._engine.get(self._names.passages, sorted(set(hashes)), source="models")
        return {name: frozenset(row.get("models", ())) for name, row in rows.items()}

    def _scan(self, query: dict[str, Any]) -> Any:
        return self._engine.scan(self._names.passages, query, source=["hash"], by="order")

    async def _referred(self, hashes: list[str]) -> set[str]:
        query = {"bool": {"filter": [{"terms": {"passages": hashes}}]}}
        scan = self._engine.scan(self._names.chunks, query, source=["passages"], by="key")
        return {name async for hit in scan for name in hit["_source"]["passages"]}


def _new(name: str, text: str, order: str) -> dict[str, Any]:
    row = {"hash": name, "text": readable(text), "order": order, "wanted": True, "models": []}
    return row if row["text"] == text else row | {"exact_text": json.dumps(text)}


def _with_vector(key: str, models: Sequence[str], vector: Vectors) -> dict[str, Any]:
    content = b64encode(np.ascontiguousarray(vector, dtype="<f4").tobytes()).decode()
    return {"models": [*models, key], "vectors": {key: content}, "placed": False}
