"""What is known of sources and files: ledgers, states and counts."""

from __future__ import annotations

from typing import Any, Final

from citewell.adapters.stores.elastic_qdrant.conditions import text_conditions
from citewell.adapters.stores.elastic_qdrant.layout import Names
from citewell.adapters.stores.elastic_qdrant.text_engine import TextEngine
from citewell.adapters.stores.keywords import identity, keyword, plain
from citewell.adapters.stores.records import dump_state, load_entry, load_state
from citewell.core.access import Tokens
from citewell.core.ports import Recorded, SourceCount, SourceState
from citewell.core.requests import NO_FILTERS

MOST_SOURCES: Final = 10_000
HELD: Final = {"term": {"held": True}}
FIRST_COLLECTION: Final = {"terms": {"field": "collection", "size": 1, "order": {"_key": "asc"}}}
LEDGER_FIELDS: Final = ["key", "path", "entry", "acl", "held", "pinned"]


class Catalogue:
    """Reads and writes what is kept of sources beside their documents."""

    def __init__(self, engine: TextEngine, names: Names) -> None:
        self._engine = engine
        self._names = names

    async def ledger(self, source: str) -> dict[str, Recorded]:
        """Return the ledger of ``source`` by path."""
        query = {"bool": {"filter": [{"term": {"source": keyword(source)}}]}}
        found: dict[str, Recorded] = {}
        async for hit in self._engine.scan(self._names.files, query, source=LEDGER_FIELDS, by="key"):
            row = hit["_source"]
            if "entry" in row:
                acl = frozenset(plain(token) for token in row["acl"]) if row.get("held") else None
                entry = load_entry(row["entry"])
                found[entry.path] = Recorded(entry, acl, bool(row.get("pinned")) and acl is not None)
        return found

    async def paths(self, source: str) -> list[str]:
        """Return every path of ``source`` that anything is kept of."""
        query = {"bool": {"filter": [{"term": {"source": keyword(source)}}]}}
        scan = self._engine.scan(self._names.files, query, source=["path"], by="key")
        return [plain(hit["_source"]["path"]) async for hit in scan]

    async def set_state(self, state: SourceState) -> None:
        """Keep ``state`` under its name."""
        row = {"name": keyword(state.name), "record": dump_state(state)}
        await self._engine.write(self._names.states, [("index", identity("state", state.name), row)])

    async def forget_state(self, source: str) -> None:
        """Forget the state of ``source``."""
        await self._engine.write(self._names.states, [("delete", identity("state", source), None)])

    async def states(self) -> tuple[SourceState, ...]:
        """Return the state of every source with a document, a ledger entry or a state of its own."""
        held = {"filter": HELD, "aggs": {"first": FIRST_COLLECTION}}
        kept, counted = await self._engine.searches([self._all_states(), (self._names.files, _by_source({"held": held}))])
        states = _states(kept)
        for bucket in _buckets(counted):
            name = plain(bucket["key"])
            states.setdefault(name, _unknown(name, bucket["held"]["first"]["buckets"]))
        return tuple(states[name] for name in sorted(states))

    async def sources(self, visible: Tokens) -> tuple[SourceCount, ...]:
        """Return the sources that hold a visible document, with counts of what is visible."""
        counts: dict[str, Any] = {
            "chunks": {"sum": {"field": "chunk_count"}},
            "failed": {"filter": {"term": {"outcome": "failed"}}},
            "first": FIRST_COLLECTION,
        }
        query = {"bool": {"filter": [HELD, *text_conditions(visible, NO_FILTERS, None)]}}
        body = _by_source(counts) | {"query": query}
        kept, counted = await self._engine.searches([self._all_states(), (self._names.files, body)])
        states = _states(kept)
        found = [_count(states, bucket) for bucket in _buckets(counted)]
        return tuple(sorted(found, key=lambda count: count.state.name))

    def _all_states(self) -> tuple[str, dict[str, Any]]:
        return self._names.states, {"size": MOST_SOURCES, "query": {"bool": {"filter": [{"exists": {"field": "name"}}]}}}


def _by_source(counts: dict[str, Any]) -> dict[str, Any]:
    grouped = {"terms": {"field": "source", "size": MOST_SOURCES, "order": {"_key": "asc"}}, "aggs": counts}
    return {"size": 0, "query": {"match_all": {}}, "aggs": {"sources": grouped}}


def _buckets(answer: dict[str, Any]) -> list[dict[str, Any]]:
    return list(answer["aggregations"].get("sources", {}).get("buckets", ()))


def _states(answer: dict[str, Any]) -> dict[str, SourceState]:
    states = (load_state(hit["_source"]["record"]) for hit in answer["hits"]["hits"])
    return {state.name: state for state in states}


def _unknown(name: str, collections: list[dict[str, Any]]) -> SourceState:
    return SourceState(name=name, collection=plain(collections[0]["key"]) if collections else "", complete=False)


def _count(states: dict[str, SourceState], bucket: dict[str, Any]) -> SourceCount:
    name = plain(bucket["key"])
    state = states.get(name) or _unknown(name, bucket["first"]["buckets"])
    failed = bucket["failed"]["doc_count"]
    return SourceCount(state, documents=bucket["doc_count"], chunks=int(bucket["chunks"]["value"]), outdated=failed)
