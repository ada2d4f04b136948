"""``folder:PATH``: the files of a folder on this machine.

The tree is everything below the folder except what version control, package managers and caches keep for themselves
(``PRUNED``, and virtual environments, known by their ``pyvenv.cfg``); those are neither listed nor counted. ``.gitignore`` is
not consulted: globs say what belongs.

No symbolic link below the folder is ever followed. Every file and folder is opened component by component, each relative to
the one before and with ``O_NOFOLLOW``, so a component that is replaced by a link between listing and reading leads nowhere.
The configured folder itself may be a link.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from citewell.adapters.sources.listing import MAX_FILE_BYTES, path_filter, showable_path
from citewell.core.errors import SourceRefused, SourceUnreachable
from citewell.core.ports import Contents, Snapshot, Source, SourceFile

PRUNED: Final = frozenset(
    {
        ".citewell",
        ".git",
        ".hg",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        ".svn",
        ".tox",
        ".venv",
        "__pycache__",
        "node_modules",
    }
)
"""Names of folders that are no part of the tree, wherever they are."""

_UNKNOWN: Final = "unknown"
"""The fingerprint of what could not be looked at; reading it tells why."""

_FAILURES: Final = {errno.ENOENT: "vanished", errno.ENOTDIR: "vanished", errno.ELOOP: "symlink", errno.ENXIO: "not_a_file"}


def open_source(
    name: str,
    rest: str,
    *,
    include: Sequence[str],
    exclude: Sequence[str],
    cache: Path,
    secrets: Mapping[str, str],
) -> Source:
    """Return the source for ``folder:rest``, with ``rest`` an absolute path.

    Raises SourceRefused for a path that cannot be one, and on systems that cannot open files relative to a folder.
    """
    if os.open not in os.supports_dir_fd:
        raise SourceRefused(f"Source {name!r}: folders can be read safely on Linux and macOS only.")
    if "\0" in rest or not rest:
        raise SourceRefused(f"Source {name!r}: this is not the path of a folder.")
    return FolderSource(name, Path(rest), include=include, exclude=exclude)


class FolderSource:
    """The regular files below a folder.

    A fingerprint is the size and the modification time, so a file that nobody touched is never read.
    """

    def __init__(self, name: str, root: Path, *, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> None:
        self._name = name
        self._root = root
        self._within = path_filter(include, exclude)

    @property
    def name(self) -> str:
        """The name the configuration gives the source."""
        return self._name

    def snapshot(self) -> Snapshot:
        """List the folder. Raises SourceUnreachable when it, or the disk below it, cannot be read.

        A subfolder without permission is listed as one file that fails when it is read.
        """
        root = self._open_root()
        try:
            listed = list(_walk(root, self._within))
        except OSError as error:
            raise SourceUnreachable(
                f"Source {self._name!r}: the folder could not be listed to its end. Nothing was changed; try again.",
                detail=f"{self._root}: {error}",
            ) from error
        finally:
            os.close(root)
        files = sorted((file for file in listed if file is not None), key=lambda file: file.path)
        return Snapshot(files=tuple(files), excluded=len(listed) - len(files))

    def read(self, files: Sequence[SourceFile]) -> Iterator[Contents]:
        """Yield the contents of ``files`` as they are now, in order; a file that is gone or closed to us says so."""
        try:
            root = self._open_root()
        except SourceUnreachable:
            yield from (Contents(file, failure=file.skip or "unreachable") for file in files)
            return
        try:
            for file in files:
                yield _read(root, file)
        finally:
            os.close(root)

    def _open_root(self) -> int:
        try:
            return os.open(self._root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise SourceUnreachable(
                f"Source {self._name!r}: the folder does not exist or may not be read.", detail=f"{self._root}: {error}"
            ) from error


def _walk(root: int, within: Callable[[str], bool]) -> Iterator[SourceFile | None]:
    """Yield every file of the tree, and None for one outside the globs."""
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        try:
            descriptor = open_below(root, folder, os.O_DIRECTORY)
        except PermissionError:
            yield SourceFile(path=showable_path(folder), fingerprint=_UNKNOWN, size=0)
        except (FileNotFoundError, NotADirectoryError):
            continue
        else:
            subfolders, files = _list_folder(descriptor, folder)
            waiting += subfolders
            for path, status in files:
                yield describe_file(path, status) if within(path) else None


def _list_folder(descriptor: int, folder: str) -> tuple[list[str], list[tuple[str, os.stat_result | None]]]:
    """Return the paths of the subfolders of the tree, and the paths of everything else with its status. Closes the folder."""
    try:
        with os.scandir(descriptor) as entries:
            children = list(entries)
        if folder and any(entry.name == "pyvenv.cfg" for entry in children):
            return [], []
        prefix = f"{folder}/" if folder else ""
        folders = [entry for entry in children if entry.is_dir(follow_symlinks=False)]
        files = [entry for entry in children if not entry.is_dir(follow_symlinks=False)]
        return (
            [prefix + entry.name for entry in folders if entry.name not in PRUNED],
            [(prefix + entry.name, _status(entry)) for entry in files],
        )
    finally:
        os.close(descriptor)


def _status(entry: os.DirEntry[str]) -> os.stat_result | None:
    try:
        return entry.stat(follow_symlinks=False)
    except (FileNotFoundError, PermissionError):
        return None


def describe_file(path: str, status: os.stat_result | None) -> SourceFile:
    """Return the file at ``path`` as it is listed; ``status`` is None where nothing can be learnt of it."""
    shown = showable_path(path)
    if status is None:
        return SourceFile(path=shown, fingerprint=_UNKNOWN, size=0)
    fingerprint = f"{status.st_size}-{status.st_mtime_ns}"
    skip = "bad_name" if shown != path else _unfit(status)
    return SourceFile(path=shown, fingerprint=fingerprint, size=status.st_size, skip=skip)


def _unfit(status: os.stat_result) -> str:
    if stat.S_ISLNK(status.st_mode):
        return "symlink"
    if not stat.S_ISREG(status.st_mode):
        return "not_a_file"
    return "too_large" if status.st_size > MAX_FILE_BYTES else ""


def _read(root: int, file: SourceFile) -> Contents:
    if file.skip:
        return Contents(file, failure=file.skip)
    try:
        status, data = _read_regular(open_below(root, file.path, os.O_NONBLOCK))
    except OSError as error:
        return Contents(file, failure=_FAILURES.get(error.errno or 0, "unreadable"))
    unfit = "too_large" if len(data) > MAX_FILE_BYTES else _unfit(status)
    return Contents(file, failure=unfit) if unfit else Contents(file, data)


def _read_regular(descriptor: int) -> tuple[os.stat_result, bytes]:
    """Return what stands open, and its bytes if it is a regular file. Closes it."""
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        return status, b""
    with os.fdopen(descriptor, "rb") as opened:
        return status, opened.read(MAX_FILE_BYTES + 1)


def open_below(root: int, path: str, flags: int) -> int:
    """Open ``path`` below ``root`` without following a link in any of its components, or going up. Raises OSError."""
    *folders, last = path.split("/") if path else ["."]
    if ".." in (*folders, last):
        raise FileNotFoundError(errno.ENOENT, "no path below the folder", path)
    descriptor = os.dup(root)
    for folder in folders:
        descriptor = _open_in(descriptor, folder, os.O_DIRECTORY)
    return _open_in(descriptor, last, flags)


def _open_in(parent: int, name: str, flags: int) -> int:
    """Open ``name`` in the folder ``parent`` and close the folder, whatever happens."""
    try:
        return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | flags, dir_fd=parent)
    finally:
        os.close(parent)
