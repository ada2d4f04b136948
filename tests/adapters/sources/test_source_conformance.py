from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from repositories import Repository, replace_tree

from citewell.adapters.sources import folder as folder_adapter
from citewell.adapters.sources import git as git_adapter
from citewell.core.ports import Source
from citewell.testing.memory_source import MemorySource
from citewell.testing.source_suite import SourceSuite


class TestMemorySource(SourceSuite):
    def lay_out(self, folder: Path, files: Mapping[str, bytes], links: Mapping[str, str]) -> None:
        self.held = getattr(self, "held", {})
        self.held.clear()
        self.held.update(files)
        self.links = dict.fromkeys(links, "symlink")

    def open_source(self, folder: Path, *, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> Source:
        return MemorySource("sample", self.held, include=include, exclude=exclude, skipped=self.links)


class TestFolderSource(SourceSuite):
    def lay_out(self, folder: Path, files: Mapping[str, bytes], links: Mapping[str, str]) -> None:
        (folder / "tree").mkdir(exist_ok=True)
        replace_tree(folder / "tree", files, links)

    def open_source(self, folder: Path, *, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> Source:
        rest, cache = str(folder / "tree"), folder / "cache"
        return folder_adapter.open_source("sample", rest, include=include, exclude=exclude, cache=cache, secrets={})


class TestLocalGitSource(SourceSuite):
    def lay_out(self, folder: Path, files: Mapping[str, bytes], links: Mapping[str, str]) -> None:
        self.repository = getattr(self, "repository", None) or Repository(folder / "tree")
        self.repository.commit(files, links)

    def open_source(self, folder: Path, *, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> Source:
        rest, cache = self.address(folder), folder / "cache"
        return git_adapter.open_source("sample", rest, include=include, exclude=exclude, cache=cache, secrets={})

    def address(self, folder: Path) -> str:
        return str(folder / "tree")


class TestRemoteGitSource(TestLocalGitSource):
    @pytest.fixture(autouse=True)
    def _ssh(self, ssh: Callable[[str], Path]) -> None:
        ssh("")

    def address(self, folder: Path) -> str:
        return f"ssh://git@example.org{folder / 'tree'}"
