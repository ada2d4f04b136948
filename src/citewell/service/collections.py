"""The collections there are."""

from __future__ import annotations

from collections.abc import Iterable

from citewell.core.errors import UnknownCollection


class Collections:
    """The names of the configured collections."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = sorted(names)

    def check(self, wanted: Iterable[str]) -> None:
        """Raise UnknownCollection for a name in ``wanted`` that no collection has."""
        for name in wanted:
            if name not in self._names:
                raise UnknownCollection(f"There is no collection {name!r}. There are: {', '.join(self._names)}.")
