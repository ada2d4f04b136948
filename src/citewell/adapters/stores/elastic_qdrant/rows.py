"""Documents, chunks and points as the engines keep them, and back."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from qdrant_client import models

from citewell.adapters.stores.elastic_qdrant.layout import POINT_KEYWORDS
from citewell.adapters.stores.keywords import identity, index_term, keyword, readable
from citewell.adapters.stores.records import dump_chunk, dump_info, load_chunk, load_info
from citewell.adapters.stores.versions import Analyze, passages
from citewell.core.access import Acl
from citewell.core.fields import FILTER_FIELDS, parts_of
from citewell.core.model import Chunk, ChunkId, Document, Lines, StoredChunk
from citewell.core.ports import Replace
from citewell.text.terms import TermVector

if TYPE_CHECKING:
    from citewell.core.ports import Vectors

Row = dict[str, Any]

POINTS = uuid.UUID("8f1d2f6e-6c7d-4a7c-9d7e-0b1a3f5c9e42")
GIVEN_BACK = ("text", "exact_text", "chunk", "info")
"""The fields that a chunk is made of again."""

NO_CHUNK = Chunk(id=ChunkId(""), ordinal=0, start=0, end=0, text="", lines=Lines(1, 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One version of a document, as it is written: which file, which generation of it, and who may read it."""

    file: str
    generation: str
    acl: Acl


def file_row(change: Replace, version: Version) -> Row:
    """Return what the index of files keeps of a document, its ledger entry left out."""
    return _described(StoredChunk(NO_CHUNK, change.document.info), version) | {
        "key": version.file,
        "held": True,
        "chunk_count": len(change.chunks),
        "info": dump_info(change.document.info),
        **_text(change.document.text),
    }


def chunk_rows(change: Replace, version: Version, analyze: Analyze) -> dict[str, Row]:
    """Return what the index of chunks keeps, by id."""
    rows: dict[str, Row] = {}
    for chunk in change.chunks:
        stored = StoredChunk(chunk, change.document.info)
        key = identity(version.file, chunk.id, version.generation)
        rows[key] = _described(stored, version) | {
            "key": key,
            "file": version.file,
            "source_id": keyword(stored.info.source),
            "chunk_idx": chunk.ordinal,
            "chunk_id": keyword(chunk.id),
            "terms": _terms(analyze(chunk, stored.info)),
            "passages": [hash_ for hash_, _ in passages(stored)],
            "embedded": [],
            "chunk": dump_chunk(chunk),
            "info": dump_info(stored.info),
            **_text(chunk.text),
        }
    return rows


def points(row: Row, vectors: Mapping[str, Vectors]) -> list[models.PointStruct]:
    """Return a point for each window of the chunk ``row`` whose passage is among ``vectors``."""
    payload: Row = {name: row[name] for name in POINT_KEYWORDS if name in row}
    payload |= {name: row[name] for name in (*GIVEN_BACK, "chunk_idx") if name in row}
    return [
        models.PointStruct(id=point_id(row["key"], window), vector=vectors[hash_].tolist(), payload=payload)
        for window, hash_ in enumerate(row["passages"])
        if hash_ in vectors
    ]


def point_id(key: str, window: int) -> str:
    """Return the id of the point of one window."""
    return str(uuid.uuid5(POINTS, f"{key}:{window}"))


def stored_chunk(row: Row) -> StoredChunk:
    """Return the chunk that ``row`` of an index, or the payload of a point, keeps."""
    return StoredChunk(load_chunk(row["chunk"], _whole_text(row)), load_info(row["info"]))


def stored_document(row: Row, acl: Acl) -> Document:
    """Return the document that ``row`` of the index of files keeps."""
    return Document(info=load_info(row["info"]), text=_whole_text(row), acl=acl)


def _text(text: str) -> Row:
    """Return the fields of a text: as others read it and, where that is not the same, as it is."""
    shown = readable(text)
    return {"text": shown} if shown == text else {"text": shown, "exact_text": json.dumps(text)}


def _whole_text(row: Row) -> str:
    return str(json.loads(row["exact_text"]) if "exact_text" in row else row["text"])


def _described(stored: StoredChunk, version: Version) -> Row:
    info = stored.info
    row: Row = {
        "collection": keyword(info.collection),
        "source": keyword(info.source),
        "path": keyword(info.path),
        "language": keyword(info.language),
        "kind": keyword(info.kind),
        "doc_id": keyword(info.id),
        "acl": sorted(keyword(token) for token in version.acl),
        "generation": version.generation,
    }
    return row | {name: [keyword(part) for part in parts_of(value)] for name, value in _fields(stored)}


def _fields(stored: StoredChunk) -> list[tuple[str, str]]:
    return [(name, value) for name in FILTER_FIELDS if (value := stored.field(name))]


def _terms(vector: TermVector) -> str:
    """Return the terms as often as they count, for an analyzer that does nothing but cut at blanks."""
    return " ".join(
        word for term, count in sorted(vector.frequencies.items()) for word in [index_term(term)] * max(1, round(count))
    )
