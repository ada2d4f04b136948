"""Serving what somebody else filled: an index and a Qdrant collection of one name, joined on document and position."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from qdrant_client import models

from citewell.adapters.stores.elastic_qdrant.foreign_index import ForeignIndex, ForeignPoints, Passage, read_passage
from citewell.adapters.stores.elastic_qdrant.foreign_words import JOINED, count_words, rank_words, reach_of
from citewell.adapters.stores.elastic_qdrant.point_search import MOST_POINTS, PointSearch
from citewell.adapters.stores.elastic_qdrant.text_engine import TextEngine
from citewell.adapters.stores.elastic_qdrant.vector_engine import VectorEngine
from citewell.adapters.stores.vetting import vet_vector
from citewell.core.access import Tokens, may_read
from citewell.core.errors import DocumentNotFound
from citewell.core.globs import path_matcher
from citewell.core.model import READER, Chunk, ChunkId, Document, DocumentInfo, Lines, StoredChunk
from citewell.core.ports import (
    Candidates,
    DenseQuery,
    DocumentPage,
    ForeignCollection,
    LexicalQuery,
    Ranked,
    SourceCount,
    SourceState,
)
from citewell.core.requests import NO_FILTERS, Filters

PREFIX: Final = "foreign:"
ENGINE_ID: Final = "engine_id"
"""The key of a chunk's metadata under which its own id in Elasticsearch stands."""

MOST_HITS: Final = 10_000
_POSITION: Final = re.compile(r"-?[0-9]{1,18}").fullmatch


class ForeignReader:
    """Reads one foreign collection. Everything in it is open to the ACL that the configuration gives it."""

    def __init__(self, text: TextEngine, vectors: VectorEngine, collection: ForeignCollection) -> None:
        self._text = text
        self._vectors = vectors
        self._collection = collection
        self._index = ForeignIndex(text, collection.remote)
        self._points = ForeignPoints(vectors, collection.remote)
        self._search = PointSearch(vectors)

    @property
    def name(self) -> str:
        """The name of the collection."""
        return self._collection.name

    async def lexical(self, query: LexicalQuery, visible: Tokens, filters: Filters, limit: int) -> Candidates:
        """Rank by the index's own BM25 over ``text``, which its own analyzer cuts."""
        admits = self._admitting(visible, filters)
        if admits is None or not query.text.strip():
            return Candidates()
        await self._index.fields()
        size = limit
        while True:
            asked = [
                (self._collection.remote, rank_words(query.text, size)),
                (self._collection.remote, count_words(query.text)),
            ]
            found, counts = await self._text.searches(asked)
            hits = found["hits"]["hits"]
            ranked = self._rank([(hit["_source"], hit["_score"]) for hit in hits], admits)
            if len(ranked) >= limit or len(hits) < size or size >= MOST_HITS:
                break
            size = min(size * 4, MOST_HITS)
        coverage, ceiling = reach_of(query.text, counts)
        return Candidates(hits=tuple(ranked[:limit]), coverage=coverage, ceiling=ceiling)

    async def dense(self, query: DenseQuery, visible: Tokens, filters: Filters, limit: int) -> Candidates:
        """Rank by vectors; whose they are, the configuration must know."""
        admits = self._admitting(visible, filters)
        if admits is None:
            return Candidates()
        vector = vet_vector(query.vector, None)
        using = await self._points.using(vector.size)
        size = limit
        while True:
            points = await self._search.points(self._collection.remote, vector, models.Filter(), size, JOINED, using)
            ranked = self._rank([(point.payload or {}, point.score) for point in points], admits)
            if len(ranked) >= limit or len(points) < size or size >= MOST_POINTS:
                return Candidates(hits=tuple(ranked[:limit]))
            size = min(size * 4, MOST_POINTS)

    async def chunks(self, ids: Sequence[ChunkId], visible: Tokens) -> dict[ChunkId, StoredChunk]:
        """Return those of ``ids`` that are in the index, with the ids they have there."""
        places = self._places(ids, visible)
        if not places:
            return {}
        fields = await self._index.fields()
        documents = sorted({document for document, _ in places.values()})
        positions = sorted({str(position) for _, position in places.values()})
        conditions = [fields["doc_id"].is_any(documents), fields["chunk_idx"].is_any(positions)]
        hits = await self._hits({"bool": {"filter": conditions}})
        found: dict[ChunkId, StoredChunk] = {}
        for hit in sorted(hits, key=lambda hit: str(hit["_id"])):
            self._take(found, places, hit["_source"], {ENGINE_ID: str(hit["_id"])})
        return found

    async def chunks_of_points(self, ids: Sequence[ChunkId], visible: Tokens) -> dict[ChunkId, StoredChunk]:
        """Return those of ``ids`` that are in the vector engine: for as long as the text engine is away."""
        places = self._places(ids, visible)
        found: dict[ChunkId, StoredChunk] = {}
        if places:
            conditions = models.Filter(should=[_same(*place) for place in sorted(set(places.values()))])
            for point in await self._vectors.scroll(self._collection.remote, conditions, MOST_HITS):
                self._take(found, places, point.payload or {}, {})
        return found

    async def document(self, document_id: str, visible: Tokens) -> Document:
        """Return the document, put together of its chunks. Raises DocumentNotFound."""
        outline = await self.outline(document_id, visible)
        text = "\n".join(stored.chunk.text for stored in outline)
        return Document(info=outline[0].info, text=text, acl=self._collection.acl)

    async def outline(self, document_id: str, visible: Tokens) -> tuple[StoredChunk, ...]:
        """Return its chunks by position. Raises DocumentNotFound."""
        if self._admitting(visible, NO_FILTERS) is None:
            raise DocumentNotFound
        fields = await self._index.fields()
        hits = await self._hits(fields["doc_id"].is_any([document_id]))
        rows = [(passage, str(hit["_id"])) for hit in hits if (passage := read_passage(hit["_source"]))]
        mine = sorted((p.source_id, p.chunk_idx, name, p) for p, name in rows if p.doc_id == document_id)
        if not mine:
            raise DocumentNotFound
        return self._laid_out([(passage, name) for source, _, name, passage in mine if source == mine[0][0]])

    async def documents(self, visible: Tokens, filters: Filters, offset: int, limit: int) -> DocumentPage:
        """Return the documents by source and id, as far as the engine counts them."""
        admits = self._admitting(visible, filters)
        if admits is None:
            return DocumentPage((), 0)
        found = {(p.source_id, p.doc_id): p for p in await self._all_documents() if admits(p)}
        chosen = [self._info(found[key]) for key in sorted(found)]
        return DocumentPage(tuple(chosen[offset : offset + limit]), len(chosen))

    async def sources(self, visible: Tokens) -> tuple[SourceCount, ...]:
        """Return what ``source_id`` names, with the number of its documents and chunks."""
        if self._admitting(visible, NO_FILTERS) is None:
            return ()
        fields = await self._index.fields()
        if not (fields["source_id"].name and fields["doc_id"].name):
            return ()
        documents = {"cardinality": {"field": fields["doc_id"].name, "precision_threshold": 40_000}}
        body = {"size": 0, "aggs": {"sources": _grouped(fields["source_id"].name, {"documents": documents})}}
        found = await self._text.search(self._collection.remote, body)
        return tuple(
            SourceCount(
                SourceState(name=str(bucket["key"]), collection=self.name),
                documents=bucket["documents"]["value"],
                chunks=bucket["doc_count"],
            )
            for bucket in found["aggregations"]["sources"]["buckets"]
        )

    async def _all_documents(self) -> list[Passage]:
        """Return a passage of each document, without its text."""
        fields = await self._index.fields()
        if fields["source_id"].name and fields["doc_id"].name:
            body = {
                "size": 0,
                "aggs": {"sources": _grouped(fields["source_id"].name, {"documents": _grouped(fields["doc_id"].name)})},
            }
            found = await self._text.search(self._collection.remote, body)
            return [
                Passage(str(source["key"]), str(document["key"]), 0, "")
                for source in found["aggregations"]["sources"]["buckets"]
                for document in source["documents"]["buckets"]
            ]
        hits = await self._hits({"match_all": {}}, JOINED)
        return [passage for hit in hits if (passage := read_passage(hit["_source"]))]

    async def _hits(self, query: dict[str, Any], source: list[str] | bool = True) -> list[dict[str, Any]]:
        found = await self._text.search(self._collection.remote, {"size": MOST_HITS, "query": query, "_source": source})
        return list(found["hits"]["hits"])

    def _admitting(self, visible: Tokens, filters: Filters) -> Callable[[Passage], bool] | None:
        """Return what says which passages are within ``filters``; None where none is, or nobody may see them."""
        narrowed = (filters.languages, filters.kinds, filters.versions, *(values for _, values in filters.fields))
        named = not filters.collections or self.name in filters.collections
        if not named or any(narrowed) or not may_read(self._collection.acl, visible):
            return None
        matched = path_matcher(filters.paths)
        return lambda passage: (
            (not filters.sources or passage.source_id in filters.sources) and (not filters.paths or matched(passage.doc_id))
        )

    def _rank(self, rows: Sequence[tuple[Mapping[str, Any], float]], admits: Callable[[Passage], bool]) -> list[Ranked]:
        best: dict[ChunkId, float] = {}
        for row, score in rows:
            passage = read_passage(row)
            if passage is not None and admits(passage):
                best.setdefault(self._id(passage), score)
        return [Ranked(name, score) for name, score in sorted(best.items(), key=lambda item: (-item[1], item[0]))]

    def _id(self, passage: Passage) -> ChunkId:
        return ChunkId(f"{PREFIX}{self.name}:{passage.doc_id}:{passage.chunk_idx}")

    def _places(self, ids: Sequence[ChunkId], visible: Tokens) -> dict[ChunkId, tuple[str, int]]:
        """Return the document and the position of those of ``ids`` that are of this collection and may be seen."""
        mine = f"{PREFIX}{self.name}:"
        if not may_read(self._collection.acl, visible):
            return {}
        parts = {name: name.removeprefix(mine).rpartition(":") for name in ids if name.startswith(mine)}
        return {name: (document, int(position)) for name, (document, _, position) in parts.items() if _POSITION(position)}

    def _take(
        self,
        found: dict[ChunkId, StoredChunk],
        wanted: Mapping[ChunkId, object],
        row: Mapping[str, Any],
        also: dict[str, str],
    ) -> None:
        passage = read_passage(row)
        if passage is not None and (name := self._id(passage)) in wanted and name not in found:
            found[name] = self._stored(passage, also, 0, 1)

    def _laid_out(self, passages: Sequence[tuple[Passage, str]]) -> tuple[StoredChunk, ...]:
        laid: list[StoredChunk] = []
        start, line = 0, 1
        for passage, engine_id in passages:
            laid.append(self._stored(passage, {ENGINE_ID: engine_id}, start, line))
            start += len(passage.text) + 1
            line += passage.text.count("\n") + 1
        return tuple(laid)

    def _stored(self, passage: Passage, also: dict[str, str], start: int, line: int) -> StoredChunk:
        chunk = Chunk(
            id=self._id(passage),
            ordinal=passage.chunk_idx,
            start=start,
            end=start + len(passage.text),
            text=passage.text,
            lines=Lines(line, line + passage.text.count("\n")),
            metadata={"source_id": passage.source_id, **also},
        )
        return StoredChunk(chunk, self._info(passage))

    def _info(self, passage: Passage) -> DocumentInfo:
        return DocumentInfo(
            source=passage.source_id,
            collection=self.name,
            id=passage.doc_id,
            path=passage.doc_id,
            title="",
            language="en",
            kind="text",
            permalink=f"{READER}{quote(passage.doc_id)}?start_line={{start}}&end_line={{end}}",
        )


def _grouped(field: str, within: dict[str, Any] | None = None) -> dict[str, Any]:
    grouped: dict[str, Any] = {"terms": {"field": field, "size": MOST_HITS, "order": {"_key": "asc"}}}
    return grouped | ({"aggs": within} if within else {})


def _same(document: str, position: int) -> models.Filter:
    return models.Filter(must=[_either("doc_id", document), _either("chunk_idx", str(position))])


def _either(field: str, text: str) -> models.Filter:
    """Return the condition that ``field`` is ``text``, written as a text or as a number."""
    conditions: list[models.Condition] = [models.FieldCondition(key=field, match=models.MatchValue(value=text))]
    if text.lstrip("-").isdecimal() and str(int(text)) == text:
        conditions.append(models.FieldCondition(key=field, match=models.MatchValue(value=int(text))))
    return models.Filter(should=conditions)
