"""Tools that agents are offered, as the configuration declares them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from citewell.core.fields import FILTER_FIELDS

ToolKind = Literal["search", "read", "ask", "sources"]
ResultShape = Literal["native", "evidence", "chunks", "hits", "envelope"]
"""``native`` is citewell's own; ``evidence`` labelled text and citations; ``chunks`` ids, texts and plain RRF scores;
``hits`` ranked passages with permalinks; ``envelope`` snippets, or an error, in one object that says ``ok``."""


TOOL_TIMEOUT_SECONDS: Final = 55
"""Many clients give a tool 60 seconds: a refusal that comes before says more than none."""

OFFERED_FIELDS: Final = ("source", "path", "language", "kind", *FILTER_FIELDS)
"""What a filter that a tool offers may look at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """How one parameter of a tool is called, explained, defaulted and bounded; what is None stays as it is built in.

    ``maximum`` bounds a number, or the length of a text. A ``hidden`` parameter is not offered: its default always holds.
    """

    name: str | None = None
    description: str | None = None
    default: str | int | None = None
    maximum: int | None = None
    hidden: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedFilter:
    """A parameter ``name`` of a tool that narrows a search to the documents whose ``field`` is its value.

    ``field`` is one of OFFERED_FIELDS. An empty value admits everything.
    """

    name: str
    field: str
    description: str
    default: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool. ``parameters`` is keyed by the built-in names; ``collections`` limits what it sees (empty: everything).

    ``filters`` are parameters of its own, beside the built-in ones. A call ends after ``timeout`` seconds.
    """

    name: str
    kind: ToolKind
    description: str
    title: str = ""
    collections: tuple[str, ...] = ()
    parameters: Mapping[str, Parameter] = field(default_factory=dict[str, Parameter])
    filters: tuple[OfferedFilter, ...] = ()
    result: ResultShape = "native"
    timeout: int = TOOL_TIMEOUT_SECONDS
