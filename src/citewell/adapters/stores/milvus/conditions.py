"""Who may see it and what a search is narrowed to, as expressions of Milvus.

Values never stand in an expression: what is compared are hashes, in hexadecimal, so that nothing a caller says is language.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from citewell.adapters.stores.keywords import identity
from citewell.core.access import Tokens
from citewell.core.fields import FILTER_FIELDS, parts_of
from citewell.core.model import DocumentInfo, StoredChunk
from citewell.core.requests import Filters


def token_keys(tokens: Iterable[str]) -> list[str]:
    """Return the hashes of access tokens, as they are kept in ``acl``."""
    return sorted(identity("token", token) for token in tokens)


def narrowed(visible: Tokens, filters: Filters, files: Iterable[str] | None = None) -> str:
    """Return what admits what ``visible`` and ``filters`` do; ``files`` are those that the globs match, None without globs.

    ``visible`` must hold something: nobody's expression is one that Milvus does not take.
    """
    conditions = [any_of("acl", token_keys(visible))]
    conditions += [any_of("facets", facets) for facets in _wanted(filters)]
    if files is not None:
        conditions.append(one_of("file", files))
    return " and ".join(conditions)


def any_of(field: str, keys: Iterable[str]) -> str:
    """Return the condition that the array ``field`` holds one of ``keys``."""
    return f"array_contains_any({field}, [{_listed(keys)}])"


def one_of(field: str, keys: Iterable[str]) -> str:
    """Return the condition that ``field`` is one of ``keys``."""
    return f"{field} in [{_listed(keys) or _listed(['none'])}]"


def none_of(field: str, keys: Iterable[str]) -> str:
    """Return the condition that ``field`` is none of ``keys``."""
    return f"{field} not in [{_listed(keys) or _listed(['none'])}]"


def chunk_facets(stored: StoredChunk) -> list[str]:
    """Return what a chunk can be found by: its own fields, or else its document's, and where it is from."""
    fields = ((name, stored.field(name)) for name in FILTER_FIELDS)
    return sorted({*_place(stored.info), *_facets((name, value) for name, value in fields if value)})


def document_facets(info: DocumentInfo) -> list[str]:
    """Return what a document can be found by in a list."""
    fields = ((name, info.field(name)) for name in FILTER_FIELDS)
    return sorted({*_place(info), *_facets((name, value) for name, value in fields if value)})


def _place(info: DocumentInfo) -> Iterator[str]:
    yield from (_facet(name, getattr(info, name)) for name in ("collection", "source", "language", "kind"))


def _facets(fields: Iterable[tuple[str, str]]) -> Iterator[str]:
    yield from (_facet(name, part) for name, value in fields for part in parts_of(value))


def _wanted(filters: Filters) -> Iterator[list[str]]:
    named = (
        ("collection", filters.collections),
        ("source", filters.sources),
        ("language", filters.languages),
        ("kind", filters.kinds),
        ("version", filters.versions),
        *filters.fields,
    )
    return ([_facet(name, value) for value in values] for name, values in named if values)


def _facet(name: str, value: str) -> str:
    return identity("facet", name, value)


def _listed(keys: Iterable[str]) -> str:
    return ",".join(f'"{key}"' for key in sorted(set(keys)))
