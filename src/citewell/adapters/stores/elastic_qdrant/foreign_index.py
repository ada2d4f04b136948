"""The two halves of a foreign collection: what their fields are, and what one row of either says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from qdrant_client import models

from citewell.adapters.stores.elastic_qdrant.text_engine import MISSING, TextEngine
from citewell.adapters.stores.elastic_qdrant.vector_engine import VectorEngine
from citewell.core.errors import ConfigurationError, WrongDimension

FIELDS: Final = ("source_id", "doc_id", "chunk_idx", "text")
EXACT_TYPES: Final = frozenset({"keyword", "constant_keyword", "wildcard"})
LARGEST: Final = {"byte": 2**7, "short": 2**15, "integer": 2**31, "long": 2**63, "unsigned_long": 2**64}
"""What a field of whole numbers holds is below; an engine refuses a question for more."""

_WHOLE = re.compile(r"-?[0-9]{1,20}")


@dataclass(frozen=True, slots=True)
class ExactField:
    """A field that is asked for by its whole value. ``name`` is the part of it that keeps that, empty where none does.

    ``below`` bounds a field of whole numbers and is 0 for others.
    """

    field: str
    name: str
    below: int = 0

    def is_any(self, values: Sequence[str]) -> dict[str, Any]:
        """Return the condition that the field is one of ``values``; where no part keeps it whole, they are only close."""
        if not self.name:
            phrases = [{"match_phrase": {self.field: value}} for value in values]
            return {"bool": {"should": phrases, "minimum_should_match": 1}}
        return {"terms": {self.name: [value for value in values if self._may_be(value)]}}

    def _may_be(self, value: str) -> bool:
        return not self.below or (_WHOLE.fullmatch(value) is not None and abs(int(value)) < self.below)


@dataclass(frozen=True, slots=True)
class Passage:
    """A row of either engine: the four fields as texts and a number."""

    source_id: str
    doc_id: str
    chunk_idx: int
    text: str


class ForeignIndex:
    """An index that somebody else filled. It is looked at when it is first used."""

    def __init__(self, engine: TextEngine, name: str) -> None:
        self._engine = engine
        self._name = name
        self._fields: dict[str, ExactField] = {}

    async def fields(self) -> Mapping[str, ExactField]:
        """Return ``source_id``, ``doc_id`` and ``chunk_idx``. Raises ConfigurationError that names what is missing."""
        if not self._fields:
            reply = await self._engine.send("GET", f"/{self._name}/_mapping", may_be=(MISSING,))
            if reply.status == MISSING:
                raise ConfigurationError(f"There is no Elasticsearch index {self._name!r}.")
            properties: dict[str, Any] = {}
            for index in reply.body.values():
                properties |= (index.get("mappings") or {}).get("properties") or {}
            _require(f"The Elasticsearch index {self._name!r}", properties)
            self._fields = {name: _exact(name, properties[name]) for name in FIELDS[:3]}
        return self._fields


class ForeignPoints:
    """A Qdrant collection that somebody else filled. Its vectors are the unnamed ones, or those of the only name."""

    def __init__(self, engine: VectorEngine, name: str) -> None:
        self._engine = engine
        self._name = name
        self._shape: tuple[str, int] | None = None

    async def using(self, dimension: int) -> str:
        """Return the name of the vectors, empty for the unnamed ones.

        Raises ConfigurationError where something is missing, WrongDimension where the vectors are of another.
        """
        if self._shape is None:
            self._shape = await self._look()
        if self._shape[1] != dimension:
            raise WrongDimension(
                f"The Qdrant collection {self._name!r} has vectors of {self._shape[1]} numbers, the embedder {dimension}."
            )
        return self._shape[0]

    async def _look(self) -> tuple[str, int]:
        if not await self._engine.exists(self._name):
            raise ConfigurationError(f"There is no Qdrant collection {self._name!r}.")
        shape = _shape(self._name, (await self._engine.ask(lambda client: client.get_collection(self._name))))
        for point in await self._engine.scroll(self._name, models.Filter(), 1):
            _require(f"The Qdrant collection {self._name!r}", point.payload or {})
        return shape


def read_passage(row: Mapping[str, Any]) -> Passage | None:
    """Return what ``row`` says; None where it is not of the four fields."""
    try:
        index = int(float(row["chunk_idx"]))
        return Passage(str(row["source_id"]), str(row["doc_id"]), index, str(row.get("text", "")))
    except (KeyError, TypeError, ValueError):
        return None


def _shape(name: str, info: models.CollectionInfo) -> tuple[str, int]:
    vectors = info.config.params.vectors
    if isinstance(vectors, models.VectorParams):
        return "", vectors.size
    if isinstance(vectors, dict) and len(vectors) == 1:
        ((using, params),) = vectors.items()
        return using, params.size
    raise ConfigurationError(f"The Qdrant collection {name!r} must hold one kind of vectors, not {len(vectors or ())}.")


def _require(holder: str, known: Mapping[str, Any]) -> None:
    missing = [name for name in FIELDS if name not in known]
    if missing:
        raise ConfigurationError(f"{holder} lacks {', '.join(missing)}: it must have {', '.join(FIELDS)}.")


def _exact(field: str, mapping: Mapping[str, Any]) -> ExactField:
    kind = mapping.get("type", "text")
    if kind in EXACT_TYPES or kind in LARGEST:
        return ExactField(field, field, LARGEST.get(kind, 0))
    parts = mapping.get("fields") or {}
    part = next((name for name, sub in parts.items() if sub.get("type") in EXACT_TYPES), "")
    return ExactField(field, f"{field}.{part}" if part else "")
