"""A small real folder, indexed once, and the command line run in this process as the entry point runs it."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from citewell.cli.app import run

CONFIGURATION = """\
store: embedded:./.citewell
embedder: "hash:"
collections:
  docs: {chunker: markdown}
  code: {chunker: code}
sources:
  - {name: handbook, from: "folder:./docs", collection: docs, include: ["**/*.md", "**/*.bin"], exclude: ["drafts/**"]}
  - {name: client, from: "folder:./src", collection: code, include: ["**/*.py"]}
"""
FILES = {
    "docs/timeouts.md": (
        "# Timeouts\n\nThe default timeout is five seconds of network inactivity.\n\n## Fine tuning\n\n"
        "The pool timeout is the longest time to wait for a connection from the connection pool.\n"
    ),
    "docs/spring.md": "# 春\n\n春天来了，小草从土里钻出来。盼望着，东风来了。\n",
    "docs/evil.md": "# Evil \x1b[31mred\n\nThe keyword zebra has \x1b]0;owned\x07 and [bold]markup[/bold] and \u202eabc.\n",
    "docs/drafts/secret.md": "# Draft\n\nNot indexed.\n",
    "src/pool.py": 'def max_keepalive_connections(limit: int) -> int:\n    """Return the limit."""\n    return limit\n',
}


@dataclass(frozen=True)
class Outcome:
    """How a command ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Cli = Callable[..., Outcome]


@pytest.fixture(autouse=True)
def _clean_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in [name for name in os.environ if name.startswith("CITEWELL_") or name.endswith(("_TOKEN", "_API_KEY"))]:
        monkeypatch.delenv(name)
    root = logging.getLogger()
    handlers = list(root.handlers)
    yield
    root.handlers = handlers


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    def run_here(*arguments: str | Path) -> Outcome:
        capsys.readouterr()
        status = run([str(argument) for argument in arguments])
        return Outcome(status, *capsys.readouterr())

    return run_here


def write_project(folder: Path) -> Path:
    """Write the project into ``folder`` and return its configuration file."""
    for name, text in FILES.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (folder / "docs" / "picture.bin").write_bytes(b"\x00\x01\x02" * 100)
    (folder / "citewell.yaml").write_text(CONFIGURATION, encoding="utf-8")
    return folder / "citewell.yaml"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The configuration of a project that was never synchronised."""
    return write_project(tmp_path)


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The configuration of a project that is indexed; tests only read it."""
    config = write_project(tmp_path_factory.mktemp("library"))
    assert run(["sync", "--config", str(config)]) == 0
    return config
