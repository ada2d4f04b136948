"""How far each file of the audit goes, kept beside the key: whoever can only shorten a file cannot move its anchor back."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Anchor:
    """A record of fixed size that is overwritten in place."""

    descriptor: int

    def move(self, number: int, mac: str) -> None:
        """Say that the file goes as far as line ``number``, whose mac is ``mac``."""
        os.pwrite(self.descriptor, f"{number:012d} {mac}\n".encode(), 0)

    def close(self) -> None:
        """Release the record."""
        os.close(self.descriptor)


class Anchors:
    """The anchors in ``folder``, one for each file of the audit."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def open(self, name: str) -> Anchor | None:
        """Return the anchor of the file ``name``, a new one if there is none; None where none can be written."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            return Anchor(os.open(self._folder / name, os.O_RDWR | os.O_CREAT, 0o600))
        except OSError:
            return None

    def read(self, name: str) -> tuple[int, str] | None:
        """Return number and mac of the last line that the file ``name`` had, None where nobody wrote it down."""
        try:
            number, _, mac = (self._folder / name).read_text(encoding="ascii").strip().partition(" ")
        except (OSError, ValueError):
            return None
        return (int(number), mac) if number.isdecimal() else None

    def names(self) -> Iterator[str]:
        """Yield the files that have an anchor."""
        if self._folder.is_dir():
            yield from sorted(path.name for path in self._folder.iterdir())

    def forget(self, name: str) -> None:
        """Take the anchor of a file away that was deleted on purpose."""
        (self._folder / name).unlink(missing_ok=True)
