"""Serving a collection that somebody else filled, to those the configuration names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final
from urllib.parse import quote

from citewell.adapters.stores.milvus.engine import MOST_HITS, Engine, Row
from citewell.adapters.stores.milvus.foreign_collection import (
    BM25_FIELD,
    VECTOR_FIELD,
    ForeignCollection,
    Passage,
    literal,
    pushed_down,
    read_passage,
)
from citewell.adapters.stores.vetting import vet_vector
from citewell.core.access import Tokens, may_read
from citewell.core.errors import DocumentNotFound
from citewell.core.fields import parts_of
from citewell.core.globs import path_matcher
from citewell.core.model import READER, Chunk, ChunkId, Document, DocumentInfo, Lines, StoredChunk
from citewell.core.ports import Candidates, DenseQuery, DocumentPage, LexicalQuery, Ranked, SourceCount, SourceState
from citewell.core.ports import ForeignCollection as Configured
from citewell.core.requests import NO_FILTERS, Filters

PREFIX: Final = "foreign:"
EVERYTHING: Final = "chunk_index >= 0"

Admits = Callable[[Passage], bool]


class ForeignReader:
    """Reads one foreign collection. Everything in it is open to the ACL that the configuration gives it."""

    def __init__(self, engine: Engine, configured: Configured) -> None:
        self._engine = engine
        self._configured = configured
        self._collection = ForeignCollection(engine, configured.remote)

    @property
    def name(self) -> str:
        """The name of the collection."""
        return self._configured.name

    async def lexical(self, query: LexicalQuery, visible: Tokens, filters: Filters, limit: int) -> Candidates:
        """Rank by the collection's own BM25 over ``content_text``, which its own analyzer cuts."""
        admits = self._admitting(visible, filters)
        if admits is None or not query.text.strip():
            return Candidates()
        if not await self._collection.has_words():
            return Candidates(absent=f"the collection {self.name} has no BM25 field")
        return Candidates(hits=await self._ranked(query.text, BM25_FIELD, filters, admits, limit))

    async def dense(self, query: DenseQuery, visible: Tokens, filters: Filters, limit: int) -> Candidates:
        """Rank by vectors; whose they are, the configuration must know."""
        admits = self._admitting(visible, filters)
        if admits is None:
            return Candidates()
        vector = vet_vector(query.vector, None)
        await self._collection.check_dimension(vector.size)
        data = [float(number) for number in vector]
        return Candidates(hits=await self._ranked(data, VECTOR_FIELD, filters, admits, limit))

    async def chunks(self, ids: Sequence[ChunkId], visible: Tokens) -> dict[ChunkId, StoredChunk]:
        """Return those of ``ids`` that are in the collection."""
        mine = f"{PREFIX}{self.name}:"
        wanted = {name for name in ids if name.startswith(mine)}
        if not wanted or not may_read(self._configured.acl, visible):
            return {}
        documents = {name.removeprefix(mine).rpartition(":")[0] for name in wanted}
        found: dict[ChunkId, StoredChunk] = {}
        for passage in await self._of(documents):
            if (name := self._id(passage)) in wanted:
                found.setdefault(name, self._stored(passage, 0, 1))
        return found

    async def document(self, document_id: str, visible: Tokens) -> Document:
        """Return the document, put together of its chunks. Raises DocumentNotFound."""
        outline = await self.outline(document_id, visible)
        text = "\n".join(stored.chunk.text for stored in outline)
        return Document(info=outline[0].info, text=text, acl=self._configured.acl)

    async def outline(self, document_id: str, visible: Tokens) -> tuple[StoredChunk, ...]:
        """Return its chunks by position. Raises DocumentNotFound."""
        if self._admitting(visible, NO_FILTERS) is None:
            raise DocumentNotFound
        passages = sorted(await self._of({document_id}), key=lambda passage: passage.chunk_index)
        if not passages:
            raise DocumentNotFound
        laid: list[StoredChunk] = []
        start, line = 0, 1
        for passage in passages:
            laid.append(self._stored(passage, start, line))
            start += len(passage.text) + 1
            line += passage.text.count("\n") + 1
        return tuple(laid)

    async def documents(self, visible: Tokens, filters: Filters, offset: int, limit: int) -> DocumentPage:
        """Return the documents by id."""
        admits = self._admitting(visible, filters)
        if admits is None:
            return DocumentPage((), 0)
        found = {passage.document_id: self._info(passage) for passage in await self._everything(filters) if admits(passage)}
        chosen = [found[name] for name in sorted(found)]
        return DocumentPage(tuple(chosen[offset : offset + limit]), len(chosen))

    async def sources(self, visible: Tokens) -> tuple[SourceCount, ...]:
        """Return the collection as one source, with the number of its documents and chunks."""
        if self._admitting(visible, NO_FILTERS) is None:
            return ()
        passages = await self._everything(NO_FILTERS)
        state = SourceState(name=self.name, collection=self.name)
        return (SourceCount(state, documents=len({passage.document_id for passage in passages}), chunks=len(passages)),)

    async def _ranked(
        self, asked: str | list[float], field: str, filters: Filters, admits: Admits, limit: int
    ) -> tuple[Ranked, ...]:
        fields = await self._collection.fields()
        condition = self._condition(filters, fields)
        size = limit + 10
        while True:
            (hits,) = await self._engine.search(self._collection.name, [asked], field, size, condition, fields)
            best: dict[ChunkId, float] = {}
            for passage, score in ((read_passage(row), score) for row, score in hits):
                if passage is not None and admits(passage):
                    best.setdefault(self._id(passage), abs(score) if field == BM25_FIELD else score)
            if len(best) >= limit or len(hits) < size or size >= MOST_HITS:
                ranked = sorted(best.items(), key=lambda item: (-item[1], item[0]))
                return tuple(Ranked(name, score) for name, score in ranked[:limit])
            size = min(size * 4, MOST_HITS)

    async def _of(self, documents: Iterable[str]) -> list[Passage]:
        """Return the passages of ``documents``."""
        wanted = set(documents)
        literals = [literal(document) for document in wanted]
        condition = EVERYTHING if None in literals else f"document_id in [{','.join(filter(None, literals))}]"
        return [passage for passage in await self._scan(condition) if passage.document_id in wanted]

    async def _everything(self, filters: Filters) -> list[Passage]:
        return await self._scan(self._condition(filters, await self._collection.fields()) or EVERYTHING)

    async def _scan(self, condition: str) -> list[Passage]:
        fields = await self._collection.fields()
        rows: list[Row] = await self._engine.scan(self._collection.name, condition, fields)
        return [passage for row in rows if (passage := read_passage(row)) is not None]

    def _condition(self, filters: Filters, fields: Sequence[str]) -> str:
        wanted = [*filters.fields, *((("version", filters.versions),) if filters.versions else ())]
        return pushed_down(wanted, fields)

    def _admitting(self, visible: Tokens, filters: Filters) -> Admits | None:
        """Return what says which passages are within ``filters``; None where none is, or nobody may see them."""
        named = not filters.collections or self.name in filters.collections
        sourced = not filters.sources or self.name in filters.sources
        elsewhere = bool(filters.languages or filters.kinds)
        if not named or not sourced or elsewhere or not may_read(self._configured.acl, visible):
            return None
        matched = path_matcher(filters.paths) if filters.paths else None
        wanted = [*filters.fields, ("version", filters.versions)]

        def admits(passage: Passage) -> bool:
            if matched is not None and not matched(_path(passage)):
                return False
            return all(not values or _has(passage.fields, name, values) for name, values in wanted)

        return admits

    def _id(self, passage: Passage) -> ChunkId:
        return ChunkId(f"{PREFIX}{self.name}:{passage.document_id}:{passage.chunk_index}")

    def _stored(self, passage: Passage, start: int, line: int) -> StoredChunk:
        chunk = Chunk(
            id=self._id(passage),
            ordinal=passage.chunk_index,
            start=start,
            end=start + len(passage.text),
            text=passage.text,
            lines=Lines(line, line + passage.text.count("\n")),
            breadcrumb=tuple(filter(None, (passage.section_path,))),
            metadata=passage.fields,
        )
        return StoredChunk(chunk, self._info(passage))

    def _info(self, passage: Passage) -> DocumentInfo:
        own = f"{READER}{quote(passage.document_id)}?start_line={{start}}&end_line={{end}}"
        return DocumentInfo(
            source=self.name,
            collection=self.name,
            id=passage.document_id,
            path=_path(passage),
            title="" if passage.title and passage.section_path.startswith(passage.title) else passage.title,
            language="en",
            kind="text",
            permalink=passage.citation_url or own,
        )


def _path(passage: Passage) -> str:
    return passage.file_path or passage.document_id


def _has(fields: Mapping[str, str], name: str, values: Sequence[str]) -> bool:
    value = fields.get(name)
    return value is not None and not set(values).isdisjoint(parts_of(value))
