"""JSON schemas of results, written shortly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

Schema = dict[str, Any]
"""A JSON schema (draft 2020-12)."""


def described(kind: str, description: str) -> Schema:
    """Return the schema of a value of the JSON type ``kind``."""
    return {"type": kind, "description": description}


def text(description: str) -> Schema:
    """Return the schema of a text."""
    return described("string", description)


def record(properties: Mapping[str, Schema], required: Sequence[str], description: str = "") -> Schema:
    """Return the schema of an object that has at least the properties ``required``."""
    schema: Schema = {"type": "object", "properties": dict(properties), "required": list(required)}
    return schema | ({"description": description} if description else {})


def records(properties: Mapping[str, Schema], required: Sequence[str], description: str) -> Schema:
    """Return the schema of a list of objects that have at least the properties ``required``."""
    return {"type": "array", "description": description, "items": record(properties, required)}


DEGRADED: Final[Schema] = {"type": "array", "items": {"type": "string"}, "description": "What did not take part."}
TRUNCATED: Final[Schema] = described("boolean", "Not all fits.")
SCORE: Final[Schema] = described("number", "0 to 1.")
RETRIEVAL: Final[Schema] = record(
    {
        "intent": text("What the question is after."),
        "mode": text("How it was searched for."),
        "reason": text("Why so."),
    },
    ["intent", "mode", "reason"],
    "How the question was searched for.",
)
