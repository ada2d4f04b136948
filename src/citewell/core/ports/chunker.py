"""How texts are cut."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A span that a chunker proposes: character offsets into the text it was given."""

    start: int
    end: int
    breadcrumb: tuple[str, ...] = ()
    symbol: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """What a chunker found: pieces in order that do not overlap and together hold every character that is not blank.

    ``title`` is the one the text gives itself; ``metadata`` comes from its front matter.
    """

    pieces: tuple[Piece, ...]
    title: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])


class Chunker(Protocol):
    """Cuts a text along its structure into pieces of at most ``limit`` characters. Pure; never fails on any text."""

    def __call__(self, text: str, path: str, limit: int) -> Outline:
        """Return the pieces of ``text``, which came from ``path``."""
        ...
