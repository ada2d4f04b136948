"""Real repositories for the tests of sources, made by the Git program, and a stand-in for ssh that stays on this machine."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from repositories import Repository

SSH = """#!/bin/sh
echo "$@" >> {log}
{before}
for command; do :; done
exec sh -c "$command"
"""


@pytest.fixture
def make_repository(tmp_path: Path) -> Callable[[str], Repository]:
    return lambda name: Repository(tmp_path / name)


@pytest.fixture
def repository(make_repository: Callable[[str], Repository]) -> Repository:
    return make_repository("remote")


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def ssh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Return a function that puts an ``ssh`` first on the path which runs the remote command here; it returns its log."""

    def install(before: str = "") -> Path:
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        log = tmp_path / "ssh.log"
        (folder / "ssh").write_text(SSH.format(log=log, before=before))
        (folder / "ssh").chmod(0o755)
        monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
        return log

    return install
