"""``citewell verify acl`` passes where nothing leaks, and finds every hole that is made on purpose."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from citewell.cli.app import run
from citewell.registry import ADAPTERS

CONFIG = """\
store: embedded:./index
embedder: "hash:"
collections: {docs: {}, code: {chunker: code}}
access:
  default: [engineering]
  rules:
    - {paths: "payroll/**", groups: [finance]}
    - {paths: "**/*.py", groups: [backend]}
    - {paths: "public/**", groups: [public]}
    - {paths: "board/*.md", groups: []}
  groups: {engineering: [backend]}
  users: {ada: [backend], bo: [finance], "*": []}
"""
HOLES = [
    ("LeakyDocuments", {"service", "mcp", "http", "cli"}),
    ("LeakyRanking", {"service", "mcp", "cli"}),
    ("TalkativeStore", {"files"}),
    ("LitteringStore", {"files"}),
]


@pytest.fixture(autouse=True)
def installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "citewell.yaml").write_text(CONFIG, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def verdict(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, dict[str, object]]:
    status = run(["verify", "acl", "--json", *options])
    return status, json.loads(capsys.readouterr().out)


def test_a_sound_installation_passes(capsys: pytest.CaptureFixture[str]) -> None:
    status, found = verdict(capsys)
    assert (status, found["passed"], found["leaks"], found["missed"], found["uncovered"]) == (0, True, [], [], [])
    assert found["canaries"] == 5
    assert {"ada", "bo", "anonymous", "member-of-finance"} <= set(found["principals"])  # type: ignore[arg-type]
    assert all(count > 0 for count in found["asked"].values())  # type: ignore[attr-defined]


@pytest.mark.parametrize(("store", "surfaces"), HOLES)
def test_a_hole_is_found_through_every_door_it_opens(
    store: str, surfaces: set[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ADAPTERS["store"], "embedded", f"leaky_stores:{store}")  # type: ignore[arg-type]
    status, found = verdict(capsys)
    assert status == 1
    assert {leak["surface"] for leak in found["leaks"]} == surfaces  # type: ignore[attr-defined]


def test_an_installation_that_finds_nothing_proves_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ADAPTERS["store"], "embedded", "leaky_stores:DeafStore")  # type: ignore[arg-type]
    status, found = verdict(capsys)
    assert (status, found["leaks"]) == (1, [])
    assert found["missed"]


def test_the_installation_itself_is_left_alone(installation: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verdict(capsys)[0] == 0
    assert [entry.name for entry in installation.iterdir()] == ["citewell.yaml"]


def test_the_report_never_holds_the_secret_words(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ADAPTERS["store"], "embedded", "leaky_stores:LeakyDocuments")  # type: ignore[arg-type]
    run(["verify", "acl"])
    assert "codeword" not in capsys.readouterr().out


def test_the_log_is_as_before(capsys: pytest.CaptureFixture[str]) -> None:
    own = logging.getLogger("citewell")
    before = own.handlers[:]
    verdict(capsys)
    assert own.handlers == before


def test_more_canaries_can_be_planted(capsys: pytest.CaptureFixture[str]) -> None:
    assert verdict(capsys, "--canaries", "3")[1]["canaries"] == 15


def test_a_store_without_a_scratch_copy_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    status, found = verdict(capsys, "--set", "store=memory:")
    assert (status, found["error"]["code"]) == (78, "BAD_CONFIGURATION")  # type: ignore[index]
