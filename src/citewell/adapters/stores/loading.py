"""From the tables of SQLite to arrays: what is new since a position, and nothing else."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from citewell.adapters.stores.postings import Postings, merge_postings, unpack_terms
from citewell.adapters.stores.segments import LABELS, Segment
from citewell.adapters.stores.strings import Strings

if TYPE_CHECKING:
    from numpy.typing import NDArray

DOCUMENTS_AT_ONCE: Final = 4096
VECTORS_AT_ONCE: Final = 16384


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """How far the tables were read: the newest document and the newest entry of the log that were seen."""

    document: int = 0
    log: int = 0


def read_position(connection: sqlite3.Connection) -> tuple[Position, int]:
    """Return how far the tables go, and the number of the newest vector there ever was."""
    last = dict(connection.execute("SELECT name, seq FROM sqlite_sequence").fetchall())
    return Position(last.get("documents", 0), last.get("log", 0)), last.get("vectors", 0)


def load_documents(connection: sqlite3.Connection, after: int) -> Iterator[Segment]:
    """Yield the documents numbered above ``after`` in segments of bounded size."""
    while True:
        rows = connection.execute(
            f"SELECT id, acl, facet, {', '.join(LABELS)}, chunks, path FROM documents"  # noqa: S608 (constants)
            " WHERE id > ? ORDER BY id LIMIT ?",
            (after, DOCUMENTS_AT_ONCE),
        ).fetchall()
        if not rows:
            return
        yield _load_segment(connection, rows)
        after = rows[-1][0]


def load_log(connection: sqlite3.Connection, after: int) -> list[tuple[int, int | None]] | None:
    """Return the documents that were removed (None) or got another ACL since ``after``; None where the log does not reach."""
    position, _ = read_position(connection)
    rows = connection.execute("SELECT document, acl FROM log WHERE id > ? ORDER BY id", (after,)).fetchall()
    return rows if len(rows) == position.log - after else None


def load_vectors(
    connection: sqlite3.Connection, model: int, dimension: int, after: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float16], int]]:
    """Yield passages, vectors and the number of the last of them, for the vectors of ``model`` numbered above ``after``."""
    while True:
        rows = connection.execute(
            "SELECT id, passage, vector FROM vectors WHERE model = ? AND id > ? ORDER BY id LIMIT ?",
            (model, after, VECTORS_AT_ONCE),
        ).fetchall()
        if not rows:
            return
        passages = np.fromiter((passage for _, passage, _ in rows), dtype=np.int64, count=len(rows))
        matrix = np.frombuffer(b"".join(vector for _, _, vector in rows), dtype=np.float16).reshape(len(rows), dimension)
        after = rows[-1][0]
        yield passages, matrix, after


def _load_segment(connection: sqlite3.Connection, rows: list[tuple[int, ...]]) -> Segment:
    """Return the segment of consecutive ``rows`` of documents."""
    span = (rows[0][0], rows[-1][0])
    numbers = np.array([row[:-1] for row in rows], dtype=np.int64)
    firsts = np.cumsum(numbers[:, -1]) - numbers[:, -1]
    chunks = connection.execute(
        "SELECT name, facet FROM chunks WHERE document BETWEEN ? AND ? ORDER BY document, position", span
    ).fetchall()
    windows = np.array(
        connection.execute("SELECT document, chunk, passage FROM windows WHERE document BETWEEN ? AND ?", span).fetchall(),
        dtype=np.int64,
    ).reshape(-1, 3)
    blobs = connection.execute("SELECT terms FROM postings WHERE document BETWEEN ? AND ? ORDER BY document", span)
    unpacked = [unpack_terms(blob) for (blob,) in blobs]
    parts: list[tuple[Postings, NDArray[np.int32]]] = [
        (postings, np.arange(first, first + len(lengths), dtype=np.int32))
        for first, (postings, lengths) in zip(firsts.tolist(), unpacked, strict=True)
    ]
    owners = np.searchsorted(numbers[:, 0], windows[:, 0])
    return Segment(
        documents=numbers[:, 0].copy(),
        acls=numbers[:, 1].astype(np.int32),
        facets=numbers[:, 2].astype(np.int32),
        labels=numbers[:, 3:-1].astype(np.int32),
        paths=Strings.of([bytes(row[-1]) for row in rows]),
        chunk_documents=np.repeat(np.arange(len(rows), dtype=np.int32), numbers[:, -1]),
        chunk_lengths=np.concatenate([lengths for _, lengths in unpacked]),
        chunk_names=Strings.of([name for name, _ in chunks]),
        chunk_facets=np.fromiter((facet for _, facet in chunks), dtype=np.int32, count=len(chunks)),
        window_chunks=(firsts[owners] + windows[:, 1]).astype(np.int32),
        window_passages=windows[:, 2].copy(),
        postings=merge_postings(parts),
    )
