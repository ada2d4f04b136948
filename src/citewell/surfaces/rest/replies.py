"""Results as REST answers them: one form that serves programs, the page and streams."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from citewell.core.citations import Verification
from citewell.core.requests import DocumentList, DocumentView, Hit, SearchResult
from citewell.surfaces.mcp.paging import compact_json
from citewell.surfaces.payloads import Payload, hit_payload, present, retrieval_payload
from citewell.surfaces.rest.failures import HEADERS
from citewell.surfaces.shapes.envelope import snippet_payload
from citewell.surfaces.shapes.evidence import citations_payload


def reply(payload: Mapping[str, Any], status: int = 200) -> Response:
    """Return ``payload`` as a JSON answer; what is not Unicode text in it becomes ``?``."""
    return Response(compact_json(payload), status, headers=HEADERS, media_type="application/json")


def results_payload(query: str, result: SearchResult) -> Payload:
    """Return the passages found for ``query``. ``degraded`` and ``cursor`` are present only where they say something."""
    payload: Payload = {
        "query": query,
        "results": [item_payload(hit) for hit in result.hits],
        "citations": citations_payload(result.hits),
        "retrieval": retrieval_payload(result.retrieval),
    }
    return payload | present({"degraded": list(result.degraded), "cursor": result.cursor})


def item_payload(hit: Hit) -> Payload:
    """Return one passage with everything that the contracts of search name."""
    return {**hit_payload(hit), **snippet_payload(hit), "collection": hit.stored.info.collection}


def view_payload(view: DocumentView) -> Payload:
    """Return a document, or lines of it."""
    return {
        "id": view.id,
        "title": view.title,
        "content": view.text,
        "lines": str(view.lines),
        "url": view.url,
        "metadata": dict(view.metadata),
    }


def verification_payload(verification: Verification) -> Payload:
    """Return what became of every citation, and of the answer as a whole."""
    checked = [
        {"id": each.citation.id, "passage": each.passage, "verdict": each.verdict, "ok": each.ok}
        for each in verification.citations
    ]
    return {"ok": verification.ok, "citations": checked, "uncited": list(verification.uncited)}


def page_payload(page: DocumentList) -> Payload:
    """Return a page of documents."""
    items = [{"id": view.id, "title": view.title, "content": view.text} for view in page.items]
    return {"items": items, "page": page.page, "size": page.size, "total": page.total}
