"""The pages people read, taken apart by a Markdown parser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "docs" / "reference"
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
HANDWRITTEN = [page for page in PAGES if page.parent != REFERENCE]


def shown(page: Path) -> str:
    return str(page.relative_to(ROOT))


def tokens(page: Path) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8"))


def inline(page: Path) -> Iterator[Token]:
    for token in tokens(page):
        yield from token.children or ()


def code_spans(page: Path) -> list[str]:
    return [token.content for token in inline(page) if token.type == "code_inline"]


def fences(page: Path, *languages: str) -> list[str]:
    return [token.content for token in tokens(page) if token.type == "fence" and token.info in languages]


def links(page: Path) -> list[str]:
    found = [token.attrGet("href") or token.attrGet("src") for token in inline(page) if token.type in ("link_open", "image")]
    return [str(target) for target in found if target]


def anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub gives the headings of ``page``."""
    found: dict[str, int] = {}
    pairs = zip(tokens(page), tokens(page)[1:], strict=False)
    for title in (after.content for before, after in pairs if before.type == "heading_open"):
        slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        found[slug] = found.get(slug, -1) + 1
        if found[slug]:
            found[f"{slug}-{found[slug]}"] = 0
    return set(found)


def first_cells(page: Path) -> list[str]:
    """Return the code in the first cell of every row of every table."""
    lines = [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    return [code for line in lines for code in re.findall(r"`([^`]+)`", re.split(r"(?<!\\)\|", line)[1])]
