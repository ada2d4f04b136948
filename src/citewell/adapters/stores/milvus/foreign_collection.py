"""A collection that somebody else filled: which fields it has, and what its rows say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import anyio

from citewell.adapters.stores.milvus.engine import Engine, Row
from citewell.adapters.stores.milvus.shelves import vector_dimension
from citewell.core.errors import ConfigurationError, WrongDimension
from citewell.core.fields import FILTER_FIELDS

NEEDED: Final = ("content_text", "vector", "document_id", "chunk_index")
SHOWN: Final = ("title", "section_path", "citation_url", "file_path")
BM25_FIELD: Final = "sparse_vector"
VECTOR_FIELD: Final = "vector"
DERIVED: Final = frozenset({"issue_number", "issue_labels", "release_date"})
"""Fields that are no plain text there, or hold several: they are compared here."""

LONGEST_LITERAL: Final = 1_000


@dataclass(frozen=True, slots=True)
class Passage:
    """A row as others keep it: ``fields`` are those of `citewell.core.fields` that have a value."""

    document_id: str
    chunk_index: int
    text: str
    title: str
    section_path: str
    citation_url: str
    file_path: str
    fields: Mapping[str, str]


class ForeignCollection:
    """Looks at a collection once, before the first question that needs it."""

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine = engine
        self.name = name
        self._description: Row | None = None
        self._metric: str | None = None
        self._looking = anyio.Lock()

    async def description(self) -> Row:
        """Return its description. Raises ConfigurationError where it is not there or lacks fields."""
        async with self._looking:
            if self._description is None:
                found = await self._engine.describe(self.name)
                if not found:
                    raise ConfigurationError(f"There is no collection {self.name!r} in Milvus.")
                missing = [field for field in NEEDED if field not in _names(found)]
                if missing:
                    raise ConfigurationError(
                        f"The collection {self.name} in Milvus cannot be served: it has no field {', '.join(missing)}."
                    )
                await self._engine.load(self.name)
                self._description = found
        return self._description

    async def fields(self) -> list[str]:
        """Return the fields that are read of it."""
        names = _names(await self.description())
        wanted = ("content_text", "document_id", "chunk_index", *SHOWN, *FILTER_FIELDS)
        return [name for name in wanted if name in names]

    async def has_words(self) -> bool:
        """Say whether Milvus computes BM25 for it."""
        if self._metric is None:
            known = BM25_FIELD in _names(await self.description())
            self._metric = await self._engine.metric(self.name, BM25_FIELD) if known else ""
        return self._metric == "BM25"

    async def check_dimension(self, size: int) -> None:
        """Raise WrongDimension unless its vectors have ``size`` numbers."""
        kept = vector_dimension(await self.description())
        if kept != size:
            raise WrongDimension(f"The collection {self.name} holds vectors of {kept}, the embedder gives {size}.")


def read_passage(row: Row) -> Passage | None:
    """Return what ``row`` says; None where it lacks what it is known by."""
    document, index = row.get("document_id"), row.get("chunk_index")
    if document in (None, "") or not isinstance(index, int):
        return None
    shown = {name: _text(row.get(name)) for name in SHOWN}
    named = {name: _field(name, row.get(name)) for name in FILTER_FIELDS}
    fields = {name: value for name, value in named.items() if value}
    return Passage(str(document), index, _text(row.get("content_text")), **shown, fields=fields)


def literal(text: str) -> str | None:
    """Return ``text`` as Milvus reads it in an expression; None for what it could read as anything else."""
    tame = text.isprintable() and not set('"\\') & set(text) and len(text) <= LONGEST_LITERAL
    return f'"{text}"' if tame else None


def pushed_down(fields: Iterable[tuple[str, Sequence[str]]], known: Sequence[str]) -> str:
    """Return the condition that narrows to ``fields``, as far as Milvus can compare them; empty where it cannot."""
    conditions: list[str] = []
    for name, values in fields:
        literals = [literal(value) for value in values]
        if name in known and name not in DERIVED and values and None not in literals:
            conditions.append(f"{name} in [{','.join(filter(None, literals))}]")
    return " and ".join(conditions)


def _names(description: Row) -> set[str]:
    return {field["name"] for field in description.get("fields", ())}


def _text(value: Any) -> str:
    if value is None:
        return ""
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _field(name: str, value: Any) -> str:
    """Return a field as it is filtered by and cited: days as dates, and no number where nothing is meant."""
    if name == "release_date" and isinstance(value, int | float):
        return datetime.fromtimestamp(value, UTC).date().isoformat() if value else ""
    return "" if name == "issue_number" and value == 0 else _text(value)
