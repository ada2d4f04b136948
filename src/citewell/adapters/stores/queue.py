"""Passages and their vectors in SQL: what waits, what is there, and what nobody needs any more.

Vectors are kept in half precision. Its rounding changes a similarity by about 1e-5, a fortieth of what the int8 models behind
them are uncertain by, and halves the largest part of the store.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

from citewell.adapters.stores.documents import CHUNK_COLUMNS, load_chunk, load_info, read_text
from citewell.adapters.stores.strings import decode, encode
from citewell.adapters.stores.vetting import vet_vectors
from citewell.core.model import DocumentInfo, PassageHash
from citewell.core.ports import Passage

if TYPE_CHECKING:
    from citewell.core.ports import Vectors

SPARE_PASSAGES: Final = 20_000
"""How many passages of documents that are gone keep their vectors, so that a rename or a revert embeds nothing anew."""


def find_model(connection: sqlite3.Connection, name: str) -> tuple[int, int] | None:
    """Return the number and the dimension of a model, or None while it has no vector."""
    found = connection.execute("SELECT id, dimension FROM models WHERE name = ?", (encode(name),)).fetchone()
    return found and (int(found[0]), int(found[1]))


def read_pending(connection: sqlite3.Connection, model: str, limit: int) -> list[Passage]:
    """Return passages without a vector of ``model``, oldest first."""
    known = find_model(connection, model)
    rows = connection.execute(
        "SELECT p.hash, w.document, w.chunk, w.position FROM passages p JOIN windows w ON w.passage = p.id"
        " WHERE NOT EXISTS (SELECT 1 FROM vectors v WHERE v.passage = p.id AND v.model = ?)"
        " GROUP BY p.id ORDER BY p.id LIMIT ?",
        (known and known[0], limit),
    ).fetchall()
    documents = {row: _read_source(connection, row) for row in {row for _, row, _, _ in rows}}
    return [
        Passage(PassageHash(decode(name)), _passage(connection, row, chunk, window, *documents[row]))
        for name, row, chunk, window in rows
    ]


def write_vectors(connection: sqlite3.Connection, model: str, vectors: Mapping[PassageHash, Vectors]) -> None:
    """Store the vectors of known passages that have none yet. Raises WrongDimension or EmbeddingFailed."""
    known = find_model(connection, model)
    vetted = vet_vectors(vectors, known and known[1])
    passages = [(passage, vector) for name, vector in vetted.items() for passage in _find_passage(connection, name)]
    if not passages:
        return
    if known is None:
        inserted = connection.execute(
            "INSERT INTO models (name, dimension) VALUES (?, ?) RETURNING id, dimension", (encode(model), passages[0][1].size)
        )
        known = inserted.fetchone()
    connection.executemany(
        "INSERT OR IGNORE INTO vectors (passage, model, vector) VALUES (?, ?, ?)",
        [(passage, known[0], vector.astype(np.float16).tobytes()) for passage, vector in passages],
    )


def read_progress(connection: sqlite3.Connection, model: str) -> tuple[int, int]:
    """Return how many passages in use have a vector of ``model``, and how many are in use."""
    known = find_model(connection, model)
    row = connection.execute(
        "SELECT count(v.passage), count(*) FROM (SELECT DISTINCT passage FROM windows) w"
        " LEFT JOIN vectors v ON v.passage = w.passage AND v.model = ?",
        (known and known[0],),
    ).fetchone()
    return int(row[0]), int(row[1])


def release_passages(connection: sqlite3.Connection, passages: Iterable[int]) -> None:
    """Forget those of ``passages`` that are in no document and have no vector."""
    connection.executemany(
        "DELETE FROM passages WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM windows WHERE passage = ?1)"
        " AND NOT EXISTS (SELECT 1 FROM vectors WHERE passage = ?1)",
        [(passage,) for passage in passages],
    )


def drop_spare_vectors(connection: sqlite3.Connection, bound: int = SPARE_PASSAGES) -> None:
    """Where more than ``bound`` passages are in no document any more, take all of these away with their vectors."""
    spare = "SELECT id FROM passages WHERE NOT EXISTS (SELECT 1 FROM windows WHERE passage = passages.id)"
    (count,) = connection.execute(f"SELECT count(*) FROM ({spare})").fetchone()  # noqa: S608 (a constant)
    if count > bound:
        connection.execute(f"DELETE FROM vectors WHERE passage IN ({spare})")  # noqa: S608
        connection.execute(f"DELETE FROM passages WHERE id IN ({spare})")  # noqa: S608


def _find_passage(connection: sqlite3.Connection, name: PassageHash) -> list[int]:
    return [row for (row,) in connection.execute("SELECT id FROM passages WHERE hash = ?", (encode(name),))]


def _read_source(connection: sqlite3.Connection, row: int) -> tuple[DocumentInfo, str]:
    (info,) = connection.execute("SELECT info FROM documents WHERE id = ?", (row,)).fetchone()
    return load_info(info), read_text(connection, row)


def _passage(connection: sqlite3.Connection, row: int, place: int, window: int, info: DocumentInfo, text: str) -> str:
    fields = connection.execute(
        f"SELECT {CHUNK_COLUMNS} FROM chunks c WHERE document = ? AND position = ?",  # noqa: S608 (a constant)
        (row, place),
    ).fetchone()
    chunk = load_chunk(fields, text)
    return chunk.passage(chunk.windows[window], info.title)
