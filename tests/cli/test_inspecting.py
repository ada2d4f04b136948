from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from citewell import __version__

Cli = Callable[..., Any]


def test_version_is_told(cli: Cli) -> None:
    assert cli("version").out == f"citewell {__version__}\n"
    assert cli("--version").out == f"citewell {__version__}\n"
    assert cli("version", "--json").json["version"] == __version__


def test_config_shows_every_value_with_its_origin(cli: Cli, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITEWELL_SERVE__PORT", "9000")

    rows = {
        line.split()[0]: line.split()[1:] for line in cli("config", "-c", project, "--set", "retrieval.k=3").out.splitlines()
    }

    assert rows["serve.port"] == ["9000", "CITEWELL_SERVE__PORT"]
    assert rows["retrieval.k"] == ["3", "command", "line"]
    assert rows["retrieval.candidates"] == ["50", "default"]
    assert rows["embedder"] == ["hash:", f"{project}:2"]


def test_config_speaks_json(cli: Cli, project: Path) -> None:
    shown = cli("config", "-c", project, "--json").json

    assert shown["file"] == str(project.resolve())
    assert {"key": "retrieval.k", "value": 8, "origin": "default", "where": ""} in shown["settings"]


def test_config_masks_secrets(cli: Cli, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "ghp_verysecret")

    for options in ((), ("--json",)):
        outcome = cli("config", "-c", project, *options)
        assert "ghp_verysecret" not in outcome.out + outcome.err
        assert "GITHUB_TOKEN" in outcome.out


def test_doctor_finds_a_healthy_installation_healthy(cli: Cli, library: Path) -> None:
    outcome = cli("doctor", "-c", library, "--json")

    status = {check["name"]: check["status"] for check in outcome.json["checks"]}
    assert outcome.status == 0
    assert outcome.json["healthy"] is True
    assert {status[name] for name in ("python", "configuration", "git", "store", "embedder", "vectors")} == {"ok"}
    assert status["source handbook"] == status["source client"] == "ok"


def test_doctor_says_what_to_do_about_an_empty_index(cli: Cli, project: Path) -> None:
    outcome = cli("doctor", "-c", project)

    assert outcome.status == 0
    assert "warn vectors: the index is empty\n     citewell sync\n" in outcome.out


def test_doctor_fails_where_a_source_is_out_of_reach_and_goes_on(cli: Cli, project: Path) -> None:
    (project.parent / "docs").rename(project.parent / "elsewhere")

    outcome = cli("doctor", "-c", project)

    assert outcome.status == 1
    assert "fail source handbook: " in outcome.out
    assert "ok   source client: " in outcome.out


def test_doctor_warns_of_globs_that_match_nothing(cli: Cli, project: Path) -> None:
    project.write_text(project.read_text().replace("**/*.py", "*.pyx"))

    assert "warn source client: files: 0" in cli("doctor", "-c", project).out


def test_doctor_fails_with_a_configuration_that_cannot_be_used(cli: Cli, project: Path) -> None:
    project.write_text("retrieval: {kk: 1}")

    outcome = cli("doctor", "-c", project)

    assert outcome.status == 1
    assert "fail configuration: " in outcome.out
    assert "did you mean 'k'?" in outcome.out


@pytest.mark.parametrize("setting", ["store=nope:x", "embedder=nope:x"])
def test_doctor_fails_with_an_adapter_nobody_knows(cli: Cli, project: Path, setting: str) -> None:
    outcome = cli("doctor", "-c", project, "--set", setting)

    assert outcome.status == 1
    assert f"fail {setting.partition('=')[0]}: nope:x there is no" in outcome.out
    assert "ok   source client: " in outcome.out
