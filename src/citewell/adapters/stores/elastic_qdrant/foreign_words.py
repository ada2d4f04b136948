"""What is asked of the BM25 of an index that somebody else filled, and how much of a query it reached."""

from __future__ import annotations

from typing import Any, Final

from citewell.adapters.stores.bm25 import inverse_document_frequency

JOINED: Final = ["source_id", "doc_id", "chunk_idx"]
"""The fields that say which passage a row is."""

MOST_WORDS: Final = 200
LARGEST_FACTOR: Final = 2.2
"""What the engine's BM25 multiplies a term's worth by at most: its k1 of 1.2, and 1."""


def rank_words(text: str, size: int) -> dict[str, Any]:
    """Return the search for the ``size`` best passages."""
    return {"size": size, "query": {"match": {"text": {"query": text}}}, "_source": JOINED}


def _words(text: str) -> list[str]:
    return list(dict.fromkeys(text.split()))[:MOST_WORDS]


def count_words(text: str) -> dict[str, Any]:
    """Return the search that counts the passages of each word, as the index's own analyzer understands it."""
    each = {str(place): {"match": {"text": {"query": word}}} for place, word in enumerate(_words(text))}
    return {"size": 0, "track_total_hits": True, "aggs": {"words": {"filters": {"filters": each}}}}


def reach_of(text: str, counts: dict[str, Any]) -> tuple[float, float]:
    """Return how much of the query occurs, by inverse document frequency, and what no score exceeds."""
    buckets = (counts["aggregations"].get("words") or {"buckets": {}})["buckets"]
    total = counts["hits"]["total"]["value"]
    known = [buckets[str(place)]["doc_count"] for place in range(len(_words(text))) if str(place) in buckets]
    worth = [(inverse_document_frequency(total, count), count) for count in known]
    whole = sum(value for value, _ in worth)
    return (sum(value for value, count in worth if count) / whole if whole else 0.0), whole * LARGEST_FACTOR
