"""How far each file of the audit goes, kept beside the key: whoever can only shorten a file cannot move its anchor back."""

from __future__ import annotations

import hmac
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from citewell.core.errors import AuditFailed


@dataclass(frozen=True, slots=True)
class Reach:
    """The last line of a file: its number, and its mac."""

    number: int
    mac: str


@dataclass(frozen=True, slots=True)
class Anchor:
    """A record of fixed size that is overwritten in place."""

    name: str
    key: bytes
    descriptor: int

    def move(self, reach: Reach) -> None:
        """Say that the file goes as far as ``reach``."""
        os.pwrite(self.descriptor, _dump(self.name, self.key, reach), 0)

    def close(self) -> None:
        """Release the record."""
        os.close(self.descriptor)


class Anchors:
    """The anchors in ``folder``, one for each file of the audit, each under ``key``."""

    def __init__(self, folder: Path, key: bytes) -> None:
        self._folder = folder
        self._key = key

    def open(self, name: str) -> Anchor | None:
        """Return the anchor of the file ``name``, a new one if there is none; None where none can be written."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            return Anchor(name, self._key, os.open(self._folder / name, os.O_RDWR | os.O_CREAT, 0o600))
        except OSError:
            return None

    def read(self, name: str) -> Reach | None:
        """Return how far the file ``name`` went, None where that was not written down, or cannot be read.

        Raises AuditFailed for a record that was not written with our key.
        """
        try:
            data = (self._folder / name).read_bytes()
        except OSError:
            return None
        reach = _parse(data)
        if data and not (reach and hmac.compare_digest(data, _dump(name, self._key, reach))):
            raise AuditFailed("How far the file goes was changed where it is written down, or written with another key.")
        return reach

    def names(self) -> Iterator[str]:
        """Yield the files that have an anchor."""
        if self._folder.is_dir():
            yield from sorted(path.name for path in self._folder.iterdir())

    def forget(self, name: str) -> None:
        """Take the anchor of a file away that is deleted on purpose, where it can be."""
        with suppress(OSError):
            (self._folder / name).unlink()


def _dump(name: str, key: bytes, reach: Reach) -> bytes:
    said = f"{reach.number:012d} {reach.mac}"
    return f"{said} {hmac.digest(key, f'anchor {name} {said}'.encode(), 'sha256').hex()}\n".encode()


def _parse(data: bytes) -> Reach | None:
    number, _, rest = data.partition(b" ")
    return Reach(int(number), rest.partition(b" ")[0].decode("ascii", "replace")) if number.isdigit() else None
