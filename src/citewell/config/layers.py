"""Laying the file, the environment and the command line over one another, the later over the earlier."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from citewell.config.keys import KeyPath, values
from citewell.config.model import Origin
from citewell.config.yamlfile import ConfigFile


@dataclass(frozen=True, slots=True)
class Layer:
    """Values and where they came from. Lists are whole values: a later one takes the place of an earlier one."""

    data: dict[str, Any] = field(default_factory=dict[str, Any])
    origins: Mapping[KeyPath, Origin] = field(default_factory=dict[KeyPath, Origin])

    def over(self, below: Layer) -> Layer:
        """Return ``below`` with these values on top."""
        roots = [path for path, _ in values(self.data, into_lists=False) if path]
        kept = {path: origin for path, origin in below.origins.items() if not any(_touch(path, root) for root in roots)}
        return Layer(_overlay(below.data, self.data), {**kept, **self.origins})

    def origin(self, path: KeyPath) -> Origin:
        """Return the origin of ``path``, or of what is nearest to it above or below."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.origins:
                return self.origins[path[:length]]
        return next((origin for known, origin in self.origins.items() if _touch(known, path)), Origin("default"))


def file_layer(file: ConfigFile) -> Layer:
    """Return the layer of a configuration file; the origin of a value is its line."""
    origins = {
        path: Origin("file", f"{file.path}:{file.lines[path]}") for path, _ in values(file.data, into_lists=True) if path
    }
    return Layer(file.data, origins)


def assignments_layer(assignments: Iterable[tuple[Origin, KeyPath, Any]]) -> Layer:
    """Return the layer of single values, each with its origin; of two for one key, the later counts."""
    layer = Layer()
    for origin, path, value in assignments:
        data: Any = value
        for key in reversed(path):
            data = {key: data}
        origins = {place: origin for place, _ in values(data, into_lists=True)}
        layer = Layer(data, origins).over(layer)
    return layer


def _overlay(below: Any, above: Any) -> Any:
    if not isinstance(below, Mapping) or not isinstance(above, Mapping):
        return above
    return {**below, **{key: _overlay(below.get(key), value) for key, value in above.items()}}


def _touch(one: KeyPath, other: KeyPath) -> bool:
    length = min(len(one), len(other))
    return one[:length] == other[:length]
