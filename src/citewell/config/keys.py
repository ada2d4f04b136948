"""Where a value stands in the configuration: ``retrieval.k``, ``sources[0].from``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

KeyPath = tuple[str | int, ...]
"""Keys and list positions from the root of the configuration to a value."""

_STEP = re.compile(r"\[(\d+)\]|([^.\[\]]+)")


def dotted(path: KeyPath) -> str:
    """Return ``path`` as people write it."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return "".join(steps).removeprefix(".")


def key_path(key: str) -> KeyPath:
    """Return the path that ``key`` writes: the inverse of ``dotted``."""
    return tuple(int(position) if position else name for position, name in _STEP.findall(key))


def values(data: Any, *, into_lists: bool, path: KeyPath = ()) -> Iterator[tuple[KeyPath, Any]]:
    """Yield what is not a mapping in ``data``, with its path; with ``into_lists``, the items of a list in its place."""
    if isinstance(data, Mapping) and (data or not path):
        for key, value in data.items():
            yield from values(value, into_lists=into_lists, path=(*path, key))
    elif isinstance(data, list) and data and into_lists:
        for position, value in enumerate(data):
            yield from values(value, into_lists=True, path=(*path, position))
    else:
        yield path, data
