from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from citewell.cli.reports import counts, failed, skipped
from citewell.core.model import LedgerEntry
from citewell.core.requests import SourceReport

Cli = Callable[..., Any]


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True, capture_output=True)


def test_sync_accounts_for_every_file_of_the_tree(cli: Cli, project: Path) -> None:
    report = cli("sync", "-c", project, "--json").json

    handbook = next(source for source in report["sources"] if source["name"] == "handbook")
    assert handbook["indexed"] == 3
    assert handbook["skipped"] == {"binary": 1}
    assert handbook["excluded"] == 1
    assert handbook["tree"] == 5
    assert report["complete"] is True
    assert report["pending"] == 0


def test_a_second_sync_changes_nothing(cli: Cli, project: Path) -> None:
    cli("sync", "-c", project)

    sources = cli("index", "-c", project, "--json").json["sources"]
    assert [source["indexed"] for source in sources] == [0, 0]
    assert sum(source["unchanged"] for source in sources) == 4


def test_a_file_that_is_gone_is_reported_as_removed(cli: Cli, project: Path) -> None:
    cli("sync", "-c", project)
    (project.parent / "docs" / "spring.md").unlink()

    report = cli("sync", "-c", project, "--source", "handbook", "--json").json
    assert [source["removed"] for source in report["sources"]] == [1]


def test_without_embedding_the_vectors_wait(cli: Cli, project: Path) -> None:
    outcome = cli("sync", "-c", project, "--no-embed")

    assert outcome.status == 0
    assert "passages wait for their vectors" in outcome.out


def test_the_table_shows_a_row_for_each_source_and_the_reasons(cli: Cli, project: Path) -> None:
    outcome = cli("sync", "-c", project)

    lines = outcome.out.splitlines()
    assert lines[0].split() == ["source", "indexed", "unchanged", "skipped", "failed", "excluded", "in", "tree", "removed"]
    assert lines[1].split() == ["handbook", "3", "0", "1", "0", "1", "5", "0"]
    assert "handbook: skipped: binary 1" in lines
    assert outcome.err == ""


def test_a_file_that_cannot_be_indexed_fails_alone_with_status_2(cli: Cli, project: Path) -> None:
    project.write_text(project.read_text().replace("collection: docs,", "collection: docs, ids: stem,"))
    (project.parent / "docs" / "zh").mkdir()
    (project.parent / "docs" / "zh" / "spring.md").write_text("# Another of that name\n")

    plain = cli("sync", "-c", project)
    failing = cli("sync", "-c", project, "--json")

    assert (plain.status, failing.status) == (2, 2)
    assert "handbook: failed: zh/spring.md: duplicate_id" in plain.out
    assert failing.json["complete"] is False
    assert failing.json["sources"][0]["failed"] == [{"path": "zh/spring.md", "reason": "duplicate_id"}]


def test_a_source_that_cannot_be_read_fails_alone_with_status_2(cli: Cli, project: Path) -> None:
    (project.parent / "src").rename(project.parent / "elsewhere")

    outcome = cli("sync", "-c", project)

    assert outcome.status == 2
    assert "client: SOURCE_UNREACHABLE: " in outcome.out
    assert cli("search", "timeout", "-c", project, "--json").json["results"]


def test_an_unknown_source_is_refused(cli: Cli, project: Path) -> None:
    outcome = cli("sync", "-c", project, "--source", "nope")

    assert outcome.status == 64
    assert "There is no source 'nope'. There are: handbook, client." in outcome.err


OUTCOMES = st.sampled_from(["indexed", "unchanged", "skipped", "failed"])


@given(outcomes=st.lists(OUTCOMES, max_size=30), excluded=st.integers(0, 9), removed=st.integers(0, 9))
def test_the_counts_of_a_report_add_up_to_the_tree(outcomes: list[Any], excluded: int, removed: int) -> None:
    entries = tuple(LedgerEntry(path=f"{n}", outcome=outcome, reason="r") for n, outcome in enumerate(outcomes))
    report = SourceReport(source="a", entries=entries, excluded=excluded, removed=removed)

    numbers = counts(report)
    parts = ("indexed", "unchanged", "skipped", "failed", "excluded")
    assert sum(numbers[part] for part in parts) == numbers["in tree"] == len(outcomes) + excluded
    assert sum(skipped(report).values()) == numbers["skipped"]
    assert len(failed(report)) == numbers["failed"]


def test_init_writes_a_configuration_that_works_at_once(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "guide.md").write_text("# Guide\n\nPress the red button.\n")
    (tmp_path / "run.py").write_text("def press() -> None:\n    '''Press it.'''\n")

    written = cli("init", tmp_path)
    config = tmp_path / "citewell.yaml"

    assert written.status == 0
    assert "documents (md) and code (py) in a folder" in written.out
    assert cli("sync", "-c", config, "--set", "embedder=hash:").status == 0
    hits = cli("search", "red button", "-c", config, "--set", "embedder=hash:", "--json").json["results"]
    assert hits[0]["path"] == "guide.md"


def test_init_reads_a_git_repository_at_its_last_commit(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "guide.md").write_text("# Guide\n\nPress the red button.\n")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "guide.md")
    git(tmp_path, "commit", "--quiet", "-m", "first")
    (tmp_path / "draft.md").write_text("# Draft\n\nNot committed.\n")

    cli("init", tmp_path)
    report = cli("sync", "-c", tmp_path / "citewell.yaml", "--set", "embedder=hash:", "--json").json

    assert yaml.safe_load((tmp_path / "citewell.yaml").read_text())["sources"][0]["from"] == "git:."
    assert [(source["indexed"], source["tree"]) for source in report["sources"]] == [(1, 1)]


def test_init_takes_a_repository_without_commits_as_a_folder(cli: Cli, tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    (tmp_path / "guide.md").write_text("# Guide\n")

    cli("init", tmp_path)

    assert yaml.safe_load((tmp_path / "citewell.yaml").read_text())["sources"][0]["from"] == "folder:."


def test_init_writes_a_valid_configuration_for_an_empty_folder(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "Мои файлы"
    folder.mkdir()

    cli("init", folder)

    assert cli("config", "-c", folder / "citewell.yaml").status == 0


def test_init_never_replaces_a_configuration_unless_forced(cli: Cli, project: Path) -> None:
    before = project.read_text()

    refused = cli("init", project.parent)
    assert (refused.status, project.read_text()) == (78, before)
    assert "--force" in refused.err

    assert cli("init", project.parent, "--force").status == 0
    assert project.read_text() != before


def test_init_adds_the_store_to_gitignore_only_when_asked_and_once(cli: Cli, tmp_path: Path) -> None:
    cli("init", tmp_path)
    assert not (tmp_path / ".gitignore").exists()

    (tmp_path / ".gitignore").write_text("*.pyc")
    cli("init", tmp_path, "--force", "--gitignore")
    cli("init", tmp_path, "--force", "--gitignore")
    assert (tmp_path / ".gitignore").read_text() == "*.pyc\n.citewell/\n"
