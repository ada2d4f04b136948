from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from citewell import registry
from citewell.core.errors import MissingExtra, UnknownAdapter
from citewell.core.ports import StoreSetup


def test_an_unknown_scheme_is_refused_with_what_is_near_and_what_there_is() -> None:
    with pytest.raises(
        UnknownAdapter,
        match=r"no store 'embeded'; did you mean embedded:\? \(known: elastic\+qdrant:, embedded:, memory:, milvus:\)",
    ):
        registry.open_store("embeded:./x", StoreSetup())


def test_a_source_that_is_planned_is_said_to_be_missing_yet(tmp_path: Path) -> None:
    with pytest.raises(UnknownAdapter, match="github: is not in this version"):
        registry.open_source("a", "github:x/y", include=(), exclude=(), cache=tmp_path, secrets={})


def register(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    point = EntryPoint(name="embedder.acme", value=f"{module}:open_embedder", group=registry.ENTRY_POINTS)
    monkeypatch.setattr(registry, "entry_points", lambda *, group: [point] if group == point.group else [])


def test_a_package_may_bring_an_adapter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "acme_adapter.py").write_text("def open_embedder(rest, secrets):\n    return rest, dict(secrets)\n")
    monkeypatch.syspath_prepend(tmp_path)
    register(monkeypatch, "acme_adapter")

    assert registry.open_embedder("acme:model-7", {"KEY": "x"}) == ("model-7", {"KEY": "x"})
    assert "acme" in registry.known_schemes("embedder")


def test_a_package_that_is_not_installed_is_named_with_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "needy_adapter.py").write_text("import a_package_nobody_has\n")
    monkeypatch.syspath_prepend(tmp_path)
    register(monkeypatch, "needy_adapter")

    with pytest.raises(MissingExtra, match=r"acme: needs .* missing: pip install a_package_nobody_has"):
        registry.open_embedder("acme:", {})
