"""JSON schemas in the words of a table."""

from __future__ import annotations

from typing import Any

from reference.tables import code, codes

WORDS = {"string": "text", "integer": "whole number", "boolean": "true or false", "number": "number", "null": "null"}


def resolve(schema: dict[str, Any], root: dict[str, Any]) -> dict[str, Any]:
    """Return ``schema`` with its reference followed, and without the alternative of being null."""
    if "$ref" in schema:
        return resolve(root["$defs"][schema["$ref"].rpartition("/")[2]], root)
    alternatives = [part for part in schema.get("anyOf", ()) if part != {"type": "null"}]
    return resolve(alternatives[0], root) if len(alternatives) == 1 else schema


def kind_of_value(schema: dict[str, Any]) -> str:
    """Return the type in words."""
    if "anyOf" in schema:
        return " or ".join(kind_of_value(part) for part in schema["anyOf"])
    kind = schema.get("type", "string")
    if kind == "array":
        inner = schema["items"]
        return "list" if "$ref" in inner or inner.get("type") == "object" else f"list of {kind_of_value(inner)}s"
    return "section" if kind == "object" else WORDS[kind]


def allowed(schema: dict[str, Any]) -> str:
    """Return which values of the type are admitted; empty where all are."""
    if "const" in schema or "enum" in schema:
        return codes(schema.get("enum") or [schema["const"]])
    parts = [
        _range(schema.get("minimum"), schema.get("maximum")),
        f"matches {code(schema['pattern'])}" if "pattern" in schema else "",
        _length(schema.get("minLength"), schema.get("maxLength")),
    ]
    return ", ".join(filter(None, parts))


def _range(least: int | None, most: int | None) -> str:
    if least is None:
        return ""
    return f"{least:,} or more" if most is None else f"{least:,} to {most:,}"


def _length(least: int | None, most: int | None) -> str:
    if most is None:
        return "not empty" if least else ""
    return f"{least or 0:,} to {most:,} characters" if least else f"at most {most:,} characters"
