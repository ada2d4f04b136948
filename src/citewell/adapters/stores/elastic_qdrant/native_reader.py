"""Reading what we wrote ourselves. Elasticsearch holds the text and decides what is live; Qdrant finds by vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from citewell.adapters.stores.bm25 import K1, inverse_document_frequency, measure_reach
from citewell.adapters.stores.elastic_qdrant.conditions import matches, point_conditions, text_conditions, tokens
from citewell.adapters.stores.elastic_qdrant.layout import Names, model_key
from citewell.adapters.stores.elastic_qdrant.point_search import PointSearch
from citewell.adapters.stores.elastic_qdrant.rows import Row, stored_chunk, stored_document
from citewell.adapters.stores.elastic_qdrant.text_engine import TextEngine
from citewell.adapters.stores.elastic_qdrant.vector_engine import VectorEngine
from citewell.adapters.stores.keywords import index_term, keyword, plain
from citewell.adapters.stores.together import together
from citewell.adapters.stores.vetting import vet_vector
from citewell.core.access import Tokens
from citewell.core.errors import DocumentNotFound, StoreUnavailable
from citewell.core.globs import path_matcher
from citewell.core.model import ChunkId, Document, StoredChunk
from citewell.core.ports import Candidates, DenseQuery, DocumentPage, LexicalQuery, Ranked
from citewell.core.requests import NO_FILTERS, Filters

if TYPE_CHECKING:
    from citewell.core.ports import Vectors

MOST_TERMS: Final = 1_000
"""Lucene refuses a query of more than 1,024 clauses; what counts least is left out."""

MOST_HITS: Final = 10_000
"""Elasticsearch returns no more of one list."""

UNSETTLED: Final = {"term": {"settled": False}}
UNSETTLED_FIELDS: Final = ["key", "generation", "acl", "held"]


@dataclass(slots=True)
class Liveness:
    """The files that are being written, or whose writing a crash broke off: of them only the committed version is live."""

    files: Mapping[str, Row] = field(default_factory=dict[str, Row])

    @classmethod
    def of(cls, answer: Mapping[str, Any]) -> Liveness:
        """Return what an answer to the search for `UNSETTLED` says."""
        return cls({hit["_source"]["key"]: hit["_source"] for hit in answer["hits"]["hits"]})

    def admits(self, row: Row, held: Sequence[str]) -> bool:
        """Say whether the chunk ``row`` is of the version that counts, and open to one of the tokens ``held``."""
        file = self.files.get(row["file"])
        if file is None:
            return True
        live = file.get("held") and file.get("generation") == row["generation"]
        return bool(live) and not set(held).isdisjoint(file.get("acl", ()))


def unsettled(names: Names) -> tuple[str, dict[str, Any]]:
    """Return the search for the files that are not settled."""
    return names.files, {"size": MOST_HITS, "query": {"bool": {"filter": [UNSETTLED]}}, "_source": UNSETTLED_FIELDS}


class NativeReader:
    """Answers questions about our own indexes; nothing is there before the first change."""

    def __init__(self, text: TextEngine, vectors: VectorEngine, names: Names) -> None:
        self._text = text
        self._vectors = vectors
        self._names = names
        self._search = PointSearch(vectors)
        self._asked: set[str] = set()

    async def lexical(self, query: LexicalQuery, visible: Tokens, filters: Filters, limit: int) -> Candidates:
        """Rank by the engine's BM25 over our terms; its statistics are those of the whole index."""
        weights = {term: weight for term, weight in query.terms.items() if weight > 0}
        kept = dict(sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:MOST_TERMS])
        if not kept:
            return Candidates(coverage=0.0, ceiling=0.0)
        paths = await self._matching_paths(visible, filters)
        conditions = text_conditions(visible, filters, paths)
        size = limit + 10
        while True:
            asked = [(self._names.chunks, _ranking(kept, conditions, size)), unsettled(self._names)]
            asked.append((self._names.chunks, _counting(kept, visible)))
            found, open_files, counts = await self._text.searches(asked)
            hits = _admitted(found["hits"]["hits"], Liveness.of(open_files), tokens(visible))
            if len(hits) >= limit or len(found["hits"]["hits"]) < size or size >= MOST_HITS:
                break
            size = min(size * 4, MOST_HITS)
        coverage, ceiling = _reach(query, kept, counts)
        return Candidates(hits=tuple(hits[:limit]), coverage=coverage, ceiling=ceiling)

    async def dense(self, query: DenseQuery, visible: Tokens, filters: Filters, limit: int) -> Candidates:
        """Rank by vectors. Hits whose chunk is not live are dropped, as long as the text engine can tell."""
        collection = self._names.vectors(query.model)
        known = await self._vectors.exists(collection)
        vector = vet_vector(query.vector, await self._vectors.dimension(collection) if known else None)
        self._asked.add(collection)
        asked = [partial(self._waiting, query.model, visible, filters)]
        if known:
            asked.append(partial(self._nearest, collection, vector, visible, filters, limit))
        found = await together(asked)
        return Candidates(hits=tuple(hit for part in found for hit in part.hits), pending=found[0].pending)

    async def _nearest(self, collection: str, vector: Vectors, visible: Tokens, filters: Filters, limit: int) -> Candidates:
        paths = await self._paths_of_points(collection, visible, filters)
        condition = point_conditions(visible, filters, paths)
        vet = partial(self._live, visible)
        return Candidates(hits=tuple(await self._search.best(collection, vector, condition, limit, vet)))

    async def chunks(self, ids: Sequence[ChunkId], visible: Tokens) -> dict[ChunkId, StoredChunk]:
        """Return the visible chunks among ``ids``, by id."""
        if not ids:
            return {}
        wanted = {"terms": {"chunk_id": [keyword(name) for name in ids]}}
        body = {"size": MOST_HITS, "query": _all_of(wanted, *text_conditions(visible, NO_FILTERS, None))}
        body["sort"] = [{"source": "asc"}, {"path": "asc"}]
        found, open_files = await self._text.searches([(self._names.chunks, body), unsettled(self._names)])
        live, held = Liveness.of(open_files), tokens(visible)
        rows = [hit["_source"] for hit in found["hits"]["hits"] if live.admits(hit["_source"], held)]
        return by_id(stored_chunk(row) for row in rows)

    async def chunks_of_points(self, ids: Sequence[ChunkId], visible: Tokens) -> dict[ChunkId, StoredChunk]:
        """Return the chunks that the vector engine knows by ``ids``: for as long as the text engine is away."""
        found: dict[ChunkId, StoredChunk] = {}
        condition = point_conditions(visible, NO_FILTERS, None)
        chosen = [*(condition.must or ()), matches("chunk_id", [keyword(name) for name in ids])]
        for collection in sorted(self._asked):
            points = await self._vectors.scroll(collection, condition.model_copy(update={"must": chosen}), MOST_HITS)
            found |= by_id(stored_chunk(dict(point.payload or {})) for point in points)
        return found

    async def document(self, document_id: str, visible: Tokens) -> Document:
        """Return the first visible document of that id. Raises DocumentNotFound."""
        row = await self._file(document_id, visible)
        return stored_document(row, frozenset(plain(token) for token in row["acl"]))

    async def outline(self, document_id: str, visible: Tokens) -> tuple[StoredChunk, ...]:
        """Return its chunks in order. Raises DocumentNotFound."""
        row = await self._file(document_id, visible)
        query = _all_of({"term": {"file": row["key"]}}, {"term": {"generation": row["generation"]}})
        rows = [hit["_source"] async for hit in self._text.scan(self._names.chunks, query, by="key")]
        return tuple(stored_chunk(row) for row in sorted(rows, key=lambda row: row["chunk_idx"]))

    async def documents(self, visible: Tokens, filters: Filters, offset: int, limit: int) -> DocumentPage:
        """Return visible documents by source and path, and how many there are."""
        paths = await self._matching_paths(visible, filters)
        query = _all_of({"term": {"held": True}}, *text_conditions(visible, filters, paths))
        body = {"from": offset, "size": limit, "query": query, "track_total_hits": True, "_source": ["info"]}
        body["sort"] = [{"source": "asc"}, {"path": "asc"}]
        if offset + limit > MOST_HITS:
            return await self._far_page(query, offset, limit)
        found = await self._text.search(self._names.files, body)
        infos = tuple(stored_document(hit["_source"] | {"text": ""}, frozenset()).info for hit in found["hits"]["hits"])
        return DocumentPage(infos, found["hits"]["total"]["value"])

    async def _far_page(self, query: dict[str, Any], offset: int, limit: int) -> DocumentPage:
        """Return a page behind those that the engine counts to."""
        found = [hit["_source"] async for hit in self._text.scan(self._names.files, query, source=["info", "key"], by="key")]
        infos = sorted(
            (stored_document(row | {"text": ""}, frozenset()).info for row in found),
            key=lambda info: (info.source, info.path),
        )
        return DocumentPage(tuple(infos[offset : offset + limit]), len(infos))

    async def _file(self, document_id: str, visible: Tokens) -> Row:
        query = _all_of({"term": {"held": True}}, {"term": {"doc_id": keyword(document_id)}})
        query["bool"]["filter"] += text_conditions(visible, NO_FILTERS, None)
        body = {"size": 1, "query": query, "sort": [{"source": "asc"}, {"path": "asc"}]}
        hits = (await self._text.search(self._names.files, body))["hits"]["hits"]
        if not hits:
            raise DocumentNotFound
        row: Row = hits[0]["_source"]
        return row

    async def _matching_paths(self, visible: Tokens, filters: Filters) -> list[str] | None:
        """Return the paths that the globs of ``filters`` match: no engine's patterns are ours to the letter.

        Files are not narrowed by fields here: a chunk may have what its document has not.
        """
        if not filters.paths:
            return None
        query = _all_of({"term": {"held": True}}, *text_conditions(visible, replace(filters, versions=(), fields=()), None))
        scan = self._text.scan(self._names.files, query, source=["path"], by="key")
        return _matched([hit["_source"]["path"] async for hit in scan], filters.paths)

    async def _paths_of_points(self, collection: str, visible: Tokens, filters: Filters) -> list[str] | None:
        if not filters.paths:
            return None
        return _matched(
            await self._search.values(collection, "path", point_conditions(visible, filters, None)), filters.paths
        )

    async def _waiting(self, model: str, visible: Tokens, filters: Filters) -> Candidates:
        """Say whether chunks wait for their vectors. Where the text engine is away, nobody can."""
        try:
            paths = await self._matching_paths(visible, filters)
            query = _all_of({"exists": {"field": "passages"}}, *text_conditions(visible, filters, paths))
            query["bool"]["must_not"] = [{"term": {"embedded": model_key(model)}}]
            asked = [(self._names.chunks, {"size": 0, "query": query, "terminate_after": 1})]
            (found,) = await self._text.searches(asked)
        except StoreUnavailable:
            return Candidates()
        return Candidates(pending=bool(found["hits"]["total"]["value"]))

    async def _live(self, visible: Tokens, rows: Sequence[Row]) -> Callable[[Row], bool]:
        """Return what says which of the points ``rows`` belong to a live chunk that is visible."""
        keys = sorted({row["key"] for row in rows})
        query = _all_of({"terms": {"key": keys}}, *text_conditions(visible, NO_FILTERS, None))
        body = {"size": len(keys), "query": query, "_source": ["key", "file", "generation"]}
        try:
            found, open_files = await self._text.searches([(self._names.chunks, body), unsettled(self._names)])
        except StoreUnavailable:
            return lambda row: True
        live, held = Liveness.of(open_files), tokens(visible)
        known = {hit["_source"]["key"] for hit in found["hits"]["hits"] if live.admits(hit["_source"], held)}
        return lambda row: row["key"] in known


def by_id(chunks: Any) -> dict[ChunkId, StoredChunk]:
    """Return ``chunks`` by id, the first of each."""
    found: dict[ChunkId, StoredChunk] = {}
    for stored in chunks:
        found.setdefault(stored.chunk.id, stored)
    return found


def _all_of(*conditions: dict[str, Any]) -> dict[str, Any]:
    return {"bool": {"filter": list(conditions)}}


def _ranking(weights: Mapping[str, float], conditions: list[dict[str, Any]], size: int) -> dict[str, Any]:
    terms = [{"term": {"terms": {"value": index_term(term), "boost": weight}}} for term, weight in weights.items()]
    query = {"bool": {"should": terms, "minimum_should_match": 1, "filter": conditions}}
    order = [{"_score": "desc"}, {"chunk_id": "asc"}]
    return {"size": size, "query": query, "sort": order, "track_scores": True, "_source": ["chunk_id", "file", "generation"]}


def _counting(weights: Mapping[str, float], visible: Tokens) -> dict[str, Any]:
    """Return the search that counts the chunks of each term, of those that are visible and of all."""
    each = {"filters": {"filters": {term: {"term": {"terms": index_term(term)}} for term in weights}}}
    seen = {"filter": text_conditions(visible, NO_FILTERS, None)[0], "aggs": {"terms": each}}
    return {"size": 0, "track_total_hits": True, "query": {"match_all": {}}, "aggs": {"seen": seen, "terms": each}}


def _reach(query: LexicalQuery, weights: Mapping[str, float], counts: dict[str, Any]) -> tuple[float, float]:
    """Return the coverage of the query by visible chunks, and what the engine's scores do not reach."""
    if "seen" not in counts["aggregations"]:
        return 0.0, 0.0
    seen, everything = counts["aggregations"]["seen"], counts["aggregations"]["terms"]["buckets"]
    total = counts["hits"]["total"]["value"]
    mine = {term: bucket["doc_count"] for term, bucket in seen["terms"]["buckets"].items()}
    worth = {term: weight * inverse_document_frequency(seen["doc_count"], mine[term]) for term, weight in weights.items()}
    words = tuple(tuple(term for term in word if term in worth) for word in query.words)
    known = LexicalQuery(query.text, worth, tuple(word for word in words if word))
    coverage, _ = measure_reach(known, worth, {term for term in worth if mine[term]})
    ceiling = sum(
        weight * inverse_document_frequency(total, everything[term]["doc_count"]) for term, weight in weights.items()
    )
    return coverage, ceiling * (K1 + 1)


def _admitted(hits: list[dict[str, Any]], live: Liveness, held: Sequence[str]) -> list[Ranked]:
    found: dict[ChunkId, Ranked] = {}
    for hit in hits:
        if live.admits(hit["_source"], held) and hit["_score"] > 0:
            name = ChunkId(plain(hit["_source"]["chunk_id"]))
            found.setdefault(name, Ranked(name, hit["_score"]))
    return sorted(found.values(), key=lambda hit: (-hit.score, hit.chunk))


def _matched(words: Sequence[str], globs: Sequence[str]) -> list[str]:
    matched = path_matcher(globs)
    return sorted({path for path in map(plain, words) if matched(path)})
