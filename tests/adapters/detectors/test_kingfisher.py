from __future__ import annotations

import base64
import sys
from pathlib import Path
from random import Random
from string import ascii_letters, digits

import pytest

from citewell.adapters.detectors.kingfisher import kind_of, open_detector
from citewell.core.errors import ConfigurationError, MissingExtra
from citewell.core.ports import Detector
from citewell.registry import open_detector as open_by_address
from citewell.testing.detector_suite import DetectorSuite

TOKEN = "gh" + "p_" + "".join(Random(5).choices(ascii_letters + digits, k=36))


@pytest.fixture(scope="module")
def kingfisher(tmp_path_factory: pytest.TempPathFactory) -> Detector:
    pytest.importorskip("kingfisher_sdk", reason="citewell[kingfisher] is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KF_RULE_CACHE_DIR", str(tmp_path_factory.mktemp("rules")))
        detector = open_by_address("kingfisher:")
        list(detector.find(""))
    return detector


class TestKingfisher(DetectorSuite):
    @pytest.fixture
    def detector(self, kingfisher: Detector) -> Detector:
        return kingfisher

    @pytest.fixture
    def specimen(self) -> str:
        return TOKEN


def test_the_name_tells_the_version_and_loads_no_rules() -> None:
    pytest.importorskip("kingfisher_sdk", reason="citewell[kingfisher] is not installed")
    assert open_detector("").name.startswith("kingfisher/1.")


def test_the_kind_is_the_name_of_the_rule(kingfisher: Detector) -> None:
    assert [one.kind for one in kingfisher.find(f"key {TOKEN}")] == ["GITHUB_PAT"]


def test_of_a_secret_in_base64_the_whole_is_found(kingfisher: Detector) -> None:
    encoded = base64.b64encode(f"token: {TOKEN}".encode()).decode()
    text = f"é data: {encoded}\n"
    assert {text[one.start : one.end] for one in kingfisher.find(text)} == {encoded}


@pytest.mark.parametrize(
    ("rule", "kind"),
    [
        ("betterleaks.github-pat", "GITHUB_PAT"),
        ("betterleaks.cloudflare-api-key.1", "CLOUDFLARE_API_KEY"),
        ("veles.secrets/packagistsecret", "PACKAGISTSECRET"),
        ("betterleaks.1password-secret-key", "KEY_1PASSWORD_SECRET_KEY"),
        ("own", "OWN"),
    ],
)
def test_a_kind_can_stand_in_a_placeholder(rule: str, kind: str) -> None:
    assert kind_of(rule) == kind


def test_it_takes_nothing_after_the_colon() -> None:
    with pytest.raises(ConfigurationError, match="takes nothing after the colon"):
        open_by_address("kingfisher:high")


def test_a_missing_package_is_named_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kingfisher_sdk", None)
    with pytest.raises(MissingExtra, match=r"pip install 'citewell\[kingfisher\]'"):
        open_by_address("kingfisher:")


def test_what_would_try_out_a_secret_is_never_touched() -> None:
    """Kingfisher's validator and revoker send what they are given to the service it belongs to."""
    source = Path(sys.modules[open_detector.__module__].__file__ or "").read_text(encoding="utf-8")
    assert not {"Validator", "Revoker", "validate", "revoke"} & set(source.replace("(", " ").replace(".", " ").split())
