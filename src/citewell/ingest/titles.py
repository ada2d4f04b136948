"""The title of a document that its text does not give: a block above the text, which is no part of it."""

from __future__ import annotations

import json
import re
from pathlib import PurePosixPath
from typing import Final

from citewell.ingest.chunkers.front_matter import read_front_matter

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


def with_title(title: str, content: str) -> str:
    """Return ``content`` under a block that gives it ``title``."""
    return f"---\ntitle: {json.dumps(title, ensure_ascii=False)}\n---\n{content}"


def name_title(path: str) -> str:
    """Return what a document without a title is called by its path: the file's name, that of plain text without its ending."""
    name = PurePosixPath(path).name
    return name.removesuffix(".txt") or name
