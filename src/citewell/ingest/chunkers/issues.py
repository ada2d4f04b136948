"""Issue threads as `citewell.ingest.issues` writes them, cut at comments."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from citewell.core.ports import Outline
from citewell.ingest.chunkers.division import PROSE, Unit, pieces

COMMENT: Final = re.compile(r"^## Comment by (?=\S)", re.MULTILINE)
"""How a comment begins, and nothing else in a thread."""

_TITLE: Final = re.compile(r"# ([^\n]+)\n\n")
_STATE: Final = re.compile(r"(.+?)#(\S+) · (.+?)(?: · (.+))?$", re.MULTILINE)


def state_line(repository: str, number: str, state: str, labels: str) -> str:
    """Return the line below the title: which issue it is, its state and its labels."""
    return f"{repository}#{number} · {state}" + (f" · {labels}" if labels else "")


def comment_heading(author: str, created_at: str) -> str:
    """Return the line that begins a comment; what is not known is left out."""
    return f"## Comment by {author or 'somebody'}" + (f", {created_at}" if created_at else "")


def chunk_issue(text: str, path: str, limit: int) -> Outline:
    """Return the report and each comment as a piece, longer ones cut by paragraph; the first lines give title and fields."""
    title = _TITLE.match(text)
    state = _STATE.match(text, title.end()) if title else None
    names = ("repo_name", "issue_number", "issue_state", "issue_labels")
    fields = {name: value for name, value in zip(names, state.groups() if state else (), strict=False) if value}
    bounds = [0, *(match.start() for match in COMMENT.finditer(text)), len(text)]
    units = [Unit(start, end, _breadcrumb(text[start:end])) for start, end in pairwise(bounds)]
    return Outline(pieces=pieces(text, units, limit, PROSE), title=title[1] if title else None, metadata=fields)


def _breadcrumb(part: str) -> tuple[str, ...]:
    return (part.split("\n", 1)[0].removeprefix("## "),) if COMMENT.match(part) else ()
