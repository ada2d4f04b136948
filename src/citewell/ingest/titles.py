"""The title of a document that its text does not give: a block above the text, which is no part of it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Final

from citewell.core.model import file_label
from citewell.core.ports import Chunker, Outline
from citewell.ingest.chunkers.front_matter import read_front_matter
from citewell.ingest.cutting import CHUNK_LIMIT
from citewell.ingest.kinds import chunker_for, kind_of

_TITLE_ONLY: Final = re.compile(r"---\ntitle:[^\n]*\n---\n")


def split_title(text: str) -> tuple[str, int]:
    """Return the title that a block of nothing else gives ``text``, and the offset at which the text itself begins.

    Without such a block they are empty and 0.
    """
    if not _TITLE_ONLY.match(text):
        return "", 0
    front = read_front_matter(text)
    title = " ".join(front.fields.get("title", "").split())
    return (title, front.end) if title else ("", 0)


def below_title(chunker: Chunker, text: str, path: str, limit: int) -> Outline:
    """Return the outline that ``chunker`` finds in ``text``; a block that only gives a title is no part of its pieces."""
    outline = chunker(text, path, limit)
    title, begins = split_title(text)
    if not title or outline.title is not None:
        return outline
    below = chunker(text[begins:], path, limit)
    moved = (replace(piece, start=piece.start + begins, end=piece.end + begins) for piece in below.pieces)
    return replace(below, pieces=tuple(moved), title=title)


def given_title(text: str, path: str, chunker: str) -> str:
    """Return what ``text`` is called where nothing stands above it: by its own title, or else by its file's name."""
    outline = chunker_for(kind_of(path, text[:200]), chunker)(text, path, CHUNK_LIMIT)
    return outline.title or split_title(text)[0] or file_label(path)


def with_title(title: str, content: str) -> str:
    """Return ``content`` under a block that gives it ``title``."""
    return f"---\ntitle: {json.dumps(title, ensure_ascii=False)}\n---\n{content}"
