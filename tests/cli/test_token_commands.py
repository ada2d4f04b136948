"""``citewell token``: what it prints, what it refuses, and with which status it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from citewell.cli.app import run

CONFIG = 'store: embedded:./index\nembedder: "hash:"\nauth: {tokens: true}\n'


@pytest.fixture(autouse=True)
def installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "citewell.yaml").write_text(CONFIG, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    status = run(["token", *arguments, "--json"])
    return status, json.loads(capsys.readouterr().out)


def test_a_token_is_made_listed_and_revoked(capsys: pytest.CaptureFixture[str]) -> None:
    status, made = said(capsys, "create", "--user", "ada", "--scope", "write", "--scope", "read", "--expires", "12h")
    assert (status, made["user"], made["scopes"], made["state"]) == (0, "ada", ["read", "write"], "good")
    assert made["token"].startswith(f"cw_{made['id']}_")
    _, listed = said(capsys, "list")
    assert [(token["id"], token["state"]) for token in listed["tokens"]] == [(made["id"], "good")]
    assert made["token"] not in json.dumps(listed)
    assert said(capsys, "revoke", made["id"]) == (0, {"revoked": 1})
    assert said(capsys, "list")[1]["tokens"][0]["state"] == "revoked"


def test_people_get_the_token_alone_on_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["token", "create", "--user", "ada"]) == 0
    output = capsys.readouterr()
    assert output.out.strip().startswith("cw_")
    assert "not shown again" in output.err
    assert run(["token", "list"]) == 0
    assert "ada" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "status", "code"),
    [
        (("create", "--user", "local"), 64, "INVALID_REQUEST"),
        (("create", "--user", "ada", "--expires", "soon"), 64, "INVALID_REQUEST"),
        (("create", "--user", "ada", "--scope", "all"), 64, "INVALID_REQUEST"),
        (("create",), 64, "USAGE"),
        (("revoke",), 64, "INVALID_REQUEST"),
        (("revoke", "abc", "--user", "ada"), 64, "INVALID_REQUEST"),
        (("revoke", "nothere1"), 66, "NOT_FOUND"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_cannot_be_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], status: int, code: str
) -> None:
    ended, told = said(capsys, *arguments)
    assert (ended, told["error"]["code"]) == (status, code)


def test_without_tokens_in_the_configuration_none_are_made(installation: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (installation / "citewell.yaml").write_text("auth: {tokens: false}\n", encoding="utf-8")
    status, told = said(capsys, "create", "--user", "ada")
    assert (status, told["error"]["code"]) == (78, "BAD_CONFIGURATION")


def test_a_damaged_file_of_tokens_is_named(installation: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = installation / ".citewell" / "tokens.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text("{", encoding="utf-8")
    file.chmod(0o600)
    status, told = said(capsys, "list")
    assert (status, told["error"]["code"]) == (78, "BAD_CONFIGURATION")
    assert "damaged" in told["error"]["message"]
