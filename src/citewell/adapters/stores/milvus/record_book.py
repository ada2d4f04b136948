"""The collection of records: files with their ledger entries, the pieces of their texts, states, and who writes."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

from citewell.adapters.stores.keywords import identity
from citewell.adapters.stores.milvus.conditions import any_of, one_of, token_keys
from citewell.adapters.stores.milvus.engine import WRITE_SECONDS, Engine, Row
from citewell.adapters.stores.milvus.layout import Names, create_records
from citewell.adapters.stores.milvus.rows import acl_of, joined_text, record
from citewell.adapters.stores.records import dump_state, load_entry, load_state
from citewell.core.access import Tokens
from citewell.core.ports import Recorded, SourceCount, SourceState

FILE: Final = 'kind == "file"'
HELD: Final = 'kind == "file" and held == true'
WHOLE: Final = ("*",)


class RecordBook:
    """Reads and writes records by what they are of."""

    def __init__(self, engine: Engine, names: Names) -> None:
        self._engine = engine
        self._name = names.records

    async def prepare(self) -> None:
        """Create the collection unless it is there."""
        if not await self._engine.exists(self._name):
            await self._engine.ask(partial(create_records, name=self._name), seconds=WRITE_SECONDS)
        await self._engine.load(self._name)

    async def get(self, ids: Sequence[str], fields: Sequence[str] = WHOLE) -> dict[str, Row]:
        """Return the records among ``ids``."""
        return await self._engine.get(self._name, ids, fields)

    async def put(self, rows: Sequence[Row]) -> None:
        """Write records whole."""
        await self._engine.upsert(self._name, rows)

    async def delete(self, condition: str) -> None:
        """Take records away."""
        await self._engine.delete(self._name, condition)

    async def scan(self, condition: str, fields: Sequence[str]) -> list[Row]:
        """Return all records that meet ``condition``."""
        return await self._engine.scan(self._name, condition, fields)

    async def count(self, condition: str) -> int:
        """Count records."""
        return await self._engine.count(self._name, condition)

    async def text(self, file: Row) -> str:
        """Return the text of the document that the record ``file`` is of."""
        condition = f'kind == "text" and {one_of("file", [file["id"]])} and {one_of("generation", [file["generation"]])}'
        return joined_text(await self.scan(condition, ["order", "text"]))

    async def ledger(self, source: str) -> dict[str, Recorded]:
        """Return the ledger of ``source`` by path."""
        rows = await self.scan(_of_source(source), ["entry", "held", "pinned", "text"])
        found: dict[str, Recorded] = {}
        for row in rows:
            if row["entry"]:
                entry = load_entry(row["entry"])
                acl = acl_of(row) if row["held"] else None
                found[entry.path] = Recorded(entry, acl, bool(row["pinned"]) and acl is not None)
        return found

    async def paths(self, source: str) -> list[str]:
        """Return every path of ``source`` that anything is kept of."""
        return sorted(json.loads(row["name"])[1] for row in await self.scan(_of_source(source), ["name"]))

    async def states(self) -> tuple[SourceState, ...]:
        """Return the states of all sources by name."""
        rows = await self.scan('kind == "state"', ["info"])
        return tuple(sorted((load_state(row["info"]) for row in rows), key=lambda state: state.name))

    async def set_state(self, state: SourceState) -> None:
        """Keep ``state`` under its name."""
        await self.put([record(identity("state", state.name), "state", info=dump_state(state))])

    async def introduce(self, sources: Iterable[tuple[str, str]]) -> None:
        """Make a state for each of ``sources``, with the collection of each, that has none or whose collection is unknown."""
        known = {state.name: state for state in await self.states()}
        for name, collection in dict(sources).items():
            if name not in known or (collection and not known[name].collection):
                await self.set_state(SourceState(name=name, collection=collection, complete=False))

    async def forget_state(self, source: str) -> None:
        """Forget the state of ``source``."""
        await self.delete(one_of("id", [identity("state", source)]))

    async def sources(self, visible: Tokens) -> tuple[SourceCount, ...]:
        """Return the sources that hold a visible document, with counts of what is visible."""
        condition = f"{HELD} and {any_of('acl', token_keys(visible))}"
        rows = await self.scan(condition, ["name", "count", "entry"])
        states = {state.name: state for state in await self.states()}
        found: dict[str, list[Row]] = {}
        for row in rows:
            found.setdefault(json.loads(row["name"])[0], []).append(row)
        return tuple(_counted(states, name, found[name]) for name in sorted(found))

    async def collections(self) -> list[str]:
        """Return the collections that chunks were ever written to."""
        return sorted(row["name"] for row in await self.scan('kind == "collection"', ["name"]))

    async def add_collection(self, name: str) -> None:
        """Note that chunks are written to the collection ``name``."""
        await self.put([record(identity("collection", name), "collection", name=name, order=time.time_ns())])


def place_of(row: Row) -> tuple[str, str]:
    """Return the source and the path that a file's record is of: the order of lists."""
    source, path, *_ = json.loads(row["name"])
    return source, path


def _of_source(source: str) -> str:
    return f"{FILE} and {one_of('source', [identity('source', source)])}"


def _counted(states: dict[str, SourceState], name: str, rows: list[Row]) -> SourceCount:
    collection = min(json.loads(row["name"])[2] for row in rows)
    state = states.get(name) or SourceState(name=name, collection=collection, complete=False)
    failed = sum(load_entry(row["entry"]).outcome == "failed" for row in rows)
    return SourceCount(state, documents=len(rows), chunks=sum(row["count"] for row in rows), outdated=failed)
