"""What the redaction section and its key mean for a sync, for questions and for the log."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from citewell.cli import indexing
from citewell.cli.streams import prepare_logging

Cli = Callable[..., Any]

MAIL = "ada.byron@corp.com"
KEY = "glpat-" + "aB3dE5fG7hJ9kL1mN3pQ"


@pytest.fixture
def telling(project: Path) -> Path:
    """The configuration of a project that has a page with two secrets."""
    (project.parent / "docs" / "page.md").write_text(f"# Page\n\nThe zebra is {KEY},\n\nsays {MAIL}.\n")
    return project


def configure(project: Path, section: str) -> None:
    project.write_text(f"{project.read_text()}redaction: {section}\n")


def test_a_sync_counts_what_it_found_by_kind(cli: Cli, telling: Path) -> None:
    outcome = cli("sync", "-c", telling)
    assert "handbook: secrets and personal data: EMAIL 1, GITLAB_TOKEN 1 (where: --json)" in outcome.out.splitlines()
    assert outcome.status == 0


@pytest.mark.parametrize("mode", ["redact", "report", "refuse"])
def test_json_says_where_what_was_found_stands(cli: Cli, telling: Path, mode: str) -> None:
    configure(telling, f"{{mode: {mode}}}")
    outcome = cli("sync", "-c", telling, "--json")
    assert outcome.json["sources"][0]["found"] == [
        {"path": "page.md", "line": 3, "kind": "GITLAB_TOKEN"},
        {"path": "page.md", "line": 5, "kind": "EMAIL"},
    ]
    assert MAIL not in outcome.out


def test_a_refused_file_fails_with_its_reason_and_status_2(cli: Cli, telling: Path) -> None:
    configure(telling, "{mode: refuse}")
    outcome = cli("sync", "-c", telling)
    assert outcome.status == 2
    assert "handbook: failed: page.md: secret_found" in outcome.out.splitlines()
    assert cli("read", "page.md", "-c", telling).status == 66


def test_a_source_may_differ_from_the_others(cli: Cli, telling: Path) -> None:
    configure(telling, "{mode: refuse}")
    telling.write_text(telling.read_text().replace('"folder:./docs"', '"folder:./docs", redaction: report'))
    assert cli("sync", "-c", telling).status == 0
    assert MAIL in cli("read", "page.md", "-c", telling).out


def test_the_key_is_made_at_first_use_for_its_owner_alone(cli: Cli, telling: Path) -> None:
    cli("sync", "-c", telling)
    key = telling.parent / ".citewell" / "keys" / "redaction"
    assert key.stat().st_mode & 0o077 == 0
    assert len(key.read_bytes()) >= 32


def test_a_key_in_the_environment_makes_no_file(cli: Cli, telling: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITEWELL_REDACTION_KEY", "k" * 32)
    assert cli("sync", "-c", telling).status == 0
    assert not (telling.parent / ".citewell" / "keys" / "redaction").exists()


def shorten(project: Path) -> None:
    (project.parent / "short").write_text("short")


@pytest.mark.parametrize(
    ("section", "code", "words"),
    [
        ("{key_file: ./short}", "BAD_CONFIGURATION", "shorter than 32"),
        ("{key_file: ./docs}", "BAD_CONFIGURATION", "cannot be read"),
        ('{detectors: ["kingfischer:"]}', "UNKNOWN_ADAPTER", "did you mean kingfisher:"),
        ("{allow: [{value: x}]}", "BAD_CONFIGURATION", "reason"),
        ("{allow: [{value: x, reason: ''}]}", "BAD_CONFIGURATION", "reason"),
        ("{mode: mask}", "BAD_CONFIGURATION", "redact"),
        ("{phone_regions: [turkey]}", "BAD_CONFIGURATION", "phone_regions"),
    ],
)
@pytest.mark.parametrize("command", [("sync",), ("search", "zebra"), ("redact", "citewell.yaml")])
def test_a_section_that_cannot_be_ends_every_command_with_status_78(
    cli: Cli, telling: Path, command: tuple[str, ...], section: str, code: str, words: str
) -> None:
    shorten(telling)
    configure(telling, section)
    outcome = cli(*command, "-c", telling)
    assert outcome.status == 78
    assert outcome.err.startswith(f"{code}: ")
    assert words in outcome.err


def test_a_short_key_in_the_environment_is_refused(cli: Cli, telling: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITEWELL_REDACTION_KEY", "short")
    outcome = cli("search", "zebra", "-c", telling)
    assert outcome.status == 78
    assert "shorter than 32" in outcome.err


def test_where_no_key_can_be_kept_questions_are_answered_and_nothing_is_indexed(cli: Cli, telling: Path) -> None:
    assert cli("sync", "-c", telling).status == 0
    configure(telling, "{key_file: ./docs/page.md/key}")
    assert "page.md" in cli("search", "zebra", "-c", telling).out
    assert cli("redact", telling, "-c", telling).status == 0
    outcome = cli("sync", "-c", telling)
    assert outcome.status == 2
    assert "handbook: SOURCE_REFUSED: Nothing is indexed: the key of redaction cannot be kept at" in outcome.out
    assert "page.md" in cli("search", "zebra", "-c", telling).out


def test_the_log_holds_no_secret_neither_in_messages_nor_in_tracebacks(capsys: pytest.CaptureFixture[str]) -> None:
    prepare_logging(debug=False)
    try:
        int(KEY)
    except ValueError:
        logging.getLogger("some.library").exception("%s cannot come in.", MAIL)
    written = capsys.readouterr().err
    assert "ERROR some.library: [EMAIL:" in written
    assert "ValueError: invalid literal for int() with base 10: '[GITLAB_TOKEN:" in written
    assert not any(secret in written for secret in (MAIL, KEY))


def test_an_unexpected_error_is_told_without_the_secret_in_it(
    cli: Cli, telling: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> None:
        raise RuntimeError(f"cannot go on with {KEY}")

    monkeypatch.setattr(indexing, "open_config", fail)
    outcome = cli("--debug", "sync", "-c", telling)
    assert outcome.status == 1
    assert "INTERNAL_ERROR: RuntimeError: cannot go on with [GITLAB_TOKEN:" in outcome.err
    assert "Traceback" in outcome.err
    assert KEY not in outcome.err
