"""What every chunker promises, as one check."""

from __future__ import annotations

from citewell.core.ports import Outline, Piece


def covered(text: str, outline: Outline) -> str:
    """Return the characters of the pieces, without blank space."""
    return "".join("".join(text[piece.start : piece.end].split()) for piece in outline.pieces)


def assert_outline(text: str, outline: Outline, limit: int, body: int = 0) -> None:
    """Check order, limit, trimming, and that nothing after the offset ``body`` is lost."""
    position = 0
    for piece in outline.pieces:
        assert position <= piece.start < piece.end <= len(text)
        assert piece.end - piece.start <= limit
        assert text[piece.start : piece.end] == text[piece.start : piece.end].strip()
        position = piece.end
    assert covered(text, outline) == "".join(text[body:].split())


def shown(text: str, outline: Outline) -> list[str]:
    """Return the text of each piece."""
    return [text[piece.start : piece.end] for piece in outline.pieces]


def piece_with(text: str, outline: Outline, words: str) -> Piece:
    """Return the one piece that holds ``words``."""
    (piece,) = [piece for piece in outline.pieces if words in text[piece.start : piece.end]]
    return piece
