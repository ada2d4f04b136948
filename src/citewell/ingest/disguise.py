"""Paths that hold a secret or personal datum: kept under another name, read and judged under their own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import PurePosixPath
from typing import Final

from citewell.core.ports import Contents, Snapshot, Source, SourceFile
from citewell.text.redaction import PLACEHOLDER, Redactor

_DISGUISED: Final = re.compile(PLACEHOLDER)
_BETWEEN_WORDS: Final = re.compile(rf"({PLACEHOLDER}|\.[A-Za-z]\w{{0,4}}(?=/|\Z)|[/ _,;()+\-]+)")

_TELLING: Final = re.compile(r"[@＠]|(?:\d[^\d/]*){6}|[A-Za-z0-9]{16}")
"""What a name cannot hold a secret or personal datum without, unless words around it give it away."""

_MAX_ENDINGS: Final = 2
"""Endings that a file name may have, as in ``.tar.gz``."""


def is_disguised(path: str) -> bool:
    """Say whether ``path`` holds a placeholder: then nobody knows its rules until the source is listed."""
    return _DISGUISED.search(path) is not None


def redact_path(path: str, redactor: Redactor) -> str:
    """Return ``path`` without the secrets and personal data in it; endings stay, for they say what a file is.

    In a sentence, what is joined to other words by strokes and dots is seldom a number of its own. In a name it often is.
    """
    while (redacted := _redacted_once(path, redactor)) != path:
        path = redacted
    return path


def _redacted_once(path: str, redactor: Redactor) -> str:
    """Return ``path`` judged as a whole, by its names and by its words: one that goes may set free another beside it."""
    if not _TELLING.search(path):
        return redactor.redact(path).text
    named = "/".join(_redacted_name(name, redactor) for name in path.split("/"))
    parts = _BETWEEN_WORDS.split(redactor.redact(named).text)
    return "".join(part if number % 2 else redactor.redact(part).text for number, part in enumerate(parts))


def _redacted_name(name: str, redactor: Redactor) -> str:
    stem = name
    for _ in range(_MAX_ENDINGS):
        stem = PurePosixPath(stem).stem
        if (redacted := redactor.redact(stem).text) != stem:
            return redacted + name[len(stem) :]
    return name


@dataclass(frozen=True, slots=True)
class Disguise:
    """``snapshot`` with paths fit to be stored and shown; ``real`` holds the files of another path, by the shown one."""

    snapshot: Snapshot
    real: dict[str, SourceFile]

    @classmethod
    def of(cls, snapshot: Snapshot, redactor: Redactor, *, keep: bool) -> Disguise:
        """Return ``snapshot`` with redacted paths, numbered where two would be one; as it is where ``keep``."""
        real: dict[str, SourceFile] = {}
        if keep:
            return cls(snapshot, real)
        files = sorted(_disguised_files(snapshot.files, redactor, real), key=lambda file: file.path)
        repository = redactor.redact(snapshot.repository).text
        return cls(replace(snapshot, files=tuple(files), repository=repository), real)

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
    for file in sorted(files, key=lambda file: file.path):
        shown = redact_path(file.path, redactor)
        if shown == file.path:
            yield file
            continue
        shown = next(name for name in _numbered(shown) if name not in taken)
        taken.add(shown)
        real[shown] = file
        yield replace(file, path=shown)


def _numbered(path: str) -> Iterator[str]:
    """Yield ``path``, then with a number before its ending: short hashes are equal for some that are not."""
    yield path
    ending = PurePosixPath(path).suffix
    for number in count(2):
        yield f"{path.removesuffix(ending)}.{number}{ending}"
