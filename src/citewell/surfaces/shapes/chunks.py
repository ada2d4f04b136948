"""Chunks: ids, raw texts and plain RRF scores, for programs that do the rest themselves."""

from __future__ import annotations

from typing import Final

from citewell.core.requests import Hit, SearchResult
from citewell.surfaces.payloads import Payload, present
from citewell.surfaces.shapes.schema import DEGRADED, TRUNCATED, Schema, described, record, records, text

SCHEMA: Final[Schema] = record(
    {
        "chunks": records(
            {
                "id": text("Of the chunk in the index."),
                "text": text("Word for word."),
                "source_id": text("Of the source it comes from."),
                "score": described("number", "Sum of 1 / (60 + rank) over both lists; not comparable between queries."),
            },
            ["id", "text", "source_id", "score"],
            "Best first.",
        ),
        "degraded": DEGRADED,
        "truncated": TRUNCATED,
    },
    ["chunks"],
)


def chunks_payload(result: SearchResult) -> Payload:
    """Return ``result`` as chunks; ``degraded`` is there only where something did not take part."""
    payload: Payload = {"chunks": [_chunk(hit) for hit in result.hits]}
    return payload | present({"degraded": list(result.degraded)})


def _chunk(hit: Hit) -> Payload:
    """Return one chunk. An index that somebody else filled has ids of its own, for the chunk and for its source."""
    stored = hit.stored
    return {
        "id": stored.chunk.metadata.get("engine_id") or stored.shown_id,
        "text": stored.chunk.text,
        "source_id": stored.chunk.metadata.get("source_id") or stored.info.source,
        "score": hit.rrf,
    }
