"""Chunks and records as Milvus keeps them, and back."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any, Final

from citewell.adapters.stores.keywords import identity, readable
from citewell.adapters.stores.milvus.conditions import chunk_facets, document_facets, token_keys
from citewell.adapters.stores.milvus.engine import Row
from citewell.adapters.stores.milvus.layout import FLAGS, LONGEST, MOST_KEYS, PLACEHOLDER, RECORD_KEYS, RECORD_TEXTS
from citewell.adapters.stores.records import dump_chunk, dump_entry, dump_info, load_chunk, load_info
from citewell.adapters.stores.versions import Analyze, file_key, generation, passages
from citewell.core.access import Acl
from citewell.core.errors import StoreError
from citewell.core.model import ChunkId, StoredChunk
from citewell.core.ports import Replace
from citewell.text.terms import TermVector

if TYPE_CHECKING:
    from citewell.core.ports import Vectors

PIECE: Final = 5_000
"""Characters of a document kept in one record: twelve bytes each at most, as JSON writes them."""

GIVEN_BACK: Final = ("content_text", "exact", "chunk", "info", "file", "generation", "chunk_index")
"""The fields that a chunk is made of again."""

_PLAIN: Final = re.compile(r"[a-z0-9]{1,40}")


@dataclass(frozen=True, slots=True)
class Embedded:
    """The vector of a passage, and the key of the model it is of."""

    model: str
    vector: Vectors


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a document, as it is written: which file, which generation of it, and who may read it."""

    file: str
    generation: str
    acl: Acl

    @classmethod
    def of(cls, change: Replace, acl: Acl) -> Version:
        """Return the version that ``change`` stores, open to ``acl``."""
        info = change.document.info
        return cls(file_key(info.source, info.path), generation(change), acl)


def index_word(term: str) -> str:
    """Return ``term`` as one word of Milvus' standard tokenizer, which cuts at whatever is neither letter nor digit."""
    return term if _PLAIN.fullmatch(term) else f"x{identity(term)[:20]}"


def model_key(model: str) -> str:
    """Return the name of the space ``model`` in rows."""
    return identity("model", model)


def chunk_key(chunk: ChunkId) -> str:
    """Return the name of a chunk in rows: its own id may be any text."""
    return identity("chunk", chunk)


def document_key(document_id: str) -> str:
    """Return the name of a document's id in records."""
    return identity("doc", document_id)


def record(name: str, kind: str, /, **fields: Any) -> Row:
    """Return a whole record with ``fields``; the others are empty."""
    row: Row = dict.fromkeys((*RECORD_TEXTS, *RECORD_KEYS), "") | dict.fromkeys(FLAGS, False)
    row |= {"acl": [], "facets": [], "order": 0, "count": 0, "vector": list(PLACEHOLDER)}
    return row | {"id": name, "kind": kind} | fields


def file_record(change: Replace, version: Version, *, pinned: bool) -> Row:
    """Return the record of a document and of its ledger entry."""
    info = change.document.info
    return bounded(
        record(
            version.file,
            "file",
            source=identity("source", info.source),
            doc=document_key(info.id),
            generation=version.generation,
            held=True,
            pinned=pinned,
            acl=token_keys(version.acl),
            facets=document_facets(info),
            name=json.dumps([info.source, info.path, info.collection]),
            entry=dump_entry(change.entry),
            info=dump_info(info),
            text=json.dumps(sorted(version.acl)),
            count=len(change.chunks),
        )
    )


def text_records(text: str, version: Version) -> list[Row]:
    """Return the text of a document in pieces."""
    return [
        record(
            identity("text", version.file, version.generation, str(place)),
            "text",
            file=version.file,
            generation=version.generation,
            order=place,
            text=json.dumps(text[start : start + PIECE]),
        )
        for place, start in enumerate(range(0, len(text), PIECE))
    ]


def chunk_rows(
    change: Replace, version: Version, analyze: Analyze, known: Mapping[str, Embedded], dimension: int
) -> list[Row]:
    """Return a row for each window of each chunk; one without windows has one, too.

    ``known`` holds the vectors of passages that have one. Words stand in the first row of a chunk alone.
    """
    rows: list[Row] = []
    for chunk in change.chunks:
        stored = StoredChunk(chunk, change.document.info)
        words = _words(analyze(chunk, stored.info))
        hashes = [hash_ for hash_, _ in passages(stored)] or [""]
        base = _chunk_row(stored, version)
        for window, hash_ in enumerate(hashes):
            name = identity(version.file, chunk.id, version.generation, str(window))
            row = base | {"id": name, "window": window, "passage": hash_, "terms": "" if window else words}
            rows.append(row | _vector(known.get(hash_), dimension))
    return rows


def stored_chunk(row: Row) -> StoredChunk:
    """Return the chunk that ``row`` keeps."""
    text = json.loads(row["exact"]) if row["exact"] else row["content_text"]
    return StoredChunk(load_chunk(row["chunk"], str(text)), load_info(row["info"]))


def stored_id(row: Row) -> ChunkId:
    """Return the id of the chunk that ``row`` keeps."""
    return ChunkId(json.loads(row["chunk"])["id"])


def acl_of(file: Row) -> Acl:
    """Return the ACL that the record of a file keeps."""
    return frozenset(json.loads(file["text"])) if file["text"] else frozenset()


def joined_text(pieces: Sequence[Row]) -> str:
    """Return the text of a document that ``pieces`` hold."""
    return "".join(json.loads(piece["text"]) for piece in sorted(pieces, key=lambda piece: piece["order"]))


def _vector(embedded: Embedded | None, dimension: int) -> Row:
    if embedded is None or embedded.vector.size != dimension:
        return {"model": "", "vector": [1.0] + [0.0] * (dimension - 1)}
    return {"model": embedded.model, "vector": [float(number) for number in embedded.vector]}


def _chunk_row(stored: StoredChunk, version: Version) -> Row:
    info, chunk = stored.info, stored.chunk
    shown = readable(chunk.text)
    row: Row = {
        "content_text": shown,
        "exact": "" if shown == chunk.text else json.dumps(chunk.text),
        "document_id": readable(info.id),
        "chunk_index": chunk.ordinal,
        "title": readable(info.title),
        "section_path": readable(stored.section),
        "citation_url": readable(stored.url),
        "file_path": readable(info.path),
        "release_date": _seconds(stored.field("release_date")),
        "issue_number": _number(stored.field("issue_number")),
        "acl": token_keys(version.acl),
        "facets": chunk_facets(stored),
        "file": version.file,
        "generation": version.generation,
        "chunk_key": chunk_key(chunk.id),
        "chunk": dump_chunk(chunk),
        "info": dump_info(info),
    }
    named = ("doc_type", "version", "repo_name", "issue_state", "issue_labels")
    resources = ("resource_kind", "resource_name", "resource_namespace", "file_type")
    return bounded(row | {name: readable(stored.field(name) or "") for name in (*named, *resources)})


def bounded(row: Row) -> Row:
    """Return ``row`` as Milvus takes it. What is only shown is cut; raises StoreError for what cannot be."""
    for name in ("acl", "facets"):
        if len(row[name]) > MOST_KEYS:
            raise StoreError(f"Milvus keeps at most {MOST_KEYS:,} values in one field; a document has more in {name}.")
    for name, value in row.items():
        if isinstance(value, str) and len(value) * 4 > LONGEST and len(value.encode()) > LONGEST:
            if name in ("content_text", "exact", "chunk", "info", "entry", "name", "text"):
                raise StoreError(f"Milvus keeps at most {LONGEST:,} bytes in one field; a document has more in {name}.")
            row[name] = value.encode()[:LONGEST].decode(errors="ignore")
    return row


def _words(vector: TermVector) -> str:
    """Return the terms as often as they count; beyond what a field holds, the last are left out."""
    words = " ".join(
        word for term, count in sorted(vector.frequencies.items()) for word in [index_word(term)] * max(1, round(count))
    )
    return words if len(words) <= LONGEST else words[:LONGEST].rpartition(" ")[0]


def _seconds(day: str | None) -> int:
    """Return a date as seconds since 1970; 0 where there is none."""
    try:
        found = date.fromisoformat(day or "")
    except ValueError:
        return 0
    return int(datetime(found.year, found.month, found.day, tzinfo=UTC).timestamp())


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 19 else 0
