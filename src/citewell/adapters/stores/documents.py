"""Documents and chunks in SQL: stored whole, read back exactly."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

from citewell.adapters.stores.facets import intern_facet
from citewell.adapters.stores.strings import decode, encode
from citewell.core.access import Acl, Tokens, may_read
from citewell.core.errors import DocumentNotFound
from citewell.core.model import Chunk, ChunkId, Document, DocumentInfo, Lines, StoredChunk, Window, passage_hash

CHUNK_COLUMNS: Final = 'c.name, c.ordinal, c.start, c."end", c.first_line, c.last_line, c.fields'

_AT_ONCE: Final = 500
"""SQLite allows a limited number of parameters."""


def intern_label(connection: sqlite3.Connection, text: str | None) -> int:
    """Return the number that stands for ``text``; 0 stands for None."""
    if text is None:
        return 0
    known = find_label(connection, text)
    if known is not None:
        return known
    return int(connection.execute("INSERT INTO labels (text) VALUES (?) RETURNING id", (encode(text),)).fetchone()[0])


def find_label(connection: sqlite3.Connection, text: str) -> int | None:
    """Return the number of ``text``, or None where nothing stored has it."""
    found = connection.execute("SELECT id FROM labels WHERE text = ?", (encode(text),)).fetchone()
    return found and int(found[0])


def intern_acl(connection: sqlite3.Connection, acl: Acl) -> int:
    """Return the number that stands for ``acl``."""
    tokens = json.dumps(sorted(acl))
    found = connection.execute("SELECT id FROM acls WHERE tokens = ?", (tokens,)).fetchone()
    found = found or connection.execute("INSERT INTO acls (tokens) VALUES (?) RETURNING id", (tokens,)).fetchone()
    return int(found[0])


@lru_cache(maxsize=65536)
def parse_acl(tokens: str) -> Acl:
    """Return the ACL that a row of ``acls`` holds."""
    return frozenset(json.loads(tokens))


def find_document(connection: sqlite3.Connection, source: int, path: str) -> int | None:
    """Return the row of the document at ``path`` of a source, or None."""
    found = connection.execute("SELECT id FROM documents WHERE source = ? AND path = ?", (source, encode(path))).fetchone()
    return found and int(found[0])


def insert_document(connection: sqlite3.Connection, document: Document, chunks: Sequence[Chunk], terms: bytes) -> int:
    """Store a document whose place is free, its chunks, its passages and its packed ``terms``; return its row."""
    info = document.info
    labels = [
        intern_label(connection, text) for text in (info.source, info.collection, info.language, info.kind, info.version)
    ]
    acl, own = intern_acl(connection, document.acl), intern_facet(connection, info.field)
    (row,) = connection.execute(
        "INSERT INTO documents (source, collection, language, kind, version, path, name, acl, facet, chunks, info)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
        (*labels, encode(info.path), encode(info.id), acl, own, len(chunks), _dump_info(info)),
    ).fetchone()
    connection.execute("INSERT INTO texts VALUES (?, ?)", (row, encode(document.text)))
    connection.execute("INSERT INTO postings VALUES (?, ?)", (row, terms))
    connection.executemany(
        "INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (row, position, *_dump_chunk(chunk), intern_facet(connection, StoredChunk(chunk, info).field))
            for position, chunk in enumerate(chunks)
        ],
    )
    windows = [(row, *window) for window in _passages(chunks, info.title)]
    connection.executemany("INSERT OR IGNORE INTO passages (hash) VALUES (?)", [(window[3],) for window in windows])
    connection.executemany("INSERT INTO windows SELECT ?, ?, ?, id FROM passages WHERE hash = ?", windows)
    return int(row)


def delete_document(connection: sqlite3.Connection, row: int) -> list[int]:
    """Take a document away; return the passages it had, which others may share."""
    passages = [passage for (passage,) in connection.execute("SELECT passage FROM windows WHERE document = ?", (row,))]
    connection.execute("DELETE FROM documents WHERE id = ?", (row,))
    for table in ("texts", "chunks", "windows", "postings"):
        connection.execute(f"DELETE FROM {table} WHERE document = ?", (row,))  # noqa: S608 (a constant)
    connection.execute("INSERT INTO log (document) VALUES (?)", (row,))
    return passages


def change_acl(connection: sqlite3.Connection, row: int, acl: Acl) -> None:
    """Give a document another ACL."""
    number = intern_acl(connection, acl)
    connection.execute("UPDATE documents SET acl = ? WHERE id = ?", (number, row))
    connection.execute("INSERT INTO log (document, acl) VALUES (?, ?)", (row, number))


def change_acls(connection: sqlite3.Connection, changes: Iterable[tuple[int, int | None, str]]) -> None:
    """Give documents that follow the rules other ACLs, each by its number, for a source and a path."""
    rows = [(acl, source, encode(path)) for acl, source, path in changes]
    followers = "WHERE source = ? AND path = ? AND NOT pinned"
    connection.executemany(f"INSERT INTO log (document, acl) SELECT id, ? FROM documents {followers}", rows)  # noqa: S608
    connection.executemany(f"UPDATE documents SET acl = ? {followers}", rows)  # noqa: S608 (a constant)


def pin_acl(connection: sqlite3.Connection, row: int, acl: Acl | None) -> None:
    """Give a document an ACL of its own, or release it."""
    connection.execute("UPDATE documents SET pinned = ? WHERE id = ?", (acl is not None, row))
    if acl is not None:
        change_acl(connection, row, acl)


def pinned_acl(connection: sqlite3.Connection, row: int) -> Acl | None:
    """Return the ACL of the document's own, None where it follows the rules."""
    found = connection.execute(
        "SELECT a.tokens FROM documents d JOIN acls a ON a.id = d.acl WHERE d.id = ? AND d.pinned", (row,)
    ).fetchone()
    return None if found is None else parse_acl(found[0])


def read_document(connection: sqlite3.Connection, name: str, visible: Tokens) -> tuple[int, Document]:
    """Return the row and the document of the first visible one called ``name``. Raises DocumentNotFound.

    Nothing is fetched of a hidden one, so that it takes no longer than one that does not exist.
    """
    acls = connection.execute("SELECT id, tokens FROM acls")
    readable = {number: acl for number, tokens in acls if may_read(acl := parse_acl(tokens), visible)}
    found = connection.execute(
        "SELECT d.id, d.info, d.acl FROM documents d JOIN labels s ON s.id = d.source"  # noqa: S608 (numbers)
        f" WHERE d.name = ? AND d.acl IN ({', '.join(map(str, readable))}) ORDER BY s.text, d.path LIMIT 1",
        (encode(name),),
    ).fetchone()
    if found is None:
        raise DocumentNotFound
    row, info, number = found
    return row, Document(info=load_info(info), text=read_text(connection, row), acl=readable[number])


def read_infos(connection: sqlite3.Connection, rows: Sequence[int], visible: Tokens) -> Iterator[DocumentInfo]:
    """Yield what the visible ones of ``rows`` are, in that order; one that is gone meanwhile is left out."""
    for row in rows:
        found = connection.execute(
            "SELECT d.info, a.tokens FROM documents d JOIN acls a ON a.id = d.acl WHERE d.id = ?", (row,)
        ).fetchone()
        if found is not None and may_read(parse_acl(found[1]), visible):
            yield load_info(found[0])


def read_outline(connection: sqlite3.Connection, name: str, visible: Tokens) -> tuple[StoredChunk, ...]:
    """Return the chunks of the first visible document called ``name``. Raises DocumentNotFound."""
    row, document = read_document(connection, name, visible)
    rows = connection.execute(f"SELECT {CHUNK_COLUMNS} FROM chunks c WHERE document = ? ORDER BY position", (row,))  # noqa: S608
    return tuple(StoredChunk(load_chunk(fields, document.text), document.info) for fields in rows)


def read_chunks(connection: sqlite3.Connection, ids: Iterable[ChunkId], visible: Tokens) -> dict[ChunkId, StoredChunk]:
    """Return the visible chunks among ``ids`` in that order; of two that share an id, the first by source and path."""
    asked = list(dict.fromkeys(ids))
    texts: dict[int, str] = {}
    found: dict[str, StoredChunk] = {}
    for start in range(0, len(asked), _AT_ONCE):
        names = [encode(name) for name in asked[start : start + _AT_ONCE]]
        rows = connection.execute(
            f"SELECT d.id, d.info, a.tokens, {CHUNK_COLUMNS} FROM chunks c JOIN documents d ON d.id = c.document"  # noqa: S608
            " JOIN acls a ON a.id = d.acl JOIN labels s ON s.id = d.source"
            f" WHERE c.name IN ({', '.join('?' * len(names))}) ORDER BY s.text, d.path, c.position",
            names,
        ).fetchall()
        for row, info, tokens, *fields in rows:
            if may_read(parse_acl(tokens), visible):
                if row not in texts:
                    texts[row] = read_text(connection, row)
                chunk = load_chunk(fields, texts[row])
                found.setdefault(chunk.id, StoredChunk(chunk, load_info(info)))
    return {name: found[name] for name in asked if name in found}


def read_text(connection: sqlite3.Connection, row: int) -> str:
    """Return the text of a document."""
    return decode(connection.execute("SELECT text FROM texts WHERE document = ?", (row,)).fetchone()[0])


def load_info(stored: str) -> DocumentInfo:
    """Return the description of a document from its column."""
    return DocumentInfo(**json.loads(stored))


def load_chunk(fields: Sequence[Any], text: str) -> Chunk:
    """Return the chunk of a row of ``CHUNK_COLUMNS``; its words come from the ``text`` of its document."""
    name, ordinal, start, end, first, last, rest = fields
    breadcrumb, symbol, metadata, windows = json.loads(rest)
    return Chunk(
        id=ChunkId(decode(name)),
        ordinal=ordinal,
        start=start,
        end=end,
        text=text[start:end],
        lines=Lines(first, last),
        breadcrumb=tuple(breadcrumb),
        symbol=symbol,
        metadata=metadata,
        windows=tuple(Window(start, end) for start, end in windows),
    )


def _dump_info(info: DocumentInfo) -> str:
    fields = {name: getattr(info, name) for name in DocumentInfo.__slots__}
    return json.dumps(fields | {"metadata": dict(info.metadata)}, separators=(",", ":"))


def _dump_chunk(chunk: Chunk) -> tuple[bytes, int, int, int, int, int, str]:
    windows = [(window.start, window.end) for window in chunk.windows]
    rest = json.dumps([chunk.breadcrumb, chunk.symbol, dict(chunk.metadata), windows], separators=(",", ":"))
    return encode(chunk.id), chunk.ordinal, chunk.start, chunk.end, chunk.lines.start, chunk.lines.end, rest


def _passages(chunks: Sequence[Chunk], title: str) -> Iterator[tuple[int, int, bytes]]:
    """Yield the place of each window, as chunk and window, and the hash of its passage."""
    for place, chunk in enumerate(chunks):
        for number, window in enumerate(chunk.windows):
            yield place, number, encode(passage_hash(chunk.passage(window, title)))
