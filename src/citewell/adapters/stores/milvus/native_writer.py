"""Writing. The record of a file is the moment of truth: until it changes, the old version is live, and from then on the new.

A file is marked as unsettled first. Then come its new rows, its record, and last what is left of the old version. Readers go
by records, so whatever a crash leaves behind is not shown; the next writer takes it away.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

import anyio

from citewell.adapters.stores.milvus.conditions import none_of, one_of
from citewell.adapters.stores.milvus.engine import Engine, Row
from citewell.adapters.stores.milvus.lease import Lease
from citewell.adapters.stores.milvus.passages import PassageQueue
from citewell.adapters.stores.milvus.plan import Plan, plan
from citewell.adapters.stores.milvus.record_book import FILE, WHOLE, RecordBook, place_of
from citewell.adapters.stores.milvus.rows import chunk_rows, model_key
from citewell.adapters.stores.milvus.shelves import Shelves
from citewell.adapters.stores.versions import Analyze, batches, file_key
from citewell.adapters.stores.versions import place_of as place_of_change
from citewell.adapters.stores.vetting import vet_vectors
from citewell.core.model import PassageHash
from citewell.core.ports import Change, Remove, SourceState

if TYPE_CHECKING:
    from citewell.core.ports import Vectors

PART: Final = 200


class NativeWriter:
    """Changes our own collections, one change at a time in this process, one process at a time in all."""

    def __init__(self, engine: Engine, records: RecordBook, shelves: Shelves, queue: PassageQueue, analyze: Analyze) -> None:
        self._engine = engine
        self._records = records
        self._shelves = shelves
        self._queue = queue
        self._analyze = analyze
        self._lease = Lease(records)
        self._blocks = 0
        self._one_at_a_time = anyio.Lock()
        self._prepared = False

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
            await self._records.set_state(state)

    async def drop_source(self, source: str) -> None:
        """Take everything of ``source`` away."""
        async with self._turn():
            for group in batches([Remove(source=source, path=path) for path in await self._records.paths(source)]):
                await self._apply(group)
            await self._records.forget_state(source)

    async def put_vectors(self, model: str, vectors: Mapping[PassageHash, Vectors]) -> None:
        """Keep the vectors of passages that are known and have none of ``model`` yet, and give them to the chunks."""
        vetted = {str(name): v for name, v in vet_vectors(vectors, await self._shelves.dimension()).items()}
        async with self._turn():
            names = sorted(vetted)
            for start in range(0, len(names), PART):
                part = {name: vetted[name] for name in names[start : start + PART]}
                new = await self._queue.unembedded(model, list(part))
                await self._place(model_key(model), {name: part[name] for name in new})
                await self._queue.keep(model, new, part)

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        async with self.writing(), self._one_at_a_time:
            if not self._prepared:
                await self._records.prepare()
                self._prepared = True
            if await self._lease.hold():
                await self._shelves.refresh()
                await self._repair()
            yield

    async def _apply(self, changes: Sequence[Change]) -> None:
        await self._lease.hold()
        held = await self._records.get([file_key(*place_of_change(change)) for change in changes], WHOLE)
        plans = [plan(change, held.get(file_key(*place_of_change(change)))) for change in changes]
        touched = [made for made in plans if made.touched]
        await self._records.put([made.before | {"settled": False} for made in touched])
        released = await self._passages([made.before["id"] for made in touched if made.rewritten and made.before["held"]])
        await self._write(plans)
        await self._records.put([(made.after or {}) | {"settled": not made.touched} for made in plans if made.after])
        await self._records.introduce(_introduced(plans))
        for made in touched:
            if made.opened and made.after is not None:
                await self._open(made.after)
        await self._settle([made.after for made in touched if made.after is not None], released)
        await self._forget([made.after for made in plans if made.after is not None])

    async def _write(self, plans: Sequence[Plan]) -> None:
        """Write the new rows and texts: nobody sees them before the record of their file says so."""
        known = await self._queue.want({name: text for made in plans for name, text in made.texts.items()})
        await self._records.put([piece for made in plans for piece in made.pieces])
        for collection in sorted({made.stored.document.info.collection for made in plans if made.stored is not None}):
            name, dimension = await self._shelves.prepare(collection)
            rows = [
                row
                for made in plans
                if made.stored is not None and made.version is not None
                if made.stored.document.info.collection == collection
                for row in chunk_rows(made.stored, made.version, self._analyze, known, dimension)
            ]
            await self._engine.upsert(name, rows)

    async def _open(self, file: Row) -> None:
        """Give the rows of a file the ACL of its record."""
        for name in await self._shelves.names():
            rows = await self._engine.scan(name, one_of("file", [file["id"]]), WHOLE)
            await self._engine.upsert(name, [_whole(row) | {"acl": file["acl"]} for row in rows])

    async def _settle(self, files: Sequence[Row], released: set[str]) -> None:
        """Take away rows and texts of ``files`` that are of no live version, and forget passages nobody needs."""
        if not files:
            return
        live = [row["generation"] for row in files if row["held"]]
        stale = f"{one_of('file', (row['id'] for row in files))} and {none_of('generation', live)}"
        for name in await self._shelves.names():
            await self._engine.delete(name, stale)
        await self._records.delete(f'kind == "text" and {stale}')
        if released:
            await self._queue.release(released, await self._referred(released))
        await self._records.put([row | {"settled": True} for row in files])

    async def _forget(self, files: Sequence[Row]) -> None:
        """Take away the records of files that are no documents and stand in no ledger."""
        gone = [row["id"] for row in files if not row["held"] and not row["entry"]]
        if gone:
            await self._records.delete(one_of("id", gone))

    async def _repair(self) -> None:
        """Finish what a crash broke off."""
        files = await self._records.scan(f"{FILE} and settled == false", WHOLE)
        if not files:
            return
        for file in files:
            if file["held"]:
                await self._open(file)
        await self._settle(files, await self._queue.wanted())
        await self._forget(files)

    async def _place(self, model: str, vectors: Mapping[str, Vectors]) -> None:
        """Give every row of one of these passages its vector."""
        if not vectors:
            return
        for name in await self._shelves.names():
            rows = await self._engine.scan(name, one_of("passage", vectors), WHOLE)
            embedded = ((row, [float(number) for number in vectors[row["passage"]]]) for row in rows)
            await self._engine.upsert(name, [_whole(row) | {"model": model, "vector": vector} for row, vector in embedded])

    async def _passages(self, files: list[str]) -> set[str]:
        return await self._named(one_of("file", files)) if files else set()

    async def _referred(self, hashes: set[str]) -> set[str]:
        return await self._named(one_of("passage", hashes))

    async def _named(self, condition: str) -> set[str]:
        found: set[str] = set()
        for name in await self._shelves.names():
            found |= {row["passage"] for row in await self._engine.scan(name, condition, ["passage"]) if row["passage"]}
        return found


def _whole(row: Row) -> Row:
    """Return ``row`` as it can be written again: what Milvus computes itself is left out."""
    return {name: value for name, value in row.items() if name != "sparse_vector"}


def _introduced(plans: Iterable[Plan]) -> list[tuple[str, str]]:
    """Return the sources of files that something is kept of, each with the collection of its documents."""
    found: dict[str, str] = {}
    for made in plans:
        if made.after is not None and (made.after["held"] or made.after["entry"]):
            collection = made.stored.document.info.collection if made.stored is not None else ""
            source = place_of(made.after)[0]
            found[source] = found.get(source) or collection
    return list(found.items())
