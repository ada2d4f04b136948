"""The tests of security use the agents and servers of the other tests."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path

import pytest
import typer

TESTS = Path(__file__).parent.parent
sys.path[:0] = [str(TESTS / "surfaces"), str(TESTS / "service")]


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment in which nothing but the keys is set, the same in both worlds."""
    for name in [name for name in os.environ if name.startswith("CITEWELL_")]:
        monkeypatch.delenv(name)
    for name in ("CITEWELL_REDACTION_KEY", "CITEWELL_AUDIT_KEY"):
        monkeypatch.setenv(name, "a key of thirty-two bytes at least")
    # Typer builds the same tree of commands at every call, which takes longer than a search.
    monkeypatch.setattr(typer.main, "get_command", cache(typer.main.get_command))
