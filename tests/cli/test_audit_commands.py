"""``citewell audit``: every command leaves one line, and the lines can be checked, searched and erased."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from citewell.cli.app import run

Cli = Callable[..., Any]


@pytest.fixture
def indexed(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of its own that is indexed: its audit begins with the sync."""
    monkeypatch.setenv("CITEWELL_CONFIG", str(project))
    assert run(["sync"]) == 0
    return project


def audit_files(project: Path) -> list[Path]:
    return sorted((project.parent / ".citewell" / "audit").glob("*.jsonl"))


def records(project: Path) -> list[dict[str, Any]]:
    lines = [line for file in audit_files(project) for line in file.read_text(encoding="utf-8").splitlines()]
    return [record for line in lines if "who" in (record := json.loads(line)["record"])]


def test_every_command_is_one_line(cli: Cli, indexed: Path) -> None:
    commands = [
        ("search", "default timeout"),
        ("search", "x", "-k", "0"),
        ("ask", "What is the default timeout?"),
        ("ask", "Who won the cup in 1953?"),
        ("read", "timeouts.md"),
        ("read", "absent.md"),
        ("sources",),
        ("sync",),
        ("access", "explain", "ada", "timeouts.md"),
        ("access", "who", "timeouts.md"),
        ("audit", "verify"),
        ("audit", "who", "timeouts.md"),
        ("audit", "show", "local"),
        ("audit", "erase", "nobody"),
    ]
    for command in commands:
        cli(*command)
    assert [(seen["action"], seen["outcome"], seen.get("code", "")) for seen in records(indexed)[1:]] == [
        ("search", "ok", ""),
        ("search", "failed", "BAD_LIMIT"),
        ("ask", "ok", ""),
        ("ask", "declined", ""),
        ("read", "ok", ""),
        ("read", "denied", "DOCUMENT_NOT_FOUND"),
        ("sources", "ok", ""),
        ("sync", "ok", ""),
        ("access_explain", "ok", ""),
        ("access_who", "ok", ""),
        ("audit_verify", "ok", ""),
        ("audit_who", "ok", ""),
        ("audit_show", "ok", ""),
        ("audit_erase", "ok", ""),
    ]
    assert {(seen["who"], seen["via"]) for seen in records(indexed)} == {("local", "cli")}
    assert len(audit_files(indexed)) == 1


def test_no_text_of_a_document_is_written_down(cli: Cli, indexed: Path) -> None:
    cli("search", "default timeout")
    cli("ask", "What is the default timeout?")
    cli("read", "timeouts.md")
    written = "".join(file.read_text(encoding="utf-8") for file in audit_files(indexed))
    assert "five seconds" not in written
    assert "connection pool" not in written


def test_what_explain_shows_the_audit_keeps_too(cli: Cli, indexed: Path) -> None:
    shown = cli("search", "default timeout", "--explain")
    stages = [name for name, _ in records(indexed)[-1]["stages"]]
    assert {"bm25", "fuse", "read"} <= set(stages)
    assert all(name in shown.out + shown.err for name in stages)


def test_a_whole_audit_is_verified_file_by_file(cli: Cli, indexed: Path) -> None:
    (file,) = audit_files(indexed)
    assert cli("audit", "verify").out == f"{file.stem}  ok\n1 files, 2 lines, 0 problems\n"
    outcome = cli("audit", "verify", "--json")
    assert (outcome.status, outcome.json) == (0, {"files": [file.stem], "lines": 3, "findings": [], "unanchored": []})


def test_a_changed_audit_is_told_with_its_place(cli: Cli, indexed: Path) -> None:
    cli("search", "default timeout")
    (file,) = audit_files(indexed)
    file.write_bytes(file.read_bytes().replace(b'"local"', b'"mallo"', 1))
    outcome = cli("audit", "verify")
    assert outcome.status == 73
    assert f"{file.stem}:2  the line, or one before it, was changed, moved or taken away" in outcome.out
    assert cli("audit", "verify", "--json").json["findings"][0]["line"] == 2


def test_who_saw_a_document_is_told(cli: Cli, indexed: Path) -> None:
    assert cli("audit", "who", "timeouts.md").out == "Nobody.\n"
    cli("search", "default timeout")
    cli("read", "timeouts.md")
    row = cli("audit", "who", "timeouts.md").out.splitlines()[1].split()
    assert row[:3] == ["local", "cli", "2"]
    (seen,) = cli("audit", "who", "timeouts.md", "--json").json["seen_by"]
    assert (seen["who"], seen["times"]) == ("local", 2)
    assert seen["first"] < seen["last"]


def test_what_somebody_did_is_told_until_his_questions_are_erased(cli: Cli, indexed: Path) -> None:
    cli("search", "zebra crossing")
    assert "search ok  zebra crossing" in cli("audit", "show", "local").out
    assert cli("audit", "erase", "local").out == "Questions erased: 1\n"
    assert "zebra" not in "".join(file.read_text(encoding="utf-8") for file in audit_files(indexed))
    assert [seen["query"] for seen in cli("audit", "show", "local", "--json").json["events"] if "query" in seen] == [None]
    assert "search ok  (erased)  saw evil.md:0" in cli("audit", "show", "local").out
    assert cli("audit", "verify").status == 0
    assert cli("audit", "erase", "local", "--json").json == {"user": "local", "erased": 0}


def test_a_secret_in_a_question_is_not_written_down(cli: Cli, indexed: Path) -> None:
    cli("search", "why is AKIAQ3EGRIZ7NX5JTPLA refused")
    assert records(indexed)[-1]["action"] == "search"
    assert b"AKIAQ3" not in audit_files(indexed)[0].read_bytes()


def test_nothing_is_found_while_a_required_audit_cannot_be_written(cli: Cli, indexed: Path, tmp_path: Path) -> None:
    (tmp_path / "in the way").write_text("", encoding="utf-8")
    blocked = ("--set", f"audit.path={tmp_path / 'in the way'}")
    outcome = cli("search", "default timeout", *blocked, "--set", "audit.required=true")
    assert (outcome.status, outcome.out) == (73, "")
    assert outcome.err.startswith("AUDIT_FAILED: ")
    assert "five seconds" in cli("search", "default timeout", *blocked).out


@pytest.mark.parametrize("command", [("verify",), ("who", "timeouts.md"), ("show", "local"), ("erase", "local")])
def test_where_no_audit_is_kept_its_commands_say_so(cli: Cli, indexed: Path, command: tuple[str, ...]) -> None:
    indexed.write_text(indexed.read_text(encoding="utf-8") + "audit: {path: null}\n", encoding="utf-8")
    outcome = cli("audit", *command)
    assert outcome.status == 73
    assert "audit.path is null" in outcome.err
