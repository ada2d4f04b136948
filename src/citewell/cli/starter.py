"""Looking at a folder, and the ``citewell.yaml`` that fits it."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePath
from typing import Final

from citewell.cli.git import has_commit

PROSE: Final = ("md", "markdown", "mdx", "rst", "txt")
PROGRAMS: Final = (
    *("bash", "c", "cc", "cpp", "cs", "cxx", "go", "h", "hpp", "java", "js", "jsx", "mjs"),
    *("php", "py", "pyi", "rb", "rs", "sh", "ts", "tsx"),
)
MAX_FILES: Final = 50_000
"""How many files are looked at before a folder counts as known."""

_NEVER_OURS: Final = frozenset({"node_modules", "vendor", "venv", "env", "dist", "build", "target", "__pycache__"})


@dataclass(frozen=True, slots=True)
class Survey:
    """What a folder holds: the endings of prose and of programs in it, and whether Git keeps it."""

    name: str
    git: bool
    prose: tuple[str, ...]
    programs: tuple[str, ...]

    @property
    def summary(self) -> str:
        """What was found, in a few words."""
        kinds = [f"documents ({', '.join(self.prose)})"] if self.prose else []
        kinds += [f"code ({', '.join(self.programs)})"] if self.programs else []
        return f"{' and '.join(kinds) or 'no documents yet'} in a {'Git repository' if self.git else 'folder'}"


def survey(folder: Path) -> Survey:
    """Return what ``folder`` holds."""
    endings = Counter(PurePath(name).suffix.lower().removeprefix(".") for name in islice(_file_names(folder), MAX_FILES))
    return Survey(
        name=re.sub(r"[^a-z0-9]+", "-", folder.resolve().name.lower()).strip("-") or "files",
        git=has_commit(folder),
        prose=tuple(ending for ending in PROSE if endings[ending]),
        programs=tuple(ending for ending in PROGRAMS if endings[ending]),
    )


def starter_config(found: Survey) -> str:
    """Return a commented configuration that works at once."""
    parts = [_HEAD, _collections(found), "\nsources:\n"]
    if found.git:
        parts.append('  # "git:." is the last commit; "folder:." takes what is not committed as well.\n')
    if found.prose or not found.programs:
        parts.append(_source(found, "docs", found.prose or ("md", "txt")))
    if found.programs:
        parts.append(_source(found, "code", found.programs))
    return "".join([*parts, _TAIL])


def ignore_store(folder: Path) -> bool:
    """Add ``.citewell/`` to the ``.gitignore`` of ``folder``; return whether it was not there yet."""
    file = folder / ".gitignore"
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    if any(line.strip().strip("/") == ".citewell" for line in text.splitlines()):
        return False
    break_line = "" if not text or text.endswith("\n") else "\n"
    file.write_text(f"{text}{break_line}.citewell/\n", encoding="utf-8")
    return True


def _file_names(folder: Path) -> Iterator[str]:
    for _, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in _NEVER_OURS]
        yield from files


def _collections(found: Survey) -> str:
    docs = "  docs: {chunker: markdown}\n" if found.prose or not found.programs else ""
    code = "  code: {chunker: code}\n" if found.programs else ""
    return f"\ncollections:\n{docs}{code}"


def _source(found: Survey, collection: str, endings: tuple[str, ...]) -> str:
    globs = ", ".join(json.dumps(f"**/*.{ending}") for ending in endings)
    return (
        f"  - name: {found.name}-{collection}\n"
        f'    from: "{"git" if found.git else "folder"}:."\n'
        f"    collection: {collection}\n"
        f"    include: [{globs}]\n"
    )


_HEAD: Final = """\
# What is indexed, and how it is searched. `citewell config` shows every setting and where it came from.

store: "embedded:./.citewell"
# Multilingual, on this machine, nothing to download. "hash:" needs no model at all and knows words only.
embedder: "bundled:"
"""
_TAIL: Final = """
# Who may read what. Without this section everybody who reaches citewell may read everything.
# access:
#   default: [engineering]
#   rules: [{paths: "docs/**", groups: [everyone]}]
#   users: {"*": [everyone]}

# retrieval: {k: 8, candidates: 50, on_failure: degrade}
# serve: {host: 127.0.0.1, port: 8080}
"""
