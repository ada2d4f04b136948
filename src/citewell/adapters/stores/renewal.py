"""Terms that another version of the analyzer made are made anew, and so are facets of other fields."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import suppress

from citewell.adapters.stores.database import Database
from citewell.adapters.stores.documents import CHUNK_COLUMNS, load_chunk, load_info, read_text
from citewell.adapters.stores.facets import intern_facet
from citewell.adapters.stores.postings import pack_terms
from citewell.core.errors import StoreBusy
from citewell.core.fields import FILTER_FIELDS
from citewell.core.model import Chunk, DocumentInfo, StoredChunk
from citewell.text.terms import TermVector

Analyze = Callable[[Chunk, DocumentInfo], TermVector]


def pack_document(analyze: Analyze, chunks: Iterable[Chunk], info: DocumentInfo) -> bytes:
    """Return the terms of a document as they are stored."""
    return pack_terms([analyze(chunk, info) for chunk in chunks])


def renew_terms(database: Database, analyze: Analyze, version: str) -> None:
    """Make all terms those of the analyzer ``version``, in one transaction.

    While another process writes, or where nobody may, the store goes on with the terms it has; the next start tries again.
    """
    if not _due(database, "analyzer", version):
        return
    with suppress(StoreBusy), database.writing() as connection:
        for row, stored in connection.execute("SELECT id, info FROM documents").fetchall():
            info, text = load_info(stored), read_text(connection, row)
            fields = connection.execute(
                f"SELECT {CHUNK_COLUMNS} FROM chunks c WHERE document = ? ORDER BY position",  # noqa: S608 (a constant)
                (row,),
            )
            terms = pack_document(analyze, [load_chunk(some, text) for some in fields], info)
            connection.execute("UPDATE postings SET terms = ? WHERE document = ?", (terms, row))
        connection.execute("INSERT OR REPLACE INTO facts VALUES ('analyzer', ?)", (version,))
    database.lock.release()


def renew_facets(database: Database) -> None:
    """Make the facets of all documents and chunks those of the fields that can be filtered by now, in one transaction.

    While another process writes, or where nobody may, the store goes on with what it has; the next start tries again.
    """
    names = ",".join(FILTER_FIELDS)
    if not _due(database, "fields", names):
        return
    with suppress(StoreBusy), database.writing() as connection:
        for row, stored in connection.execute("SELECT id, info FROM documents").fetchall():
            _renew_facets(connection, row, load_info(stored))
        connection.execute("INSERT OR REPLACE INTO facts VALUES ('fields', ?)", (names,))
    database.lock.release()


def _renew_facets(connection: sqlite3.Connection, row: int, info: DocumentInfo) -> None:
    connection.execute("UPDATE documents SET facet = ? WHERE id = ?", (intern_facet(connection, info.field), row))
    query = f"SELECT {CHUNK_COLUMNS}, c.position FROM chunks c WHERE document = ?"  # noqa: S608 (a constant)
    for *fields, position in connection.execute(query, (row,)).fetchall():
        facet = intern_facet(connection, StoredChunk(load_chunk(fields, ""), info).field)
        connection.execute("UPDATE chunks SET facet = ? WHERE document = ? AND position = ?", (facet, row, position))


def _due(database: Database, name: str, value: str) -> bool:
    """Say whether the fact ``name`` is not ``value`` and can be made so."""
    with database.reading() as connection:
        found = connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    return database.writable and found != (value,)
