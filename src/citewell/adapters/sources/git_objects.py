"""Reading trees and blobs out of a Git object store, without a working copy and without the repository's configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from citewell.adapters.sources.git_command import Finished, run_git
from citewell.adapters.sources.listing import MAX_FILE_BYTES, showable_path
from citewell.core.errors import SourceUnreachable
from citewell.core.ports import Contents, SourceFile

_SECONDS: Final = 300.0
_BATCH_BYTES: Final = 16 * 1024 * 1024
_BATCH_FILES: Final = 1_000
_SYMLINK: Final = "120000"
_SUBMODULE: Final = "160000"
_NO_FOLDERS: Final = frozenset({"", ".", "..", ".git"})


@dataclass(frozen=True, slots=True)
class ObjectStore:
    """Where objects lie: a bare repository of ours, which may borrow the objects of a repository that is not."""

    git_dir: Path
    borrowed: Path | None = None

    def run(self, *arguments: str, given: bytes = b"") -> Finished:
        """Call Git on these objects. Raises SourceUnreachable as ``run_git`` does."""
        environment = {"GIT_OBJECT_DIRECTORY": str(self.borrowed)} if self.borrowed else {}
        return run_git([f"--git-dir={self.git_dir}", *arguments], seconds=_SECONDS, environment=environment, given=given)


def list_files(store: ObjectStore, commit: str, within: Callable[[str], bool]) -> tuple[list[SourceFile], int]:
    """Return the files of ``commit`` within the globs in the order of paths, and how many others there are.

    A fingerprint is the blob's hash and the mode. Raises SourceUnreachable when a tree is missing.
    """
    listing = store.run("ls-tree", "-r", "-z", "--long", "--full-tree", commit)
    if listing.status:
        raise SourceUnreachable("The tree of the commit cannot be read.", detail=listing.complaint)
    records = [record.decode("utf-8", "surrogateescape") for record in listing.output.split(b"\0") if record]
    files = {path: _describe(path, fields.split()) for fields, _, path in (record.partition("\t") for record in records)}
    taken = [file for path, file in files.items() if within(path)]
    return sorted(taken, key=lambda file: file.path), len(files) - len(taken)


def _describe(path: str, fields: Sequence[str]) -> SourceFile:
    mode, _, sha, length = fields
    size = int(length) if length.isdigit() else 0
    shown = showable_path(path)
    named = shown == path and _NO_FOLDERS.isdisjoint(path.split("/"))
    return SourceFile(path=shown, fingerprint=f"{sha}-{mode}", size=size, skip=_unfit(mode, size) if named else "bad_name")


def _unfit(mode: str, size: int) -> str:
    kinds = {_SYMLINK: "symlink", _SUBMODULE: "submodule"}
    return kinds.get(mode, "too_large" if size > MAX_FILE_BYTES else "")


def read_files(store: ObjectStore, files: Sequence[SourceFile]) -> Iterator[Contents]:
    """Yield the contents of ``files`` in order; a blob that is not there, or is damaged, fails as ``missing_blob``."""
    start = 0
    while start < len(files):
        batch = _batch(files, start)
        start += len(batch)
        yield from _read_batch(store, batch)


def _batch(files: Sequence[SourceFile], start: int) -> Sequence[SourceFile]:
    total, end = 0, start
    while end < len(files) and end - start < _BATCH_FILES and (total := total + files[end].size) <= _BATCH_BYTES:
        end += 1
    return files[start : max(end, start + 1)]


def _read_batch(store: ObjectStore, files: Sequence[SourceFile]) -> Iterator[Contents]:
    readable = [file for file in files if not file.skip]
    try:
        blobs = iter(_blobs(store, [file.fingerprint.partition("-")[0] for file in readable]))
    except SourceUnreachable:
        yield from (Contents(file, failure=file.skip or "unreachable") for file in files)
        return
    for file in files:
        blob = None if file.skip else next(blobs)
        yield Contents(file, failure=file.skip or "missing_blob") if blob is None else Contents(file, blob)


def _blobs(store: ObjectStore, hashes: Sequence[str]) -> list[bytes | None]:
    """Return the blobs in order, None where there is none. Where a damaged one ends the process, go on after it."""
    blobs: list[bytes | None] = []
    while len(blobs) < len(hashes):
        asked = hashes[len(blobs) :]
        answer = store.run("cat-file", "--batch", given="".join(f"{sha}\n" for sha in asked).encode())
        found = list(_parse(answer.output))
        blobs += found if len(found) == len(asked) else [*found, None]
    return blobs


def _parse(output: bytes) -> Iterator[bytes | None]:
    """Yield the blobs of a ``cat-file --batch`` answer, and None for a missing one, as far as the answer is whole."""
    position = 0
    while (end := output.find(b"\n", position)) >= 0:
        header = output[position:end].split()
        position = end + 1
        if len(header) != 3:
            yield None
            continue
        size = int(header[2])
        if position + size >= len(output):
            return
        yield output[position : position + size]
        position += size + 1
