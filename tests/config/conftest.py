"""A configuration file in a folder of its own, and an environment without citewell's variables."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from citewell.config import Config, load_config

Load = Callable[..., Config]


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in os.environ if name.startswith("CITEWELL_") or name.endswith(("_TOKEN", "_API_KEY"))]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def load(tmp_path: Path) -> Load:
    def load_text(text: str, overrides: Mapping[str, str] | None = None) -> Config:
        file = tmp_path / "citewell.yaml"
        file.write_text(text, encoding="utf-8")
        return load_config(file, overrides or {})

    return load_text
