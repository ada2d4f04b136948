"""Results as JSON objects, in the one form that agents, programs and the command line receive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from citewell.core.errors import CitewellError
from citewell.core.requests import Answer, Citation, DocumentView, Hit, Retrieval, SearchResult, SourceInfo

Payload = dict[str, Any]
"""A JSON object: only strings, numbers, booleans, None, lists and objects of them."""


def search_payload(result: SearchResult) -> Payload:
    """Return the passages found. ``degraded`` and ``cursor`` are present only where they say something."""
    payload: Payload = {
        "results": [hit_payload(hit) for hit in result.hits],
        "retrieval": retrieval_payload(result.retrieval),
    }
    return payload | present({"degraded": list(result.degraded), "cursor": result.cursor})


def hit_payload(hit: Hit) -> Payload:
    """Return one passage: the whole chunk, under the identity that people and agents see."""
    chunk, info = hit.stored.chunk, hit.stored.info
    return {
        "id": hit.stored.shown_id,
        "title": info.label,
        "url": hit.stored.url,
        "text": chunk.text,
        "path": info.path,
        "lines": str(chunk.lines),
        "section": hit.stored.section,
        "version": hit.stored.version,
        "score": hit.score,
    }


def answer_payload(answer: Answer) -> Payload:
    """Return an answer or a refusal. ``reason`` and ``degraded`` are present only where they say something."""
    payload: Payload = {
        "answerable": answer.answerable,
        "answer": answer.text,
        "citations": [citation_payload(citation) for citation in answer.citations],
        "retrieval": retrieval_payload(answer.retrieval),
    }
    return payload | present({"reason": answer.reason, "degraded": list(answer.degraded)})


def citation_payload(citation: Citation) -> Payload:
    """Return where one label of an answer leads."""
    return {
        "id": citation.id,
        "url": citation.url,
        "title": citation.title,
        "path": citation.path,
        "lines": str(citation.lines),
        "section": citation.section,
        "version": citation.version,
        "score": citation.score,
        "quote": citation.quote,
    }


def document_payload(view: DocumentView) -> Payload:
    """Return lines of a document; ``metadata.lines`` says which, ``next_start_line`` where to read on."""
    payload: Payload = {
        "id": view.id,
        "title": view.title,
        "text": view.text,
        "url": view.url,
        "metadata": {**view.metadata, "lines": str(view.lines)},
    }
    return payload | present({"next_start_line": view.next_start_line})


def sources_payload(infos: Sequence[SourceInfo]) -> Payload:
    """Return the sources that the caller may read from."""
    return {"sources": [source_payload(info) for info in infos]}


def source_payload(info: SourceInfo) -> Payload:
    """Return one source with the counts of what the caller may read."""
    return {
        "name": info.name,
        "collection": info.collection,
        "repository": info.repository,
        "commit": info.commit,
        "last_sync": info.last_sync,
        "stale": info.stale,
        "documents": info.documents,
        "chunks": info.chunks,
    }


def retrieval_payload(retrieval: Retrieval) -> Payload:
    """Return how a question was searched for."""
    return {"intent": retrieval.intent, "mode": retrieval.mode, "reason": retrieval.reason}


def error_payload(error: CitewellError) -> Payload:
    """Return an error with its stable code and the message that is safe to show; never its detail."""
    return {"error": {"code": error.code, "message": error.message}}


def present(optional: Mapping[str, Any]) -> Payload:
    """Return the entries of ``optional`` that are neither None nor empty."""
    return {key: value for key, value in optional.items() if value not in (None, [], "")}
