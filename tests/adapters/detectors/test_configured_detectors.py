from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from citewell import registry
from citewell.config import load_config
from citewell.wiring import build_redactor

ADAPTER = """
from citewell.testing.keyword_detector import KeywordDetector

def open_detector(rest):
    return KeywordDetector({word: "WORD" for word in rest.split("+")})
"""


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return a folder for a configuration, where somebody's package brings the detector ``words:``."""
    (tmp_path / "words_adapter.py").write_text(ADAPTER)
    monkeypatch.syspath_prepend(tmp_path)
    point = EntryPoint(name="detector.words", value="words_adapter:open_detector", group=registry.ENTRY_POINTS)
    monkeypatch.setattr(registry, "entry_points", lambda *, group: [point] if group == point.group else [])
    monkeypatch.setenv("CITEWELL_REDACTION_KEY", "k" * 64)
    return tmp_path


def configured(folder: Path, detectors: str) -> Path:
    file = folder / "citewell.yaml"
    file.write_text(f"redaction: {{detectors: {detectors}}}\n")
    return file


def test_a_configured_detector_is_asked_beside_our_own_rules(folder: Path) -> None:
    redactor = build_redactor(load_config(configured(folder, '["words:albatross"]')))
    kinds = [finding.kind for finding in redactor.find("the albatross of ada@corp.com")]
    assert kinds == ["WORD", "EMAIL"]


def test_another_detector_makes_another_stamp(folder: Path) -> None:
    stamps = {
        build_redactor(load_config(configured(folder, detectors))).stamp
        for detectors in ("[]", '["words:albatross"]', '["words:penguin"]', '["words:albatross", "words:penguin"]')
    }
    assert len(stamps) == 4


def test_what_a_detector_finds_may_be_allowed(folder: Path) -> None:
    file = configured(folder, '["words:albatross"], allow: [{value: albatross, reason: a bird}]')
    assert build_redactor(load_config(file)).find("the albatross") == ()
