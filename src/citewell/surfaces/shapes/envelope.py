"""An envelope: snippets, or an error, in one object that says which."""

from __future__ import annotations

from typing import Final

from citewell.core.errors import (
    CitewellError,
    EmbeddingFailed,
    EmptyQuery,
    KnowledgeBaseNotFound,
    NoRelevantResult,
    RetrievalFailed,
    ToolTimeout,
    VectorSearchFailed,
)
from citewell.core.requests import Hit, SearchResult
from citewell.surfaces.payloads import Payload, present
from citewell.surfaces.shapes.schema import DEGRADED, SCORE, TRUNCATED, Schema, described, record, records, text

_KINDS: Final = (
    EmptyQuery,
    KnowledgeBaseNotFound,
    EmbeddingFailed,
    VectorSearchFailed,
    ToolTimeout,
    NoRelevantResult,
    RetrievalFailed,
)
"""What an envelope tells apart; everything else is the last."""

SCHEMA: Final[Schema] = record(
    {
        "ok": described("boolean", "False where the call failed; error then says why."),
        "results": records(
            {
                "doc_id": text("Of the document."),
                "title": text("Of the document."),
                "chunk_id": text("Of the passage."),
                "snippet": text("Its lines that match best, word for word."),
                "score": SCORE,
            },
            ["doc_id", "title", "chunk_id", "snippet", "score"],
            "Best first; empty where the call failed.",
        ),
        "error": record(
            {
                "code": {
                    "type": "string",
                    "enum": [kind.code for kind in _KINDS],
                    "description": "What kind of failure.",
                },
                "message": text("What went wrong, in words."),
            },
            ["code", "message"],
            "Only where ok is false.",
        ),
        "degraded": DEGRADED,
        "truncated": TRUNCATED,
    },
    ["ok", "results"],
)


def envelope_payload(result: SearchResult) -> Payload:
    """Return the snippets found. ``degraded`` is there only where something did not take part."""
    payload: Payload = {"ok": True, "results": [snippet_payload(hit) for hit in result.hits]}
    return payload | present({"degraded": list(result.degraded)})


def failure_payload(error: CitewellError) -> Payload:
    """Return a failure by the code of its kind; one of a kind that an envelope does not tell apart is RETRIEVAL_FAILED."""
    code = next((kind.code for kind in _KINDS if isinstance(error, kind)), RetrievalFailed.code)
    return {"ok": False, "error": {"code": code, "message": error.message}, "results": []}


def snippet_payload(hit: Hit) -> Payload:
    """Return one passage by its best lines."""
    stored = hit.stored
    return {
        "doc_id": stored.info.id,
        "title": stored.info.label,
        "chunk_id": stored.shown_id,
        "snippet": hit.snippet,
        "score": hit.score,
    }
