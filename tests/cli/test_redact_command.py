"""``citewell redact`` shows what would be taken out, and never the thing itself."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]

MAIL = "ada.byron@corp.com"
KEY = "glpat-" + "aB3dE5fG7hJ9kL1mN3pQ"
TEXT = f"# Guide\n\nAsk {MAIL} for a key.\n\nIt is {KEY}, said {MAIL}.\n"


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page with secrets, in a folder that has no configuration."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.md").write_text(TEXT)
    return tmp_path / "page.md"


def test_each_find_is_a_line_with_its_place_its_placeholder_and_what_stands_around_it(cli: Cli, page: Path) -> None:
    outcome = cli("redact", "page.md")
    lines = [re.sub(r":[0-9a-f]{4}\]", "]", line) for line in outcome.out.splitlines()]
    assert lines == [
        "page.md:3  [EMAIL]  Ask [EMAIL] for a key.",
        "page.md:5  [GITLAB_TOKEN]  It is [GITLAB_TOKEN], said [EMAIL].",
        "page.md:5  [EMAIL]  It is [GITLAB_TOKEN], said [EMAIL].",
    ]
    assert outcome.err == "3 found in 1 file.\n"
    assert outcome.status == 2


@pytest.mark.parametrize("options", [(), ("--text",), ("--json",)])
def test_the_thing_itself_is_never_printed(cli: Cli, page: Path, options: tuple[str, ...]) -> None:
    named = page.with_name(f"{MAIL}.md")
    named.write_text(TEXT)
    outcome = cli("redact", page, named, *options)
    assert MAIL not in outcome.out + outcome.err
    assert KEY not in outcome.out + outcome.err
    assert outcome.out


def test_a_file_without_secrets_ends_with_status_0(cli: Cli, page: Path) -> None:
    page.write_text("# Guide\n\nNothing here.\n")
    outcome = cli("redact", page)
    assert (outcome.status, outcome.out, outcome.err) == (0, "", "0 found in 1 file.\n")


def test_the_text_is_printed_as_it_would_be_indexed(cli: Cli, page: Path) -> None:
    outcome = cli("redact", "page.md", "--text")
    shown = re.sub(r":[0-9a-f]{4}\]", "]", outcome.out)
    assert shown == TEXT.replace(MAIL, "[EMAIL]").replace(KEY, "[GITLAB_TOKEN]")
    assert outcome.err == ""


def test_a_dash_is_standard_input(cli: Cli, page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert [found["file"] for found in cli("redact", "-", "--json").json["findings"]] == ["-"] * 3


def test_json_holds_the_place_the_kind_and_the_placeholder(cli: Cli, page: Path) -> None:
    first, *_ = cli("redact", "page.md", "--json").json["findings"]
    assert (first["file"], first["line"], first["kind"]) == ("page.md", 3, "EMAIL")
    assert first["context"] == f"Ask {first['placeholder']} for a key."


def test_without_a_configuration_no_key_is_kept(cli: Cli, page: Path) -> None:
    cli("redact", page)
    assert sorted(path.name for path in page.parent.iterdir()) == ["page.md"]


def test_a_configuration_decides_by_its_key_and_what_it_allows(cli: Cli, project: Path) -> None:
    file = project.parent / "docs" / "page.md"
    file.write_text(TEXT)
    project.write_text(f"{project.read_text()}redaction: {{allow: [{{value: '*@CORP.com', reason: our own addresses}}]}}\n")
    (found,) = cli("redact", file, "-c", project, "--json").json["findings"]
    assert found["kind"] == "GITLAB_TOKEN"
    cli("sync", "-c", project)
    stored = cli("read", "page.md", "-c", project).out
    assert found["placeholder"] in stored
    assert MAIL in stored


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nowhere.md",), "nowhere.md cannot be read"),
        (("picture.png",), "picture.png"),
        (("page.md", "--text", "--json"), "choose one"),
    ],
)
def test_what_cannot_be_shown_ends_with_status_64(cli: Cli, page: Path, arguments: tuple[str, ...], words: str) -> None:
    (page.parent / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00")
    outcome = cli("redact", *arguments)
    assert outcome.status == 64
    assert words in outcome.err + outcome.out
