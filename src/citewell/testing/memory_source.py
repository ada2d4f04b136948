"""A source in memory: the double of folders and repositories, and of folders that may be written."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence

from citewell.adapters.sources.listing import path_filter
from citewell.core.errors import DocumentReadOnly
from citewell.core.ports import Contents, Snapshot, SourceFile


class MemorySource:
    """Files held in a dictionary, which may be changed between snapshots.

    ``skipped`` names files that are only accounted for, with the reason; ``failing`` names files whose reading fails, with
    the reason. Both may be changed as well. ``reads`` records the paths that were read, in order.
    """

    def __init__(
        self,
        name: str,
        files: dict[str, bytes],
        *,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        skipped: Mapping[str, str] | None = None,
        failing: Mapping[str, str] | None = None,
        repository: str = "",
        commit: str = "",
        permalink: str = "",
    ) -> None:
        self.files = files
        self.skipped = dict(skipped or {})
        self.failing = dict(failing or {})
        self.reads: list[str] = []
        self._name = name
        self._within = path_filter(include, exclude)
        self._origin = {"repository": repository, "commit": commit, "permalink": permalink}

    @property
    def name(self) -> str:
        """The name the source was given."""
        return self._name

    def snapshot(self) -> Snapshot:
        """List the files as they are now; a fingerprint is the hash of the bytes."""
        paths = sorted(self.files.keys() | self.skipped.keys())
        taken = tuple(self._describe(path) for path in paths if self._within(path))
        return Snapshot(files=taken, excluded=len(paths) - len(taken), **self._origin)

    def read(self, files: Sequence[SourceFile]) -> Iterator[Contents]:
        """Yield the bytes as they are now; a file that has been taken out has ``vanished``."""
        for file in files:
            failure = file.skip or self.failing.get(file.path, "" if file.path in self.files else "vanished")
            if not file.skip:
                self.reads.append(file.path)
            yield Contents(file, failure=failure) if failure else Contents(file, self.files[file.path])

    def takes(self, path: str) -> bool:
        """Say whether a file at ``path`` would be listed."""
        return self._within(path) and not any(step in ("", ".", "..") for step in path.split("/"))

    def put(self, path: str, data: bytes) -> SourceFile:
        """Hold ``data`` as the file at ``path``."""
        self._require(path)
        self.files[path] = data
        return self._describe(path)

    def remove(self, path: str) -> None:
        """Hold no file at ``path``."""
        self._require(path)
        self.files.pop(path, None)

    def _require(self, path: str) -> None:
        if not self.takes(path) or path in self.skipped:
            raise DocumentReadOnly("A document of that name cannot be written here.")

    def _describe(self, path: str) -> SourceFile:
        data = self.files.get(path, b"")
        fingerprint = hashlib.sha256(data).hexdigest()
        return SourceFile(path=path, fingerprint=fingerprint, size=len(data), skip=self.skipped.get(path, ""))
