"""The writing side of ``folder:PATH``.

A file is written beside the tree, in a folder that is never listed, and then takes its place in one step: whoever reads finds
the old one or the new one. As in reading, no symbolic link below the folder is followed.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from citewell.adapters.sources.folder import PRUNED, describe_file, open_below
from citewell.adapters.sources.listing import path_filter, showable_path
from citewell.core.errors import DocumentReadOnly, SourceUnreachable
from citewell.core.ports import SourceFile

WORKSHOP: Final = ".citewell"
"""Where files are written before they take their place; it is one of the folders that are never listed."""

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW_FILE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class EditableFolder:
    """The regular files below a folder, to be written."""

    def __init__(self, name: str, root: Path, *, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> None:
        self._name = name
        self._root = root
        self._within = path_filter(include, exclude)

    def takes(self, path: str) -> bool:
        """Say whether a file at ``path`` would be listed."""
        steps = path.split("/")
        goes_astray = any(step in ("", ".", "..") for step in steps) or not PRUNED.isdisjoint(steps[:-1])
        return not goes_astray and "\0" not in path and showable_path(path) == path and self._within(path)

    def put(self, path: str, data: bytes) -> SourceFile:
        """Write ``data`` beside the tree, then into its place."""
        with self._parent_of(path) as (root, parent, name):
            try:
                mode = _mode_of(parent, name, path)
                return _replace(root, parent, name, path, data, mode)
            except OSError as error:
                raise self._unreachable(error) from error

    def remove(self, path: str) -> None:
        """Take the file away, if it is there."""
        with self._parent_of(path) as (_, parent, name):
            try:
                _mode_of(parent, name, path)
                with suppress(FileNotFoundError):
                    os.unlink(name, dir_fd=parent)
                os.fsync(parent)
            except OSError as error:
                raise self._unreachable(error) from error

    @contextmanager
    def _parent_of(self, path: str) -> Iterator[tuple[int, int, str]]:
        """Lend the folder, the subfolder that ``path`` lies in, and the name it has there."""
        if not self.takes(path):
            raise DocumentReadOnly("A document of that name cannot be written here.")
        folder, _, name = path.rpartition("/")
        with self._opened() as root:
            try:
                parent = open_below(root, folder, os.O_DIRECTORY)
            except OSError as error:
                raise self._unreachable(error) from error
            try:
                yield root, parent, name
            finally:
                os.close(parent)

    @contextmanager
    def _opened(self) -> Iterator[int]:
        try:
            root = os.open(self._root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise self._unreachable(error) from error
        try:
            yield root
        finally:
            os.close(root)

    def _unreachable(self, error: OSError) -> SourceUnreachable:
        message = f"Source {self._name!r}: its folder cannot be written."
        return SourceUnreachable(message, detail=f"{self._root}: {error}")


def _mode_of(parent: int, name: str, path: str) -> int:
    """Return the permissions of the file that stands there, or those of a new one. Raises DocumentReadOnly for no file."""
    try:
        status = os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return 0o644
    if not stat.S_ISREG(status.st_mode):
        raise DocumentReadOnly(f"{path} is a link or something else that is no file; it is left as it is.")
    return stat.S_IMODE(status.st_mode)


def _replace(root: int, parent: int, name: str, path: str, data: bytes, mode: int) -> SourceFile:
    workshop = _open_workshop(root)
    draft = secrets.token_hex(8)
    try:
        _write(workshop, draft, data, mode)
        os.rename(draft, name, src_dir_fd=workshop, dst_dir_fd=parent)
        os.fsync(parent)
        return describe_file(path, os.stat(name, dir_fd=parent, follow_symlinks=False))
    finally:
        with suppress(FileNotFoundError):
            os.unlink(draft, dir_fd=workshop)
        os.close(workshop)


def _open_workshop(root: int) -> int:
    with suppress(FileExistsError):
        os.mkdir(WORKSHOP, 0o700, dir_fd=root)
    return os.open(WORKSHOP, _FOLDER, dir_fd=root)


def _write(folder: int, name: str, data: bytes, mode: int) -> None:
    with os.fdopen(os.open(name, _NEW_FILE, 0o600, dir_fd=folder), "wb") as opened:
        opened.write(data)
        opened.flush()
        os.fchmod(opened.fileno(), mode)
        os.fsync(opened.fileno())
