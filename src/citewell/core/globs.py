"""Path globs as everybody writes them: ``*`` stays within a folder, ``**`` crosses folders, ``?`` is one character."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache


@lru_cache(maxsize=1024)
def glob_pattern(glob: str) -> re.Pattern[str]:
    """Return the compiled equivalent of ``glob``, which must match a whole path with forward slashes."""
    parts: list[str] = []
    rest = glob.removeprefix("/")
    while rest:
        if rest.startswith("**/"):
            parts.append("(?:[^/]+/)*")
            rest = rest[3:]
        elif rest.startswith("**"):
            parts.append(".*")
            rest = rest[2:]
        else:
            parts.append({"*": "[^/]*", "?": "[^/]"}.get(rest[0], re.escape(rest[0])))
            rest = rest[1:]
    return re.compile("".join(parts), re.DOTALL)


def path_matcher(globs: Sequence[str]) -> Callable[[str], bool]:
    """Return a function that says whether a path matches any of ``globs``."""
    patterns = [glob_pattern(glob) for glob in globs]
    return lambda path: any(pattern.fullmatch(path) for pattern in patterns)
