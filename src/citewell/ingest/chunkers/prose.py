"""Text without a structure of its own: cut by paragraph."""

from __future__ import annotations

from citewell.core.ports import Outline
from citewell.ingest.chunkers.division import PROSE, Unit, pieces


def chunk_prose(text: str, path: str, limit: int) -> Outline:
    """Return paragraphs, grouped up to ``limit`` characters; a longer one is cut at lines, sentences, then words."""
    return Outline(pieces=pieces(text, [Unit(0, len(text))], limit, PROSE))
