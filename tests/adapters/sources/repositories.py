"""Folders and repositories on disk, as the tests of sources lay them out."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

_TIMES = itertools.count(1_700_000_000)


class Repository:
    """A repository with a working copy that the test changes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str, given: bytes | None = None) -> str:
        identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"]
        call = ["git", *identity, "-C", str(self.path), *arguments]
        done = subprocess.run(call, input=given, check=True, capture_output=True)
        return done.stdout.decode().strip()

    def commit(self, files: Mapping[str, bytes], links: Mapping[str, str] | None = None) -> str:
        """Make ``files`` and ``links`` the whole tree, commit it and return the commit."""
        replace_tree(self.path, files, links or {}, keep=".git")
        self.git("add", "--all")
        return self.record()

    def record(self) -> str:
        """Commit what is staged and return the commit."""
        self.git("commit", "-q", "--allow-empty", "-m", "A change")
        return self.git("rev-parse", "HEAD")

    def stage(self, mode: str, path: str, content: bytes = b"x", sha: str = "") -> None:
        """Stage an entry that a working copy could not hold."""
        sha = sha or self.git("hash-object", "-w", "--stdin", given=content)
        self.git("update-index", "-z", "--index-info", given=f"{mode} {sha}\t{path}\0".encode())


def replace_tree(folder: Path, files: Mapping[str, bytes], links: Mapping[str, str], keep: str = "") -> None:
    """Make ``files`` and ``links`` all there is in ``folder``; every file written gets a time of its own."""
    for child in list(folder.iterdir()):
        if child.is_dir() and not child.is_symlink() and child.name != keep:
            shutil.move(child, folder.parent / f"{folder.name}-old-{next(_TIMES)}")
        elif child.name != keep and files.get(child.name) != (None if child.is_symlink() else child.read_bytes()):
            child.unlink()
    for path, data in files.items():
        target = folder / path
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            os.utime(target, ns=(0, next(_TIMES) * 1_000_000_000))
    for path, aim in links.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).symlink_to(aim)
