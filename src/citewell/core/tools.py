"""Tools that agents are offered, as the configuration declares them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

ToolKind = Literal["search", "read", "ask", "sources"]
ResultShape = Literal["native"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """How one parameter of a tool is called, explained and defaulted; what is None stays as it is built in."""

    name: str | None = None
    description: str | None = None
    default: str | int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool. ``parameters`` is keyed by the built-in names; ``collections`` limits what it sees (empty: everything)."""

    name: str
    kind: ToolKind
    description: str
    title: str = ""
    collections: tuple[str, ...] = ()
    parameters: Mapping[str, Parameter] = field(default_factory=dict[str, Parameter])
    result: ResultShape = "native"
