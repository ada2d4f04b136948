"""Git repositories on this machine, whoever owns them: their objects are read, their configuration is not obeyed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from citewell.adapters.sources.git_address import Address, parse_address
from citewell.adapters.sources.git_clone import create_bare, locked
from citewell.adapters.sources.git_command import Finished, run_git
from citewell.adapters.sources.git_objects import ObjectStore
from citewell.core.errors import SourceRefused, SourceUnreachable

_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class LocalRepository:
    """A repository at a path: with a working copy, bare, or a linked worktree."""

    address: Address
    cache: Path

    @property
    def objects(self) -> ObjectStore:
        """Its objects, borrowed by an empty repository of ours. Raises SourceUnreachable."""
        found = self._ask("rev-parse", "--path-format=absolute", "--git-path", "objects")
        if found.status:
            raise SourceUnreachable("There is no Git repository at this path.", detail=found.complaint)
        return ObjectStore(self._empty, Path(found.output.decode("utf-8", "surrogateescape").removesuffix("\n")))

    @property
    def origin(self) -> Address:
        """Where it was cloned from, if that is a host with pages; else itself."""
        found = self._ask("config", "--local", "--get", "remote.origin.url")
        try:
            origin = parse_address(found.output.decode("utf-8", "replace").strip())
        except SourceRefused:
            return self.address
        return origin if origin.permalink("") else self.address

    def update(self) -> str:
        """Return the commit that the revision means now. Raises SourceUnreachable."""
        with locked(self._empty):
            create_bare(self._empty)
        if self._ask("rev-parse", "--git-dir").status:
            raise SourceUnreachable(f"There is no Git repository at {self.address.url}.")
        commit = self._ask("rev-parse", "--verify", "--quiet", f"{self.address.revision}^{{commit}}")
        if commit.status:
            raise SourceUnreachable(
                f"The repository {self.address.repository} has no branch, tag or commit {self.address.revision!r}.",
                detail=commit.complaint,
            )
        return commit.output.decode("ascii").strip()

    def renew(self) -> bool:
        """Say that there is nothing to fetch again."""
        return False

    def forget(self) -> None:
        """Do nothing: every snapshot looks at the repository itself."""

    @property
    def _empty(self) -> Path:
        return self.cache / "empty.git"

    def _ask(self, *arguments: str) -> Finished:
        path = Path(self.address.url).resolve()
        trust = ["-c", "safe.directory=*", "-C", str(path)]
        return run_git([*trust, *arguments], seconds=_SECONDS, environment={"GIT_CEILING_DIRECTORIES": str(path.parent)})
