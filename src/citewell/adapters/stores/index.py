"""The index beside the tables: kept in files, brought up to date by what changed, rebuilt whenever in doubt."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

import numpy as np

from citewell.adapters.stores.database import Database
from citewell.adapters.stores.documents import parse_acl
from citewell.adapters.stores.index_files import IndexFiles
from citewell.adapters.stores.loading import Position, load_documents, load_log, load_vectors, read_position
from citewell.adapters.stores.queue import find_model
from citewell.adapters.stores.segments import Standing, merge_segments
from citewell.adapters.stores.snapshots import Snapshot, Vocabulary, amend, settle
from citewell.adapters.stores.strings import decode
from citewell.adapters.stores.vectors import VectorSpace, extend_space, join_vectors

KEPT_LOG: Final = 10_000
"""How many entries of the log stay for processes that look seldom; one that comes later still reads everything anew."""


class Index:
    """Gives out snapshots that are never older than the moment they were asked for."""

    def __init__(self, database: Database) -> None:
        """Prepare; nothing is read before the first snapshot is asked for."""
        self._database = database
        self._files = IndexFiles(database.folder / "index")
        self._lock = threading.Lock()
        self._snapshot: Snapshot | None = None

    def current(self, model: str = "") -> Snapshot:
        """Return a snapshot of everything that is committed, with the vectors of ``model`` if it has any."""
        snapshot = self._snapshot
        if snapshot is not None and model in {"", *snapshot.spaces}:
            with self._database.reading() as connection:
                if read_position(connection) == (snapshot.position, snapshot.last_vector):
                    return snapshot
        with self._lock, self._database.reading() as connection:
            self._snapshot = self._bring_up(connection, model)
            return self._snapshot

    @property
    def used(self) -> bool:
        """Whether a snapshot was ever asked for."""
        return self._snapshot is not None

    def outdated(self, models: Iterable[str], least: int, share: float) -> list[str]:
        """Return what is worth to be written to files: names of ``models``, and an empty name for the documents.

        Worth it are ``least`` changes at least, and more than a ``share`` of what the file holds.
        """
        snapshot = self.current()
        names = [""] if snapshot.unsaved >= max(least, share * snapshot.saved) else []
        for model in sorted({*models, *snapshot.spaces}):
            space = self.current(model).spaces.get(model)
            if space is not None and space.size - space.saved >= max(least, share * space.saved):
                names.append(model)
        return names

    def save(self, name: str) -> None:
        """Write the vectors of the model ``name``, or the documents, to a file. That makes the next start quick.

        Only the writer may. Raises StoreFull; the file that was there before is still good then.
        """
        snapshot = self.current(name)
        if name:
            self._save_vectors(name, snapshot.spaces[name])
        else:
            self._save_documents(snapshot)

    def _save_documents(self, snapshot: Snapshot) -> None:
        merged = merge_segments(snapshot.parts)
        with self._database.reading() as connection:
            stamp = _read_stamp(connection)
        segment = self._files.write_segment(merged, snapshot.position, stamp)
        with self._database.writing() as connection:
            connection.execute("DELETE FROM log WHERE id <= ?", (snapshot.position.log - KEPT_LOG,))
        with self._lock:
            if self._snapshot is not None and self._snapshot.position == snapshot.position:
                parts = ((segment, Standing.of(segment)),)
                self._snapshot = replace(self._snapshot, parts=parts, saved=len(segment.documents), _cache={})

    def _save_vectors(self, model: str, space: VectorSpace) -> None:
        with self._database.reading() as connection:
            stamp = _read_stamp(connection)
            rows = connection.execute("SELECT passage FROM vectors WHERE model = ?", (space.model,)).fetchall()
        joined = join_vectors(space.segments, keep=np.array(rows, dtype=np.int64).ravel())
        kept = self._files.write_space(space.model, joined, space.last, stamp)
        with self._lock:
            if self._snapshot is not None and self._snapshot.spaces[model].last == space.last:
                self._snapshot = replace(self._snapshot, spaces={**self._snapshot.spaces, model: kept}, _cache={})

    def _bring_up(self, connection: sqlite3.Connection, model: str) -> Snapshot:
        """Return the snapshot of the moment ``connection`` sees."""
        position, last_vector = read_position(connection)
        snapshot = self._snapshot or self._open(connection, position)
        _learn(connection, snapshot.vocabulary)
        if snapshot.position != position:
            snapshot = _advance(connection, snapshot, position) or _rebuild(connection, snapshot, position)
        if self._snapshot is None and not _agrees(connection, snapshot):
            snapshot = _rebuild(connection, snapshot, position)
        spaces = dict(snapshot.spaces)
        for name in {model, *spaces} - {""}:
            space = self._space(connection, spaces.get(name), name)
            if space is not None:
                spaces[name] = space
        return replace(snapshot, spaces=spaces, last_vector=last_vector)

    def _open(self, connection: sqlite3.Connection, position: Position) -> Snapshot:
        """Return what the file holds, or an empty snapshot at the beginning of everything."""
        kept = self._files.read_segment(_read_stamp(connection))
        if kept is None or kept[1].document > position.document or kept[1].log > position.log:
            return Snapshot(Vocabulary(), position=Position(0, position.log))
        segment, reached = kept
        return Snapshot(
            Vocabulary(), position=reached, parts=((segment, Standing.of(segment)),), saved=len(segment.documents)
        )

    def _space(self, connection: sqlite3.Connection, space: VectorSpace | None, name: str) -> VectorSpace | None:
        """Return the vectors of the model ``name`` up to now, from ``space``, from a file or from the table."""
        known = find_model(connection, name)
        if known is None:
            return None
        model, dimension = known
        if space is None:
            kept = self._files.read_space(model, _read_stamp(connection))
            space = kept if kept is not None and kept.dimension == dimension else VectorSpace(model, dimension)
        for passages, matrix, last in load_vectors(connection, model, dimension, space.last):
            space = extend_space(space, passages, matrix, last)
        return space


def _learn(connection: sqlite3.Connection, vocabulary: Vocabulary) -> None:
    for number, tokens in connection.execute("SELECT id, tokens FROM acls WHERE id > ? ORDER BY id", (vocabulary.acls,)):
        vocabulary.add_acl(number, parse_acl(tokens))
    rows = connection.execute("SELECT id, text FROM labels WHERE id > ? ORDER BY id", (vocabulary.last_label,))
    for number, text in rows:
        vocabulary.add_label(number, decode(text))
    vocabulary.facets.learn(connection)


def _advance(connection: sqlite3.Connection, snapshot: Snapshot, position: Position) -> Snapshot | None:
    """Return ``snapshot`` after what happened up to ``position``; None where the log does not reach back far enough."""
    log = load_log(connection, snapshot.position.log)
    if log is None:
        return None
    fresh = [(segment, Standing.of(segment)) for segment in load_documents(connection, snapshot.position.document)]
    parts = settle(amend([*snapshot.parts, *fresh], log), saved=bool(snapshot.saved))
    return replace(snapshot, parts=parts, position=position, _cache={})


def _rebuild(connection: sqlite3.Connection, snapshot: Snapshot, position: Position) -> Snapshot:
    """Return a snapshot made from the tables alone."""
    fresh = [(segment, Standing.of(segment)) for segment in load_documents(connection, 0)]
    return replace(snapshot, parts=settle(fresh, saved=False), position=position, saved=0, _cache={})


def _agrees(connection: sqlite3.Connection, snapshot: Snapshot) -> bool:
    """Say whether the living documents are those of the table, by their number and the sum of their ids."""
    (number, total) = connection.execute("SELECT count(*), coalesce(sum(id), 0) FROM documents").fetchone()
    living = [segment.documents[standing.alive] for segment, standing in snapshot.parts]
    return (number, total) == (sum(map(len, living)), sum(int(rows.sum()) for rows in living))


def _read_stamp(connection: sqlite3.Connection) -> dict[str, str]:
    return dict(connection.execute("SELECT name, value FROM facts").fetchall())
