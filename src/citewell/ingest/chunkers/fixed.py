"""Text cut at a fixed length, whatever its structure."""

from __future__ import annotations

from citewell.core.ports import Outline
from citewell.ingest.chunkers.division import Unit, pieces, words


def chunk_fixed(text: str, path: str, limit: int) -> Outline:
    """Return pieces as near to ``limit`` characters as the boundaries of words (of characters, in CJK) allow."""
    return Outline(pieces=pieces(text, [Unit(0, len(text))], limit, [words]))
