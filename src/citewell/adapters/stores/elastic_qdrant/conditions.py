"""Who may see it and what a search is narrowed to, as conditions of both engines. Values are data, never query language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from qdrant_client import models

from citewell.adapters.stores.keywords import keyword
from citewell.core.access import Tokens
from citewell.core.requests import Filters

MOST_VALUES: Final = 50_000
"""Elasticsearch takes 65,536 values in one condition."""

NOBODY: Final = "\ufdd0"
"""A token that no ACL holds."""

Named = tuple[str, tuple[str, ...]]


def text_conditions(visible: Tokens, filters: Filters, paths: Sequence[str] | None) -> list[dict[str, Any]]:
    """Return the conditions in Elasticsearch's form. ``paths`` are those that the globs match, None where there are none."""
    conditions = [_terms("acl", tokens(visible))]
    conditions += [_terms(name, values) for name, values in _named(filters)]
    if paths is not None:
        conditions.append(_terms("path", [keyword(path) for path in paths]))
    return conditions


def point_conditions(visible: Tokens, filters: Filters, paths: Sequence[str] | None) -> models.Filter:
    """Return the same conditions in Qdrant's form."""
    must: list[models.Condition] = [matches("acl", tokens(visible))]
    must += [matches(name, values) for name, values in _named(filters)]
    if paths is not None:
        must.append(matches("path", [keyword(path) for path in paths] or [NOBODY]))
    return models.Filter(must=must)


def tokens(visible: Tokens) -> list[str]:
    """Return the tokens as they are kept in ``acl``."""
    return sorted(keyword(token) for token in visible) or [NOBODY]


def matches(name: str, values: Sequence[str]) -> models.FieldCondition:
    """Return Qdrant's condition that the field ``name`` has one of ``values``."""
    return models.FieldCondition(key=name, match=models.MatchAny(any=list(values)))


def _named(filters: Filters) -> Iterator[Named]:
    pairs: tuple[Named, ...] = (
        ("collection", filters.collections),
        ("source", filters.sources),
        ("language", filters.languages),
        ("kind", filters.kinds),
        ("version", filters.versions),
    )
    return ((name, tuple(map(keyword, values))) for name, values in (*pairs, *filters.fields) if values)


def _terms(name: str, values: Sequence[str]) -> dict[str, Any]:
    parts = [list(values[start : start + MOST_VALUES]) for start in range(0, len(values) or 1, MOST_VALUES)]
    if len(parts) == 1:
        return {"terms": {name: parts[0]}}
    return {"bool": {"should": [{"terms": {name: part}} for part in parts], "minimum_should_match": 1}}
