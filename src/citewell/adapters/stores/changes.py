"""Changes as transactions: each whole or not at all, its entry in the ledger included."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from itertools import groupby

from citewell.adapters.stores.database import Database
from citewell.adapters.stores.documents import (
    change_acls,
    delete_document,
    find_document,
    find_label,
    insert_document,
    intern_acl,
    intern_label,
    pin_acl,
    pinned_acl,
)
from citewell.adapters.stores.ledger import erase_entry, erase_ledger, write_entry
from citewell.adapters.stores.queue import release_passages
from citewell.adapters.stores.renewal import Analyze, pack_document
from citewell.core.ports import Change, Note, PinAccess, Remove, Replace, SetAccess


def apply_changes(database: Database, analyze: Analyze, changes: Sequence[Change]) -> None:
    """Apply ``changes`` in order; ``analyze`` gives the terms of new chunks. Raises StoreBusy or StoreFull.

    Each is a transaction of its own, but for ACLs that follow one another: changed rules hold for all documents at once.
    """
    for kind, together in groupby(changes, type):
        if kind is SetAccess:
            _set_access(database, [change for change in together if isinstance(change, SetAccess)])
        else:
            for change in together:
                _apply(database, analyze, change)


def _apply(database: Database, analyze: Analyze, change: Change) -> None:
    match change:
        case Replace():
            terms = pack_document(analyze, change.chunks, change.document.info)
            with database.writing() as connection:
                _replace(connection, change, terms)
        case Remove():
            with database.writing() as connection:
                _remove(connection, change)
        case PinAccess():
            with database.writing() as connection:
                row = _find(connection, change.source, change.path)
                if row is not None:
                    pin_acl(connection, row, change.acl)
        case Note():
            with database.writing() as connection:
                write_entry(connection, intern_label(connection, change.source), change.entry)


def erase_source(connection: sqlite3.Connection, source: str) -> None:
    """Take a source away with its documents, ledger and state."""
    label = find_label(connection, source)
    if label is not None:
        documents = connection.execute("SELECT id FROM documents WHERE source = ?", (label,)).fetchall()
        passages = [passage for (row,) in documents for passage in delete_document(connection, row)]
        release_passages(connection, passages)
        erase_ledger(connection, label)


def _replace(connection: sqlite3.Connection, change: Replace, terms: bytes) -> None:
    info = change.document.info
    row = _find(connection, info.source, info.path)
    own = pinned_acl(connection, row) if row is not None else None
    passages = delete_document(connection, row) if row is not None else []
    new = insert_document(connection, change.document, change.chunks, terms)
    if own is not None:
        pin_acl(connection, new, own)
    # Only now: the new document may share passages with the old one, which then keep their places in the queue.
    release_passages(connection, passages)
    write_entry(connection, intern_label(connection, info.source), change.entry)


def _set_access(database: Database, changes: Sequence[SetAccess]) -> None:
    with database.writing() as connection:
        sources = {name: find_label(connection, name) for name in {change.source for change in changes}}
        acls = {acl: intern_acl(connection, acl) for acl in {change.acl for change in changes}}
        change_acls(connection, [(acls[change.acl], sources[change.source], change.path) for change in changes])


def _remove(connection: sqlite3.Connection, change: Remove) -> None:
    row = _find(connection, change.source, change.path)
    if row is not None:
        release_passages(connection, delete_document(connection, row))
    source = find_label(connection, change.source)
    if source is not None:
        erase_entry(connection, source, change.path)
    if change.entry is not None:
        write_entry(connection, intern_label(connection, change.source), change.entry)


def _find(connection: sqlite3.Connection, source: str, path: str) -> int | None:
    label = find_label(connection, source)
    return None if label is None else find_document(connection, label, path)
