"""Where documents come from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A file of a snapshot. With ``skip`` set it is only accounted for, never read."""

    path: str
    fingerprint: str
    size: int
    skip: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A source at one moment: every file of its tree that lies within the globs, in the order of paths.

    ``excluded`` counts files outside the globs. ``permalink`` holds ``{path}``, and may hold ``{start}`` and ``{end}``; it is
    empty where the source has no address of its own. ``repository`` and ``commit`` are empty for a folder.
    """

    files: tuple[SourceFile, ...]
    excluded: int = 0
    repository: str = ""
    commit: str = ""
    permalink: str = ""


@dataclass(frozen=True, slots=True)
class Contents:
    """What reading a file gave: its bytes, or the reason why there are none."""

    file: SourceFile
    data: bytes = b""
    failure: str = ""


class Source(Protocol):
    """Where documents come from. Blocking; the caller runs it in a thread."""

    @property
    def name(self) -> str:
        """The name the configuration gives the source."""
        ...

    def snapshot(self) -> Snapshot:
        """List the source. Raises SourceRefused or SourceUnreachable."""
        ...

    def read(self, files: Sequence[SourceFile]) -> Iterator[Contents]:
        """Yield the contents of ``files`` of the last snapshot, in order, one for each."""
        ...


class EditableSource(Protocol):
    """The writing side of a source whose files people may change through citewell. Blocking; the caller runs it in a thread.

    A path that it does not take is never written, read or removed, whatever stands there.
    """

    def takes(self, path: str) -> bool:
        """Say whether a file at ``path`` would be listed by the source: within its globs, and nowhere else."""
        ...

    def put(self, path: str, data: bytes) -> SourceFile:
        """Make ``data`` the file at ``path``, whole or not at all, durable on return; return it as the source lists it.

        Raises DocumentReadOnly where ``path`` is not taken or no regular file, SourceUnreachable where it cannot be written.
        """
        ...

    def remove(self, path: str) -> None:
        """Take the file at ``path`` away; one that is gone already is no failure. Raises what `put` raises."""
        ...
