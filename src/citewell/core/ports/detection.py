"""What finds secrets and personal data in a text, beside our own detectors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A secret or personal datum: character offsets into the text, and its kind in UPPER_SNAKE, such as ``EMAIL``."""

    start: int
    end: int
    kind: str


class Detector(Protocol):
    """Finds secrets or personal data. Pure: the same text, the same findings."""

    @property
    def name(self) -> str:
        """Name and version: another one may find other things."""
        ...

    def find(self, text: str) -> Iterable[Finding]:
        """Return what is found in ``text``, in any order; findings may overlap."""
        ...
