"""The queue of texts to embed. Their vectors are kept beside them, for a document that comes back."""

from __future__ import annotations

import json
import time
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from citewell.adapters.stores.keywords import identity
from citewell.adapters.stores.milvus.conditions import one_of
from citewell.adapters.stores.milvus.engine import Row
from citewell.adapters.stores.milvus.record_book import WHOLE, RecordBook
from citewell.adapters.stores.milvus.rows import Embedded, bounded, model_key, record
from citewell.core.errors import BadLimit
from citewell.core.model import PassageHash
from citewell.core.ports import Passage

if TYPE_CHECKING:
    from citewell.core.ports import Vectors

WANTED = 'kind == "passage" and wanted == true'


class PassageQueue:
    """Implements the queue of the port over records of the kind ``passage``. Each keeps the vector of one model: the last."""

    def __init__(self, records: RecordBook) -> None:
        self._records = records
        self._waiting: tuple[str, list[str]] = ("", [])

    async def pending(self, model: str, limit: int) -> list[Passage]:
        """Return passages without a vector of ``model``, oldest first."""
        if limit < 1:
            raise BadLimit("The limit must be at least 1.")
        key = model_key(model)
        known, names = self._waiting
        if known != key or not names:
            rows = await self._records.scan(f'{WANTED} and model != "{key}"', ["order"])
            names = [row["id"] for row in sorted(rows, key=lambda row: (row["order"], row["id"]))]
            self._waiting = (key, names)
        chosen = names[:limit]
        found = await self._records.get(chosen, ["doc", "text"])
        return [Passage(PassageHash(found[n]["doc"]), json.loads(found[n]["text"])) for n in chosen if n in found]

    def changed(self) -> None:
        """Forget what was waiting: there may be more, or less."""
        self._waiting = ("", [])

    async def progress(self, model: str) -> tuple[int, int]:
        """Return how many passages have a vector of ``model``, and how many there are."""
        done = await self._records.count(f'{WANTED} and model == "{model_key(model)}"')
        return done, await self._records.count(WANTED)

    async def want(self, texts: Mapping[str, str]) -> dict[str, Embedded]:
        """Queue ``texts`` by hash; those that are known keep their place. Returns the vectors that there are already."""
        known = await self._records.get([_id(name) for name in texts])
        now = time.time_ns()
        rows: list[Row] = []
        for place, (name, text) in enumerate(texts.items()):
            row = known.get(_id(name))
            if row is None:
                fresh = record(_id(name), "passage", doc=name, text=json.dumps(text), order=now + place, wanted=True)
                rows.append(bounded(fresh))
            elif not row["wanted"]:
                rows.append(row | {"wanted": True})
        await self._records.put(rows)
        self.changed()
        return {row["doc"]: _embedded(row) for row in known.values() if row["model"]}

    async def release(self, hashes: set[str], referred: set[str]) -> None:
        """Forget those of ``hashes`` that no chunk refers to; what has a vector stays, for a document that comes back."""
        orphans = await self._records.get([_id(name) for name in sorted(hashes - referred)])
        kept = [row | {"wanted": False} for row in orphans.values() if row["model"]]
        gone = [name for name, row in orphans.items() if not row["model"]]
        await self._records.put(kept)
        if gone:
            await self._records.delete(one_of("id", gone))
        self.changed()

    async def unembedded(self, model: str, hashes: Sequence[str]) -> dict[str, Row]:
        """Return the records of those of ``hashes`` that are known and have no vector of ``model``, by hash."""
        rows = await self._records.get([_id(name) for name in hashes], WHOLE)
        return {row["doc"]: row for row in rows.values() if row["model"] != model_key(model)}

    async def keep(self, model: str, rows: Mapping[str, Row], vectors: Mapping[str, Vectors]) -> None:
        """Keep the vectors of the passages whose records are ``rows``; none of ``vectors`` waits any more."""
        key = model_key(model)
        await self._records.put([row | {"model": key, "info": _encoded(vectors[name])} for name, row in rows.items()])
        known, names = self._waiting
        done = set(map(_id, vectors))
        self._waiting = (known, [name for name in names if name not in done]) if known == key else ("", [])

    async def wanted(self) -> set[str]:
        """Return all passages that some chunk is thought to refer to."""
        return {row["doc"] for row in await self._records.scan(WANTED, ["doc"])}


def _id(hash_: str) -> str:
    return identity("passage", hash_)


def _encoded(vector: Vectors) -> str:
    return b64encode(np.ascontiguousarray(vector, dtype="<f4").tobytes()).decode()


def _embedded(row: Row) -> Embedded:
    return Embedded(row["model"], np.frombuffer(b64decode(row["info"]), dtype="<f4"))
