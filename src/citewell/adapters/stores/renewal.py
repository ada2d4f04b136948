"""Terms that another version of the analyzer made are made anew."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import suppress

from citewell.adapters.stores.database import Database
from citewell.adapters.stores.documents import CHUNK_COLUMNS, load_chunk, load_info, read_text
from citewell.adapters.stores.postings import pack_terms
from citewell.core.errors import StoreBusy
from citewell.core.model import Chunk, DocumentInfo
from citewell.text.terms import TermVector

Analyze = Callable[[Chunk, DocumentInfo], TermVector]


def pack_document(analyze: Analyze, chunks: Iterable[Chunk], info: DocumentInfo) -> bytes:
    """Return the terms of a document as they are stored."""
    return pack_terms([analyze(chunk, info) for chunk in chunks])


def renew_terms(database: Database, analyze: Analyze, version: str) -> None:
    """Make all terms those of the analyzer ``version``, in one transaction.

    While another process writes, or where nobody may, the store goes on with the terms it has; the next start tries again.
    """
    with database.reading() as connection:
        current = _read_version(connection) == version
    if current or not database.writable:
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


def _read_version(connection: sqlite3.Connection) -> str | None:
    found = connection.execute("SELECT value FROM facts WHERE name = 'analyzer'").fetchone()
    return found and str(found[0])
