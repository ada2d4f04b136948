"""The tables of the embedded store, and how an older store becomes a current one.

SQLite holds the truth; everything in the ``index`` folder is computed from it. Names and paths are stored as bytes, so that
file names which are not valid Unicode survive.
"""

from __future__ import annotations

import sqlite3
import uuid
from typing import Final

from citewell.core.errors import StoreCorrupt, StoreError

APPLICATION_ID: Final = 0x43697465
"""Marks the file as ours: "Cite" in ASCII."""

_VERSION_1: Final = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE acls (id INTEGER PRIMARY KEY, tokens TEXT NOT NULL UNIQUE);
CREATE TABLE labels (id INTEGER PRIMARY KEY, text BLOB NOT NULL UNIQUE);
CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source INTEGER NOT NULL, path BLOB NOT NULL, name BLOB NOT NULL, acl INTEGER NOT NULL,
    collection INTEGER NOT NULL, language INTEGER NOT NULL, kind INTEGER NOT NULL, version INTEGER NOT NULL,
    chunks INTEGER NOT NULL, info TEXT NOT NULL,
    UNIQUE (source, path)
);
CREATE INDEX documents_by_name ON documents (name);
CREATE TABLE texts (document INTEGER PRIMARY KEY, text BLOB NOT NULL);
CREATE TABLE chunks (
    document INTEGER NOT NULL, position INTEGER NOT NULL, name BLOB NOT NULL, ordinal INTEGER NOT NULL,
    start INTEGER NOT NULL, "end" INTEGER NOT NULL, first_line INTEGER NOT NULL, last_line INTEGER NOT NULL,
    fields TEXT NOT NULL,
    PRIMARY KEY (document, position)
) WITHOUT ROWID;
CREATE INDEX chunks_by_name ON chunks (name);
CREATE TABLE passages (id INTEGER PRIMARY KEY AUTOINCREMENT, hash BLOB NOT NULL UNIQUE);
CREATE TABLE windows (
    document INTEGER NOT NULL, chunk INTEGER NOT NULL, position INTEGER NOT NULL, passage INTEGER NOT NULL,
    PRIMARY KEY (document, chunk, position)
) WITHOUT ROWID;
CREATE INDEX windows_by_passage ON windows (passage);
CREATE TABLE postings (document INTEGER PRIMARY KEY, terms BLOB NOT NULL);
CREATE TABLE models (id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE, dimension INTEGER NOT NULL);
CREATE TABLE vectors (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    passage INTEGER NOT NULL, model INTEGER NOT NULL, vector BLOB NOT NULL,
    UNIQUE (passage, model)
);
CREATE TABLE log (id INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL, acl INTEGER);
CREATE TABLE ledger (
    source INTEGER NOT NULL, path BLOB NOT NULL, outcome TEXT NOT NULL, reason TEXT NOT NULL,
    fingerprint TEXT NOT NULL, recipe TEXT NOT NULL, document BLOB NOT NULL,
    PRIMARY KEY (source, path)
) WITHOUT ROWID;
CREATE TABLE states (source INTEGER PRIMARY KEY, state TEXT NOT NULL);
"""

_VERSION_2: Final = """
ALTER TABLE documents ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
DROP INDEX documents_by_name;
CREATE INDEX documents_by_name ON documents (name, acl)
"""
"""The index answers whether a reader may see a document, so that the row of a hidden one is not even looked at."""

_VERSION_3: Final = """
CREATE TABLE facets (id INTEGER PRIMARY KEY, fields TEXT NOT NULL UNIQUE);
ALTER TABLE documents ADD COLUMN facet INTEGER NOT NULL DEFAULT 0;
ALTER TABLE chunks ADD COLUMN facet INTEGER NOT NULL DEFAULT 0
"""
"""A facet is the fields that a document or chunk can be filtered by, all in one; 0 has none. `renew_facets` fills them in."""

MIGRATIONS: tuple[str, ...] = (_VERSION_1, _VERSION_2, _VERSION_3)
"""Script n makes a store of version n one of version n + 1. Scripts are only ever added."""


def prepare(connection: sqlite3.Connection, *, writable: bool) -> None:
    """Bring the store to the current version. Raises StoreCorrupt for one that is foreign or from a later citewell.

    Raises StoreError for one from an earlier citewell that may not be written.
    """
    version = _check(connection)
    if version and version < len(MIGRATIONS) and not writable:
        raise StoreError(
            "The store is from an earlier citewell. Open it once where it may be written, as `citewell sync` does."
        )
    if version == len(MIGRATIONS) or not writable:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have been quicker.
        for script in MIGRATIONS[_check(connection) :]:
            for statement in script.split(";"):
                connection.execute(statement)
        connection.execute("INSERT OR IGNORE INTO facts VALUES ('store', ?)", (uuid.uuid4().hex,))
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _check(connection: sqlite3.Connection) -> int:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if tables and application != APPLICATION_ID:
        raise StoreCorrupt("The file is a database, but not a citewell store. Give the store a folder of its own.")
    if version > len(MIGRATIONS):
        raise StoreCorrupt("The store was written by a later version of citewell. Update citewell to open it.")
    return int(version)
