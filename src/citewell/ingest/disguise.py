"""Paths that hold a secret or personal datum: kept under another name, read and judged under their own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from citewell.core.ports import Contents, Snapshot, Source, SourceFile
from citewell.text.redaction import Redactor

_DISGUISED: Final = re.compile(r"\[[A-Z][A-Z0-9_]*:[0-9a-f]{4}\]")


def is_disguised(path: str) -> bool:
    """Say whether ``path`` holds a placeholder: then nobody knows its rules until the source is listed."""
    return _DISGUISED.search(path) is not None


@dataclass(frozen=True, slots=True)
class Disguise:
    """``snapshot`` with paths fit to be stored and shown; ``real`` holds the files of another path, by the shown one."""

    snapshot: Snapshot
    real: dict[str, SourceFile]

    @classmethod
    def of(cls, snapshot: Snapshot, redactor: Redactor, *, keep: bool) -> Disguise:
        """Return ``snapshot`` with redacted paths, numbered where two would be one; as it is where ``keep``."""
        real: dict[str, SourceFile] = {}
        files = snapshot.files if keep else _disguised_files(snapshot.files, redactor, real)
        return cls(replace(snapshot, files=tuple(sorted(files, key=lambda file: file.path))), real)

    def real_path(self, shown: str) -> str:
        """Return the path by which access is decided."""
        return self.real[shown].path if shown in self.real else shown

    def read(self, source: Source, files: Sequence[SourceFile]) -> Iterator[Contents]:
        """Yield the contents of ``files``, under the paths that are shown."""
        found = source.read([self.real.get(file.path, file) for file in files])
        for file, contents in zip(files, found, strict=True):
            yield replace(contents, file=file)


def _disguised_files(files: Iterable[SourceFile], redactor: Redactor, real: dict[str, SourceFile]) -> Iterator[SourceFile]:
    taken = {file.path for file in files}
    for file in files:
        shown = redactor.redact(file.path).text
        if shown == file.path:
            yield file
            continue
        number = 2
        while shown in taken:
            shown, number = f"{redactor.redact(file.path).text}.{number}", number + 1
        taken.add(shown)
        real[shown] = file
        yield replace(file, path=shown)
