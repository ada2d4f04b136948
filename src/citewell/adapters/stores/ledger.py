"""The ledger and the states of sources in SQL."""

from __future__ import annotations

import json
import sqlite3
from typing import Final

from citewell.adapters.stores.documents import find_label, intern_label, parse_acl
from citewell.adapters.stores.strings import decode, encode
from citewell.core.access import Tokens, may_read
from citewell.core.model import LedgerEntry
from citewell.core.ports import Recorded, SourceState

_FIELDS: Final = ("name", "collection", "repository", "commit", "synced_at", "complete", "access")


def write_entry(connection: sqlite3.Connection, source: int, entry: LedgerEntry) -> None:
    """Write ``entry`` in place of an earlier one of its path."""
    connection.execute(
        "INSERT OR REPLACE INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            source,
            encode(entry.path),
            entry.outcome,
            entry.reason,
            entry.fingerprint,
            entry.recipe,
            encode(entry.document_id),
        ),
    )


def erase_entry(connection: sqlite3.Connection, source: int, path: str) -> None:
    """Take the entry of ``path`` away."""
    connection.execute("DELETE FROM ledger WHERE source = ? AND path = ?", (source, encode(path)))


def read_ledger(connection: sqlite3.Connection, source: str) -> dict[str, Recorded]:
    """Return the ledger of a source by path, with the ACL of the document that is kept for the path now."""
    rows = connection.execute(
        "SELECT l.path, l.outcome, l.reason, l.fingerprint, l.recipe, l.document, a.tokens, d.pinned FROM ledger l"
        " LEFT JOIN documents d ON d.source = l.source AND d.path = l.path LEFT JOIN acls a ON a.id = d.acl"
        " WHERE l.source = ? ORDER BY l.path",
        (find_label(connection, source),),
    )
    entries: dict[str, Recorded] = {}
    for path, outcome, reason, fingerprint, recipe, document, tokens, pinned in rows:
        entry = LedgerEntry(
            path=decode(path),
            outcome=outcome,
            reason=reason,
            fingerprint=fingerprint,
            recipe=recipe,
            document_id=decode(document),
        )
        entries[entry.path] = Recorded(entry, parse_acl(tokens) if tokens is not None else None, bool(pinned))
    return entries


def count_outdated(connection: sqlite3.Connection, visible: Tokens) -> dict[str, int]:
    """Return by source how many visible documents are kept although their file failed when it was last read."""
    rows = connection.execute(
        "SELECT s.text, a.tokens, count(*) FROM ledger l JOIN documents d ON d.source = l.source AND d.path = l.path"
        " JOIN acls a ON a.id = d.acl JOIN labels s ON s.id = d.source WHERE l.outcome = 'failed' GROUP BY d.source, d.acl"
    )
    counts: dict[str, int] = {}
    for name, tokens, number in rows:
        if may_read(parse_acl(tokens), visible):
            counts[decode(name)] = counts.get(decode(name), 0) + number
    return counts


def write_state(connection: sqlite3.Connection, state: SourceState) -> None:
    """Write ``state`` in place of an earlier one."""
    values = json.dumps({name: getattr(state, name) for name in _FIELDS})
    connection.execute("INSERT OR REPLACE INTO states VALUES (?, ?)", (intern_label(connection, state.name), values))


def read_states(connection: sqlite3.Connection) -> dict[str, SourceState]:
    """Return the states that were written, by name."""
    states = (SourceState(**json.loads(state)) for (state,) in connection.execute("SELECT state FROM states"))
    return {state.name: state for state in states}


def read_all_states(connection: sqlite3.Connection) -> tuple[SourceState, ...]:
    """Return a state for every source that left anything in the store, by name."""
    states = read_states(connection)
    rows = connection.execute(
        "SELECT s.id, s.text FROM labels s WHERE EXISTS (SELECT 1 FROM documents d WHERE d.source = s.id)"
        " OR EXISTS (SELECT 1 FROM ledger l WHERE l.source = s.id) OR s.id IN (SELECT source FROM states) ORDER BY s.text"
    )
    named = [(source, decode(name)) for source, name in rows]
    return tuple(states.get(name) or unfinished(name, _collection(connection, source)) for source, name in named)


def _collection(connection: sqlite3.Connection, source: int) -> str:
    (name,) = connection.execute(
        "SELECT min(c.text) FROM documents d JOIN labels c ON c.id = d.collection WHERE d.source = ?", (source,)
    ).fetchone()
    return decode(name or b"")


def unfinished(name: str, collection: str) -> SourceState:
    """Return the state of a source whose first sync has not ended."""
    return SourceState(name=name, collection=collection, complete=False)


def erase_ledger(connection: sqlite3.Connection, source: int) -> None:
    """Take the ledger and the state of a source away."""
    connection.execute("DELETE FROM ledger WHERE source = ?", (source,))
    connection.execute("DELETE FROM states WHERE source = ?", (source,))
