"""Evidence: labelled passages without an address in them, and the citations that the labels stand for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from citewell.core.fields import ISSUE_FIELDS, RELEASE_FIELDS, RESOURCE_FIELDS
from citewell.core.model import StoredChunk
from citewell.core.requests import Hit, Retrieval, SearchResult
from citewell.surfaces.payloads import Payload, present
from citewell.surfaces.shapes.schema import DEGRADED, SCORE, TRUNCATED, Schema, record, records, text
from citewell.text.urls import without_urls

_FIELDS: Final[Mapping[str, str]] = {
    "version": "The version it speaks of.",
    "release_date": "Of that version, as in 2024-10-15.",
    "doc_type": "release or docs.",
    "repo_name": "Of an issue or code.",
    "issue_number": "In its repository.",
    "issue_state": "open or closed.",
    "issue_labels": "Joined by commas.",
    "resource_kind": "Of a manifest, such as Deployment.",
    "resource_name": "Of a manifest.",
    "resource_namespace": "Of a manifest.",
    "file_type": "Such as yaml.",
}

SCHEMA: Final[Schema] = record(
    {
        "evidence": text("Passages, each after its label; no addresses. Empty where nothing matches."),
        "citations": records(
            {
                "id": text("The label, such as c1."),
                "url": text("Where the passage stands. For the interface, not for the answer."),
                "score": SCORE,
                "section": text("Headings or symbol."),
                "file_path": text("In its source."),
                **{name: text(meaning) for name, meaning in _FIELDS.items()},
            },
            ["id", "url", "score"],
            "What the labels stand for, in their order.",
        ),
        "retrieval": record(
            {
                "intent": text("What the question is after."),
                "retrieval_mode": text("How it was searched for."),
                "reason": text("Why so."),
            },
            ["intent", "retrieval_mode", "reason"],
            "How the question was searched for.",
        ),
        "degraded": DEGRADED,
        "truncated": TRUNCATED,
    },
    ["evidence", "citations", "retrieval"],
)


def evidence_payload(result: SearchResult) -> Payload:
    """Return ``result`` as evidence with its citations; an address stands in ``citations[].url`` and nowhere else."""
    payload: Payload = {
        "evidence": evidence_text(result.hits),
        "citations": citations_payload(result.hits),
        "retrieval": _retrieval(result.retrieval),
    }
    return payload | present({"degraded": list(result.degraded)})


def evidence_text(hits: Sequence[Hit]) -> str:
    """Return the texts of ``hits`` without addresses, each after a line with its label, section, version and date."""
    passages = [(_heading(f"c{n}", hit.stored), hit.stored.chunk.text) for n, hit in enumerate(hits, start=1)]
    return "\n\n".join(f"{heading}\n{without_urls(words).strip()}" for heading, words in passages)


def citations_payload(hits: Sequence[Hit]) -> list[Payload]:
    """Return what the labels of `evidence_text` stand for. A key without a value is left out."""
    return [_citation(f"c{n}", hit) for n, hit in enumerate(hits, start=1)]


def _citation(label: str, hit: Hit) -> Payload:
    return {"id": label, "url": hit.stored.url, "score": hit.score, **_optional(hit.stored)}


def _optional(stored: StoredChunk) -> Payload:
    names = (*RELEASE_FIELDS, *ISSUE_FIELDS, *RESOURCE_FIELDS)
    texts = {name: without_urls(stored.field(name) or "") for name in names}
    path = stored.info.path
    return present({"section": without_urls(stored.section), **texts, "file_path": "" if "://" in path else path})


def _heading(label: str, stored: StoredChunk) -> str:
    version, date = (without_urls(stored.field(name) or "") for name in ("version", "release_date"))
    described = [f"version {version}" if version else "", f"released {date}" if date else ""]
    parts = [without_urls(stored.section or stored.info.label), *described]
    return f"[{label}] {', '.join(filter(None, parts))}"


def _retrieval(retrieval: Retrieval) -> Payload:
    return {"intent": retrieval.intent, "retrieval_mode": retrieval.mode, "reason": retrieval.reason}
