"""Hits: ranked passages with permalinks; answers with their sources and the trace of the call."""

from __future__ import annotations

from typing import Final

from citewell.core.requests import Answer, Citation, Hit, SearchResult
from citewell.surfaces.payloads import Payload, present, retrieval_payload
from citewell.surfaces.shapes.schema import DEGRADED, RETRIEVAL, SCORE, TRUNCATED, Schema, described, record, records, text
from citewell.trace import Trace

_PLACE: Final = {
    "path": text("In its source; for reading on."),
    "lines": text("Such as 12-20."),
    "title": text("Headings or symbol."),
    "score": SCORE,
    "permalink": text("Of these lines; to cite."),
}

SEARCH_SCHEMA: Final[Schema] = record(
    {
        "results": records(
            {
                "rank": described("integer", "From 1."),
                **_PLACE,
                "kind": text("Of file, such as markdown or python."),
                "text": text("Word for word."),
            },
            ["rank", "path", "lines", "title", "kind", "score", "permalink", "text"],
            "Best first.",
        ),
        "retrieval": RETRIEVAL,
        "degraded": DEGRADED,
        "cursor": text("Continues the list; absent at its end."),
        "truncated": TRUNCATED,
    },
    ["results", "retrieval"],
)

ASK_SCHEMA: Final[Schema] = record(
    {
        "answerable": described("boolean", "Whether the sources answer."),
        "answer": text("Sentences with labels; empty for a refusal."),
        "sources": records(
            {"id": text("Label, such as c1."), **_PLACE, "quote": text("Word for word.")},
            ["id", "path", "lines", "title", "score", "permalink", "quote"],
            "By label.",
        ),
        "reason": text("Of a refusal."),
        "trace": record(
            {
                "retrieval": RETRIEVAL,
                "stages": {
                    "type": "object",
                    "description": "Milliseconds per stage.",
                    "additionalProperties": {"type": "number"},
                },
            },
            ["retrieval", "stages"],
            "How the answer came about.",
        ),
        "degraded": DEGRADED,
    },
    ["answerable", "answer", "sources", "trace"],
)


def hits_payload(result: SearchResult) -> Payload:
    """Return the passages found, ranked from 1 on. ``degraded`` and ``cursor`` are there only where they say something."""
    payload: Payload = {
        "results": [_hit(rank, hit) for rank, hit in enumerate(result.hits, start=1)],
        "retrieval": retrieval_payload(result.retrieval),
    }
    return payload | present({"degraded": list(result.degraded), "cursor": result.cursor})


def answer_hits_payload(answer: Answer, trace: Trace) -> Payload:
    """Return an answer or a refusal with its sources, and how long which stage of ``trace`` took."""
    payload: Payload = {
        "answerable": answer.answerable,
        "answer": answer.text,
        "sources": [_source(citation) for citation in answer.citations],
        "trace": {"retrieval": retrieval_payload(answer.retrieval), "stages": _stages(trace)},
    }
    return payload | present({"reason": answer.reason, "degraded": list(answer.degraded)})


def _hit(rank: int, hit: Hit) -> Payload:
    chunk, info = hit.stored.chunk, hit.stored.info
    return {
        "rank": rank,
        "path": info.path,
        "lines": str(chunk.lines),
        "title": hit.stored.section or info.label,
        "kind": info.kind,
        "score": hit.score,
        "permalink": hit.stored.url,
        "text": chunk.text,
    }


def _source(citation: Citation) -> Payload:
    return {
        "id": citation.id,
        "path": citation.path,
        "lines": str(citation.lines),
        "title": citation.section or citation.title,
        "score": citation.score,
        "permalink": citation.url,
        "quote": citation.quote,
    }


def _stages(trace: Trace) -> dict[str, float]:
    spent: dict[str, float] = {}
    for name, milliseconds in trace.stages:
        spent[name] = round(spent.get(name, 0.0) + milliseconds, 3)
    return spent
