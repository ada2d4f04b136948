"""Bare, shallow clones of remote repositories: one commit each, brought up to date by what changed since.

``refs/citewell/current`` is set only when everything the commit needs has arrived, so a fetch that was killed leaves nothing
that looks complete. A clone that is damaged is made anew; its folder may be deleted at any time.
"""

from __future__ import annotations

import fcntl
import hashlib
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from citewell.adapters.sources.git_address import Address
from citewell.adapters.sources.git_command import Finished, run_git
from citewell.adapters.sources.git_objects import ObjectStore
from citewell.core.errors import SourceUnreachable

_CURRENT: Final = "refs/citewell/current"
_COMMIT: Final = re.compile(r"[0-9a-f]{40}")
_SHORT_COMMIT: Final = re.compile(r"[0-9a-f]{7,40}")
_LOCAL_SECONDS: Final = 60.0
_LISTING_SECONDS: Final = 120.0
_FETCH_SECONDS: Final = 1_800.0
_FETCH: Final = ("fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head")


def create_bare(folder: Path) -> None:
    """Make an empty bare repository at ``folder``, unless there is a sound one. Raises SourceUnreachable."""
    if folder.exists() and run_git([f"--git-dir={folder}", "rev-parse"], seconds=_LOCAL_SECONDS).status == 0:
        return
    shutil.rmtree(folder, ignore_errors=True)
    made = run_git(["init", "--quiet", "--bare", "--template=", "--", str(folder)], seconds=_LOCAL_SECONDS)
    if made.status:
        raise SourceUnreachable("The cache for Git repositories cannot be written.", detail=made.complaint)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold ``folder`` against other threads and processes. Raises SourceUnreachable when the cache cannot be written."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = folder.with_suffix(".lock").open("w")
    except OSError as error:
        raise SourceUnreachable("The cache for Git repositories cannot be written.", detail=str(error)) from error
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@dataclass(frozen=True, slots=True)
class Clone:
    """The clone of one address in the cache. ``credentials`` are environment variables for calls that use the network."""

    address: Address
    cache: Path
    credentials: Mapping[str, str]

    @property
    def folder(self) -> Path:
        """Where the clone lies."""
        key = f"{self.address.url}#{self.address.revision}"
        return self.cache / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.git"

    @property
    def objects(self) -> ObjectStore:
        """The objects of the clone."""
        return ObjectStore(self.folder)

    @property
    def origin(self) -> Address:
        """Where it comes from."""
        return self.address

    def update(self) -> str:
        """Fetch the commit that the address means now, if it is not here yet, and return it.

        A commit that is named by its hash and has been fetched before needs no network. Raises SourceUnreachable.
        """
        with locked(self.folder):
            create_bare(self.folder)
            self._clear_leftovers()
            held = self._resolve(_CURRENT)
            if held and _SHORT_COMMIT.fullmatch(self.address.revision) and held.startswith(self.address.revision):
                return held
            wanted = self._find()
            if wanted != held or not held:
                self._fetch(wanted or self.address.revision)
            return self._resolve(_CURRENT)

    def forget(self) -> None:
        """Have the next update fetch everything again."""
        with locked(self.folder):
            self._call("update-ref", "-d", _CURRENT)

    def renew(self) -> bool:
        """Delete the clone because it is damaged; say that the next update makes it anew."""
        with locked(self.folder):
            shutil.rmtree(self.folder, ignore_errors=True)
        return True

    def _find(self) -> str:
        """Return the commit that the remote knows by the name of the revision; nothing if it may be a hidden commit."""
        revision = self.address.revision
        if _COMMIT.fullmatch(revision):
            return revision
        answer = self._reach("ls-remote", "--quiet", "--", self.address.url, seconds=_LISTING_SECONDS)
        if answer.status:
            raise self._unreachable(answer)
        lines = (line.split("\t", 1) for line in answer.output.decode("utf-8", "replace").splitlines() if "\t" in line)
        commits = {name: commit for commit, name in lines}
        for name in (revision, f"refs/{revision}", f"refs/tags/{revision}", f"refs/heads/{revision}"):
            if commit := commits.get(f"{name}^{{}}", commits.get(name, "")):
                return commit
        named = {commit for commit in commits.values() if commit.startswith(revision)}
        if not _SHORT_COMMIT.fullmatch(revision):
            raise self._unknown("" if commits else "The repository is empty.")
        return named.pop() if len(named) == 1 else ""

    def _fetch(self, commit: str) -> None:
        """Fetch ``commit`` alone; from a server that gives no commits by their hash, fetch all branches and tags."""
        if _COMMIT.fullmatch(commit):
            alone = self._reach(*_FETCH, "--depth=1", "--", self.address.url, f"+{commit}:{_CURRENT}")
            if alone.status == 0:
                return
        whole = ["--unshallow"] if (self.folder / "shallow").exists() else []
        everything = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
        answer = self._reach(*_FETCH, "--prune", *whole, "--", self.address.url, *everything)
        if answer.status:
            raise self._unreachable(answer)
        found = self._resolve(commit)
        if not found or self._call("update-ref", _CURRENT, found).status:
            raise self._unknown("")

    def _resolve(self, revision: str) -> str:
        answer = self._call("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
        return answer.output.decode("ascii").strip() if answer.status == 0 else ""

    def _call(self, *arguments: str) -> Finished:
        return run_git([f"--git-dir={self.folder}", *arguments], seconds=_LOCAL_SECONDS)

    def _reach(self, *arguments: str, seconds: float = _FETCH_SECONDS) -> Finished:
        environment = {"GIT_ALLOW_PROTOCOL": "https:ssh", **self.credentials}
        return run_git([f"--git-dir={self.folder}", *arguments], seconds=seconds, environment=environment)

    def _clear_leftovers(self) -> None:
        """Delete what a killed Git leaves behind; nobody else is at work here while we hold the lock."""
        for pattern in ("*.lock", "refs/**/*.lock", "objects/pack/tmp_*"):
            for leftover in self.folder.glob(pattern):
                leftover.unlink(missing_ok=True)

    def _unreachable(self, answer: Finished) -> SourceUnreachable:
        return SourceUnreachable(
            f"The repository {self.address.repository} cannot be reached. Check its address, the network and, for a private "
            "repository, the access: GITHUB_TOKEN for github.com, an SSH key elsewhere.",
            detail=answer.complaint,
        )

    def _unknown(self, detail: str) -> SourceUnreachable:
        return SourceUnreachable(
            f"The repository {self.address.repository} has no branch, tag or commit {self.address.revision!r}.", detail=detail
        )
