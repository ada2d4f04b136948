"""Fills an index and a Qdrant collection as somebody else does who knows nothing of citewell: four fields, over HTTP."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from typing import Any
from urllib.request import Request, urlopen

FIELDS = ("source_id", "doc_id", "chunk_idx", "text")
STRICT = {name: {"type": kind} for name, kind in zip(FIELDS, ("keyword", "keyword", "integer", "text"), strict=True)}
LOOSE = {name: {"type": "text"} for name in FIELDS}
LEFT_TO_THE_ENGINE: dict[str, Any] = {}

CHUNKS: list[dict[str, Any]] = [
    {"source_id": "runbooks", "doc_id": "kettles/boil.md", "chunk_idx": 0, "text": "kettles boil faster"},
    {"source_id": "runbooks", "doc_id": "kettles/boil.md", "chunk_idx": 1, "text": "cups are\nwarmer"},
    {"source_id": "guides", "doc_id": "issue 17: lid", "chunk_idx": 0, "text": "the kettle does not boil"},
]
VECTORS = ([1.0, 0.0], [0.8, 0.6], [0.0, 1.0])


def fill_index(
    elastic: str, name: str, rows: Sequence[dict[str, Any]] = CHUNKS, properties: dict[str, Any] | None = None
) -> None:
    """Create the index ``name`` with ``properties``, or with those that the engine makes of ``rows``, and fill it."""
    given = STRICT if properties is None else properties
    send("PUT", f"{elastic}/{name}", {"mappings": {"properties": given}})
    lines: list[dict[str, Any]] = []
    for row in rows:
        lines += [{"index": {"_index": name, "_id": engine_id(row)}}, row]
    send("POST", f"{elastic}/_bulk?refresh=true", lines)


def fill_points(
    qdrant: str, name: str, rows: Sequence[dict[str, Any]] = CHUNKS, vectors: Sequence[Any] = VECTORS, using: str = ""
) -> None:
    """Create the collection ``name``, of unnamed vectors or of those called ``using``, and fill it."""
    size = {"size": len(vectors[0]), "distance": "Cosine"}
    send("PUT", f"{qdrant}/collections/{name}", {"vectors": {using: size} if using else size})
    points = [
        {"id": str(uuid.uuid5(uuid.NAMESPACE_URL, str(place))), "vector": {using: row} if using else row, "payload": payload}
        for place, (payload, row) in enumerate(zip(rows, vectors, strict=True))
    ]
    send("PUT", f"{qdrant}/collections/{name}/points?wait=true", {"points": points})


def engine_id(row: dict[str, Any]) -> str:
    """Return the id that the filling gives a chunk in the index."""
    return f"{row.get('source_id')}-{row.get('chunk_idx')}"


def drop(address: str) -> None:
    """Delete what is at ``address``."""
    urlopen(Request(address, method="DELETE")).close()


def send(method: str, url: str, body: Any) -> None:
    """Send ``body``; a list as one line of JSON for each."""
    lines = isinstance(body, list)
    content = "".join(json.dumps(line) + "\n" for line in body) if lines else json.dumps(body)
    kind = "application/x-ndjson" if lines else "application/json"
    with urlopen(Request(url, data=content.encode(), method=method, headers={"content-type": kind})) as answer:
        assert not json.loads(answer.read()).get("errors")
