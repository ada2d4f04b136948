"""The names of the indexes, of their fields and of Qdrant's collections."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from citewell.adapters.stores.bm25 import K1, B
from citewell.adapters.stores.keywords import identity
from citewell.core.fields import FILTER_FIELDS

KEYWORD: Final = {"type": "keyword"}
UNSEARCHED: Final = {"type": "keyword", "index": False, "doc_values": False}
LONG: Final = {"type": "long"}

PLACE: Final[tuple[str, ...]] = ("collection", "source", "path", "language", "kind")
"""What a document is filtered by, beside its fields."""

DOCUMENT: Final[dict[str, Any]] = dict.fromkeys((*PLACE, *FILTER_FIELDS, "doc_id", "acl", "generation"), KEYWORD)

CHUNKS: Final[dict[str, Any]] = DOCUMENT | {
    "source_id": KEYWORD,
    "chunk_idx": LONG,
    "text": {"type": "text", "index": False},
    "terms": {"type": "text", "analyzer": "whitespace", "similarity": "weighted", "index_options": "freqs"},
    "key": KEYWORD,
    "file": KEYWORD,
    "chunk_id": KEYWORD,
    "passages": KEYWORD,
    "embedded": KEYWORD,
    "chunk": UNSEARCHED,
    "info": UNSEARCHED,
}
FILES: Final[dict[str, Any]] = DOCUMENT | {
    "key": KEYWORD,
    "held": {"type": "boolean"},
    "pinned": {"type": "boolean"},
    "settled": {"type": "boolean"},
    "outcome": KEYWORD,
    "chunk_count": LONG,
    "entry": UNSEARCHED,
    "info": UNSEARCHED,
    "text": {"type": "text", "index": False},
}
PASSAGES: Final[dict[str, Any]] = {
    "hash": KEYWORD,
    "order": KEYWORD,
    "wanted": {"type": "boolean"},
    "placed": {"type": "boolean"},
    "models": KEYWORD,
    "text": UNSEARCHED,
    "vectors": {"type": "object", "enabled": False},
}
STATES: Final[dict[str, Any]] = {"name": KEYWORD, "record": UNSEARCHED}

POINT_KEYWORDS: Final[tuple[str, ...]] = (
    *PLACE,
    *FILTER_FIELDS,
    "acl",
    "generation",
    "file",
    "key",
    "chunk_id",
    "doc_id",
    "source_id",
)
"""The payload of points that filters look at."""


@dataclass(frozen=True, slots=True)
class Names:
    """What everything is called under one prefix."""

    prefix: str

    @property
    def chunks(self) -> str:
        """The index of chunks."""
        return f"{self.prefix}chunks"

    @property
    def files(self) -> str:
        """The index of files: their ledger entries and the documents they led to."""
        return f"{self.prefix}files"

    @property
    def passages(self) -> str:
        """The index of texts to embed and of their vectors."""
        return f"{self.prefix}passages"

    @property
    def states(self) -> str:
        """The index of the states of sources, and of who writes."""
        return f"{self.prefix}states"

    def vectors(self, model: str) -> str:
        """Return the collection of the vectors of ``model``."""
        return self.prefix + model_key(model)

    def model(self, collection: str) -> str | None:
        """Return the key of the model whose vectors ``collection`` holds; None where it is not ours."""
        match = re.fullmatch(re.escape(self.prefix) + r"(?P<key>[a-z0-9_]*_[0-9a-f]{12})", collection)
        return match["key"] if match else None

    def indexes(self) -> tuple[tuple[str, dict[str, Any]], ...]:
        """Return each index with its definition. Only what we refresh is found, so that changes show together."""
        settings: dict[str, Any] = {"number_of_shards": 1, "refresh_interval": "-1"}
        weighted = settings | {"similarity": {"weighted": {"type": "BM25", "k1": K1, "b": B}}}
        fields = ((self.chunks, CHUNKS), (self.files, FILES), (self.passages, PASSAGES), (self.states, STATES))
        return tuple(
            (name, {"settings": weighted if name == self.chunks else settings, "mappings": _mapping(properties)})
            for name, properties in fields
        )


def model_key(model: str) -> str:
    """Return a name of the space ``model`` that is fit for a collection."""
    readable = re.sub(r"[^a-z0-9]+", "_", model.lower()).strip("_")[:40]
    return f"{readable}_{identity(model)[:12]}"


def _mapping(properties: dict[str, Any]) -> dict[str, Any]:
    return {"dynamic": False, "properties": properties}
