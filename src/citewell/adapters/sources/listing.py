"""What every source decides alike about a path: whether the globs take it, and whether its name can be shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from citewell.core.globs import path_matcher

MAX_FILE_BYTES: Final = 5_000_000
"""Larger files are listed as ``too_large`` and never read."""

_UNSHOWABLE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffd\U000e0000-\U000e007f]"
)


def path_filter(include: Sequence[str], exclude: Sequence[str]) -> Callable[[str], bool]:
    """Return a function that says whether a path lies within the globs: included (by default all are) and not excluded."""
    included = path_matcher(include or ["**"])
    excluded = path_matcher(exclude)
    return lambda path: included(path) and not excluded(path)


def showable_path(path: str) -> str:
    """Return ``path`` with whatever cannot be shown written as U+FFFD and five hexadecimal digits.

    Unshowable are control characters, bytes that are not UTF-8, line separators, characters that reorder or hide text, and
    U+FFFD itself, so two different paths never look alike.
    """
    return _UNSHOWABLE.sub(lambda match: f"\ufffd{ord(match[0]):05X}", path)
