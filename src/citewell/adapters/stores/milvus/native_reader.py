"""Reading what we wrote ourselves: chunks are found in their collections, the record of a file says which are live."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from citewell.adapters.stores.milvus.conditions import any_of, narrowed, one_of, token_keys
from citewell.adapters.stores.milvus.engine import MOST_HITS, Engine, Row
from citewell.adapters.stores.milvus.record_book import HELD, RecordBook, place_of
from citewell.adapters.stores.milvus.rows import (
    GIVEN_BACK,
    acl_of,
    chunk_key,
    document_key,
    model_key,
    stored_chunk,
    stored_id,
)
from citewell.adapters.stores.milvus.shelves import Shelves
from citewell.adapters.stores.milvus.word_search import WordSearch
from citewell.adapters.stores.records import load_info
from citewell.adapters.stores.together import together
from citewell.adapters.stores.vetting import vet_vector
from citewell.core.access import Tokens
from citewell.core.errors import DocumentNotFound
from citewell.core.globs import path_matcher
from citewell.core.model import ChunkId, Document, StoredChunk
from citewell.core.ports import Candidates, DenseQuery, DocumentPage, LexicalQuery, Ranked, SourceCount
from citewell.core.requests import NO_FILTERS, Filters

if TYPE_CHECKING:
    from citewell.core.ports import Vectors

HIT_FIELDS: Final = ("chunk", "chunk_key", "file", "generation")


@dataclass(frozen=True, slots=True)
class Live:
    """The records of some files, and the hashes of the tokens that somebody holds: a row of theirs is in it or it is not."""

    files: Mapping[str, Row]
    held: frozenset[str]

    def __contains__(self, row: Row) -> bool:
        """Say whether ``row`` is of the version that counts and open to one of the tokens."""
        file = self.files.get(row["file"])
        if file is None or not file["held"] or file["generation"] != row["generation"]:
            return False
        return not self.held.isdisjoint(file["acl"])


class NativeReader:
    """Answers questions about our own collections; nothing is there before the first change."""

    def __init__(self, engine: Engine, records: RecordBook, shelves: Shelves) -> None:
        self._engine = engine
        self._records = records
        self._shelves = shelves
        self._words = WordSearch(engine)

    async def lexical(self, query: LexicalQuery, visible: Tokens, filters: Filters, limit: int) -> Candidates:
        """Rank by Milvus' BM25 over our terms; its statistics are those of each collection."""
        shelves = await self._shelves.of(filters.collections)
        everywhere = await self._shelves.names()
        if not visible or not query.terms or not everywhere:
            return Candidates(coverage=0.0, ceiling=0.0)
        condition = narrowed(visible, filters, await self._matching_files(visible, filters))
        reach = partial(self._words.reach, query, everywhere, narrowed(visible, NO_FILTERS))
        ranking = partial(self._ranked_words, query, shelves, condition, visible, limit)
        asked: list[Callable[[], Awaitable[Any]]] = [ranking, reach]
        hits, (coverage, ceiling) = await together(asked)
        return Candidates(hits=tuple(hits[:limit]), coverage=coverage, ceiling=ceiling)

    async def dense(self, query: DenseQuery, visible: Tokens, filters: Filters, limit: int) -> Candidates:
        """Rank by vectors. What is of another model waits."""
        shelves = await self._shelves.of(filters.collections)
        if not visible or not shelves:
            return Candidates()
        model = model_key(query.model)
        condition = narrowed(visible, filters, await self._matching_files(visible, filters))
        mine = f'{condition} and model == "{model}"'
        dimension = await self._shelves.dimension()
        if query.vector.shape != (dimension,):
            if await self._any(shelves, mine):
                vet_vector(query.vector, dimension)
            return Candidates(pending=await self._waiting(shelves, model, condition))
        vector = vet_vector(query.vector, dimension)
        waiting = partial(self._waiting, shelves, model, condition)
        ranking = partial(self._ranked_windows, vector, shelves, mine, visible, limit)
        asked: list[Callable[[], Awaitable[Any]]] = [ranking, waiting]
        hits, pending = await together(asked)
        return Candidates(hits=tuple(hits[:limit]), pending=pending)

    async def chunks(self, ids: Sequence[ChunkId], visible: Tokens) -> dict[ChunkId, StoredChunk]:
        """Return the visible chunks among ``ids``; of two with one id that of the first source and path."""
        if not visible or not ids:
            return {}
        condition = f"window == 0 and {one_of('chunk_key', map(chunk_key, ids))} and {narrowed(visible, NO_FILTERS)}"
        rows = await self._rows(await self._shelves.names(), condition, GIVEN_BACK, 2 * len(ids) + 100)
        live = await self._live(rows, visible)
        stored = [stored_chunk(row) for row in rows if row in live]
        stored.sort(key=lambda chunk: (chunk.info.source, chunk.info.path), reverse=True)
        return {chunk.chunk.id: chunk for chunk in stored}

    async def document(self, document_id: str, visible: Tokens) -> Document:
        """Return the first visible document of that id. Raises DocumentNotFound."""
        file = await self._file(document_id, visible)
        return Document(info=load_info(file["info"]), text=await self._records.text(file), acl=acl_of(file))

    async def outline(self, document_id: str, visible: Tokens) -> tuple[StoredChunk, ...]:
        """Return its chunks in order. Raises DocumentNotFound."""
        file = await self._file(document_id, visible)
        condition = f"window == 0 and {one_of('file', [file['id']])} and {one_of('generation', [file['generation']])}"
        shelves = await self._shelves.names()
        scans = [partial(self._engine.scan, name, condition, GIVEN_BACK) for name in shelves]
        rows = [row for found in await together(scans) for row in found]
        return tuple(stored_chunk(row) for row in sorted(rows, key=lambda row: row["chunk_index"]))

    async def documents(self, visible: Tokens, filters: Filters, offset: int, limit: int) -> DocumentPage:
        """Return visible documents by source and path, and how many there are."""
        if not visible:
            return DocumentPage((), 0)
        matched = path_matcher(filters.paths) if filters.paths else None
        rows = await self._records.scan(f"{HELD} and {narrowed(visible, filters)}", ["name"])
        chosen = sorted((place_of(row), row["id"]) for row in rows if matched is None or matched(place_of(row)[1]))
        names = [name for _, name in chosen[offset : offset + limit]]
        infos = await self._records.get(names, ["info"])
        return DocumentPage(tuple(load_info(infos[name]["info"]) for name in names if name in infos), len(chosen))

    async def sources(self, visible: Tokens) -> tuple[SourceCount, ...]:
        """Return the sources that hold a visible document."""
        return await self._records.sources(visible) if visible else ()

    async def _ranked_words(
        self, query: LexicalQuery, shelves: list[str], condition: str, visible: Tokens, limit: int
    ) -> list[Ranked]:
        size = limit + 10
        while True:
            found = await self._words.ranked(query, shelves, condition, HIT_FIELDS, size)
            hits = await self._admitted([hit for some in found for hit in some if hit[1] > 0], visible)
            if len(hits) >= limit or all(len(some) < size for some in found) or size >= MOST_HITS:
                return hits
            size = min(size * 4, MOST_HITS)

    async def _ranked_windows(
        self, vector: Vectors, shelves: list[str], condition: str, visible: Tokens, limit: int
    ) -> list[Ranked]:
        size = 3 * limit + 10
        data = [[float(number) for number in vector]]
        while True:
            asked = [partial(self._engine.search, name, data, "vector", size, condition, HIT_FIELDS) for name in shelves]
            found = [hits for (hits,) in await together(asked)]
            hits = await self._admitted([hit for some in found for hit in some], visible)
            if len(hits) >= limit or all(len(some) < size for some in found) or size >= MOST_HITS:
                return hits
            size = min(size * 4, MOST_HITS)

    async def _admitted(self, rows: list[tuple[Row, float]], visible: Tokens) -> list[Ranked]:
        """Return each live chunk once, with its best score."""
        live = await self._live([row for row, _ in rows], visible)
        best: dict[ChunkId, float] = {}
        for row, score in rows:
            if row in live:
                name = stored_id(row)
                best[name] = max(score, best.get(name, score))
        return sorted((Ranked(name, score) for name, score in best.items()), key=lambda hit: (-hit.score, hit.chunk))

    async def _live(self, rows: Sequence[Row], visible: Tokens) -> Live:
        files = sorted({row["file"] for row in rows})
        held = await self._records.get(files, ["generation", "acl", "held"]) if files else {}
        return Live(held, frozenset(token_keys(visible)))

    async def _matching_files(self, visible: Tokens, filters: Filters) -> list[str] | None:
        """Return the files that the globs of ``filters`` match: no engine's patterns are ours to the letter."""
        if not filters.paths:
            return None
        matched = path_matcher(filters.paths)
        rows = await self._records.scan(f"{HELD} and {any_of('acl', token_keys(visible))}", ["name"])
        return [row["id"] for row in rows if matched(place_of(row)[1])]

    async def _file(self, document_id: str, visible: Tokens) -> Row:
        if not visible:
            raise DocumentNotFound
        condition = f"{HELD} and {one_of('doc', [document_key(document_id)])} and {any_of('acl', token_keys(visible))}"
        rows = await self._records.scan(condition, ["name", "info", "text", "generation"])
        if not rows:
            raise DocumentNotFound
        return min(rows, key=place_of)

    async def _waiting(self, shelves: list[str], model: str, condition: str) -> bool:
        return await self._any(shelves, f'{condition} and passage != "" and model != "{model}"')

    async def _any(self, shelves: list[str], condition: str) -> bool:
        return bool(await self._rows(shelves, condition, ("file",), 1))

    async def _rows(self, shelves: list[str], condition: str, fields: Sequence[str], limit: int) -> list[Row]:
        asked = [partial(self._engine.query, name, condition, fields, limit) for name in shelves]
        return [row for found in await together(asked) for row in found]
