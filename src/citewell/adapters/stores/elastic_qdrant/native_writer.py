"""Writing. The row of a file is the moment of truth: until it changes, the old version is live, and from then on the new.

A file is marked as unsettled first. Then come its new chunks, its row, and last what is left of the old version in either
engine. Readers look at the rows of unsettled files, so whatever a crash leaves behind is not shown; the next writer ends it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

import anyio

from citewell.adapters.stores.elastic_qdrant.batch import Plan, plan
from citewell.adapters.stores.elastic_qdrant.catalogue import Catalogue
from citewell.adapters.stores.elastic_qdrant.layout import Names, model_key
from citewell.adapters.stores.elastic_qdrant.lease import Lease
from citewell.adapters.stores.elastic_qdrant.passages import PassageQueue
from citewell.adapters.stores.elastic_qdrant.rows import Row
from citewell.adapters.stores.elastic_qdrant.settling import Settling
from citewell.adapters.stores.elastic_qdrant.text_engine import TextEngine
from citewell.adapters.stores.elastic_qdrant.vector_engine import VectorEngine
from citewell.adapters.stores.together import together
from citewell.adapters.stores.versions import Analyze, batches, file_key, place_of
from citewell.adapters.stores.vetting import vet_vectors
from citewell.core.model import PassageHash
from citewell.core.ports import Change, Remove, SourceState

if TYPE_CHECKING:
    from citewell.core.ports import Vectors

HELD_FIELDS = "key,acl,pinned,held,generation,entry"


class NativeWriter:
    """Changes our own indexes, one change at a time in this process, one process at a time in all."""

    def __init__(self, text: TextEngine, vectors: VectorEngine, names: Names, analyze: Analyze) -> None:
        self._text = text
        self._vectors = vectors
        self._names = names
        self._analyze = analyze
        self._lease = Lease(text, names.states)
        self._queue = PassageQueue(text, names)
        self._catalogue = Catalogue(text, names)
        self._settling = Settling(text, vectors, names, self._queue)
        self._blocks = 0
        self._one_at_a_time = anyio.Lock()
        self._created = False

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[None]:
        """Hold the lease from the first change in the block on, until the last open block ends."""
        self._blocks += 1
        try:
            yield
        finally:
            self._blocks -= 1
            if not self._blocks:
                with anyio.CancelScope(shield=True):
                    await self._lease.release()

    async def apply(self, changes: Sequence[Change]) -> None:
        """Apply ``changes`` in order."""
        if not changes:
            return
        async with self._turn():
            for group in batches(changes):
                await self._apply(group)

    async def set_state(self, state: SourceState) -> None:
        """Keep ``state``."""
        async with self._turn():
            await self._catalogue.set_state(state)

    async def drop_source(self, source: str) -> None:
        """Take everything of ``source`` away."""
        async with self._turn():
            paths = await self._catalogue.paths(source)
            for group in batches([Remove(source=source, path=path) for path in paths]):
                await self._apply(group)
            await self._catalogue.forget_state(source)

    async def put_vectors(self, model: str, vectors: Mapping[PassageHash, Vectors]) -> None:
        """Keep the vectors of passages that are known and have none yet, and give the chunks their points."""
        name = self._names.vectors(model)
        known = await self._vectors.exists(name)
        vetted = vet_vectors(vectors, await self._vectors.dimension(name) if known else None)
        async with self._turn():
            new = await self._queue.keep(model, {str(hash_): vector for hash_, vector in vetted.items()})
            if new:
                await self._settling.prepare(model_key(model), next(iter(new.values())).size)
                await self._settling.place(model_key(model), new)
                await self._queue.placed(sorted(new))

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        async with self.writing(), self._one_at_a_time:
            await self._begin()
            yield

    async def _begin(self) -> None:
        if not self._created:
            await together([partial(self._text.create, name, definition) for name, definition in self._names.indexes()])
            self._created = True
        if await self._lease.hold():
            await self._settling.repair()

    async def _apply(self, changes: Sequence[Change]) -> None:
        await self._lease.hold()
        held = await self._rows(changes)
        plans = [plan(change, held.get(_key(change), {}), self._analyze) for change in changes]
        touched = [made for made in plans if made.touched]
        await self._text.write(self._names.files, [_opened(made) for made in touched])
        before = await self._passages([made.key for made in touched if made.rewritten and made.key in held])
        await self._queue.want({name: text for made in plans for name, text in made.texts.items()})
        chunks = [(name, row) for made in plans for name, row in made.chunks.items()]
        await self._text.write(self._names.chunks, [("index", name, row) for name, row in chunks])
        for made in touched:
            if not made.rewritten:
                await self._settling.open_to(made.update | {"key": made.key})
        await self._text.write(self._names.files, [change for made in plans for change in _committed(made)])
        if touched:
            now = await self._text.get(self._names.files, [made.key for made in touched], source=HELD_FIELDS)
            await self._settling.settle(list(now.values()), before)

    async def _rows(self, changes: Sequence[Change]) -> dict[str, Row]:
        return await self._text.get(self._names.files, [_key(change) for change in changes], source=HELD_FIELDS)

    async def _passages(self, files: list[str]) -> set[str]:
        if not files:
            return set()
        query = {"bool": {"filter": [{"terms": {"file": files}}]}}
        scan = self._text.scan(self._names.chunks, query, source=["passages"], by="key")
        return {name async for hit in scan for name in hit["_source"]["passages"]}


def _key(change: Change) -> str:
    return file_key(*place_of(change))


def _opened(made: Plan) -> tuple[str, str, Row]:
    return "update", made.key, {"doc": made.place | {"settled": False}, "doc_as_upsert": True}


def _committed(made: Plan) -> list[tuple[str, str, Row]]:
    if made.row is not None and made.rewritten:
        return [("index", made.key, made.row | {"settled": False})]
    if made.row is not None and "entry" in made.row:
        return [("index", made.key, made.row)]
    return [("update", made.key, {"doc": made.update, "doc_as_upsert": True})] if made.update else []
