"""The fields that documents and chunks can be filtered by, interned: equal ones share a number, as ACLs do."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from citewell.core.fields import FILTER_FIELDS, parts_of
from citewell.core.requests import Filters

if TYPE_CHECKING:
    from numpy.typing import NDArray

FieldOf = Callable[[str], str | None]


def intern_facet(connection: sqlite3.Connection, field: FieldOf) -> int:
    """Return the number that stands for the fields that ``field`` returns; 0 where it returns none."""
    fields = {name: value for name in FILTER_FIELDS if (value := field(name))}
    if not fields:
        return 0
    stored = json.dumps(fields)
    found = connection.execute("SELECT id FROM facets WHERE fields = ?", (stored,)).fetchone()
    found = found or connection.execute("INSERT INTO facets (fields) VALUES (?) RETURNING id", (stored,)).fetchone()
    return int(found[0])


class Facets:
    """What the numbers of facets stand for. Only ever grows, so that snapshots may share it."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.last = 0
        self._having: dict[tuple[str, str], list[int]] = {}

    def learn(self, connection: sqlite3.Connection) -> None:
        """Learn the facets that were added since."""
        rows = connection.execute("SELECT id, fields FROM facets WHERE id > ? ORDER BY id", (self.last,))
        for number, stored in rows:
            for name, part in _parts(json.loads(stored)):
                self._having.setdefault((name, part), []).append(number)
            self.last = number

    def admitted(self, filters: Filters) -> NDArray[np.bool_] | None:
        """Say of each facet, by number, whether ``filters`` let it in; None where they ask for no field."""
        wanted = [(name, values) for name, values in (("version", filters.versions), *filters.fields) if values]
        if not wanted:
            return None
        mask = np.ones(self.last + 1, dtype=np.bool_)
        for name, values in wanted:
            having = np.zeros_like(mask)
            for value in values:
                having[self._having.get((name, value), [])] = True
            mask &= having
        return mask


def _parts(fields: dict[str, str]) -> Iterator[tuple[str, str]]:
    return ((name, part) for name, value in fields.items() for part in set(parts_of(value)))
