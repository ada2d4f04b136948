"""``citewell access``: who may read what, and why; readers of a document's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from citewell.cli.app import run

Cli = Callable[..., Any]
ACCESS = """\
access:
  default: [staff]
  rules:
    - {paths: "timeouts.md", groups: [engineering]}
  users: {local: [staff, engineering], ada: [backend], "*": [staff]}
  groups: {engineering: [backend]}
"""


@pytest.fixture
def indexed(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    project.write_text(project.read_text(encoding="utf-8") + ACCESS, encoding="utf-8")
    monkeypatch.setenv("CITEWELL_CONFIG", str(project))
    assert run(["sync"]) == 0
    return project


def test_explain_tells_the_rule_and_the_way_into_its_group(cli: Cli, indexed: Path) -> None:
    outcome = cli("access", "explain", "ada", "timeouts.md")
    assert outcome.status == 0
    assert outcome.out == (
        "ada may read timeouts.md\n"
        "  decided by  rule 1: timeouts.md\n"
        "  open to     group:engineering\n"
        "  in groups   backend, engineering\n"
        "  opened by   group:engineering (backend is part of engineering)\n"
    )


def test_explain_tells_what_keeps_somebody_out(cli: Cli, indexed: Path) -> None:
    outcome = cli("access", "explain", "eve", "timeouts.md")
    assert (outcome.status, outcome.out.splitlines()[0]) == (0, "eve may not read timeouts.md")
    assert outcome.out.splitlines()[-1] == "  opened by   nothing"
    assert cli("access", "explain", "eve", "timeouts.md", "--group", "backend", "--json").json["allowed"] is True


def test_explain_as_json_is_whole(cli: Cli, indexed: Path) -> None:
    assert cli("access", "explain", "ada", "timeouts.md", "--json").json == {
        "user": "ada",
        "source": "handbook",
        "path": "timeouts.md",
        "allowed": True,
        "decision": {"by": "rule", "glob": "timeouts.md", "number": 1},
        "acl": ["group:engineering"],
        "groups": ["backend", "engineering"],
        "through": [{"token": "group:engineering", "chain": ["backend", "engineering"]}],
    }


def test_who_tells_of_those_who_are_named_and_of_the_others(cli: Cli, indexed: Path) -> None:
    assert cli("access", "who", "spring.md").out == (
        "spring.md is open to group:staff\n"
        "  decided by      access.default\n"
        "  named users     local\n"
        "  everybody else  yes\n"
        "  anonymous       no\n"
    )
    assert cli("access", "who", "timeouts.md", "--json").json["users"] == ["ada", "local"]


def test_what_is_not_indexed_is_told_as_it_would_be(cli: Cli, indexed: Path) -> None:
    for command in (("explain", "eve"), ("who",)):
        outcome = cli("access", *command, "new.md")
        assert outcome.status == 0
        assert "No document of that id or path is indexed" in outcome.out


def test_readers_of_its_own_act_at_the_next_query_until_they_are_taken_away(cli: Cli, indexed: Path) -> None:
    shown = cli("access", "set", "timeouts.md", "--group", "board", "--user", "eve").out
    assert shown == "timeouts.md is open to group:board, user:eve\n"
    assert cli("read", "timeouts.md").status == 66
    assert "five seconds" not in cli("search", "default timeout").out
    assert "readers of its own" in cli("access", "who", "timeouts.md").out
    assert cli("sync").status == 0
    assert cli("read", "timeouts.md").status == 66
    assert cli("access", "reset", "timeouts.md", "--json").json == {"document": "timeouts.md", "acl": ["group:engineering"]}
    assert cli("read", "timeouts.md").status == 0


def test_a_document_is_closed_to_everybody_only_on_demand(cli: Cli, indexed: Path) -> None:
    assert cli("access", "set", "timeouts.md").status == 64
    assert cli("access", "set", "timeouts.md", "--nobody", "--user", "ada").status == 64
    assert cli("read", "timeouts.md").status == 0
    assert cli("access", "set", "timeouts.md", "--nobody").out == "timeouts.md is open to nobody\n"
    assert cli("read", "timeouts.md").status == 66


def test_an_edited_file_acts_at_the_next_command(cli: Cli, indexed: Path) -> None:
    text = indexed.read_text(encoding="utf-8")
    indexed.write_text(text.replace("groups: [engineering]}", "groups: []}"), encoding="utf-8")
    assert cli("read", "timeouts.md").status == 66
    assert cli("access", "who", "timeouts.md", "--json").json["users"] == []


def test_only_what_is_indexed_has_readers_of_its_own(cli: Cli, indexed: Path) -> None:
    assert cli("access", "set", "absent.md", "--nobody").status == 66
    assert cli("access", "reset", "absent.md").status == 66
    assert cli("access", "set", "timeouts.md", "--user", "*").status == 64


def test_the_one_meant_of_two_documents_is_named_by_its_source(cli: Cli, indexed: Path) -> None:
    (indexed.parent / "src" / "timeouts.md").write_text("# Other\n\nAnother page.\n", encoding="utf-8")
    indexed.write_text(indexed.read_text(encoding="utf-8").replace('"**/*.py"', '"**/*"'), encoding="utf-8")
    assert cli("sync").status == 0
    outcome = cli("access", "set", "timeouts.md", "--nobody")
    assert outcome.status == 64
    assert "timeouts.md of client; timeouts.md of handbook" in outcome.err
    assert cli("access", "set", "timeouts.md", "--nobody", "--source", "client").status == 0
    assert cli("access", "who", "timeouts.md", "--source", "handbook", "--json").json["users"] == ["ada", "local"]


def test_nothing_in_a_name_steers_the_terminal(cli: Cli, indexed: Path) -> None:
    outcome = cli("access", "explain", "a\x1b[31mda", "x\x1b]0;owned\x07.md")
    assert "\x1b" not in outcome.out
    assert "\\x1b" in outcome.out
