from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from repositories import Repository

from citewell.adapters.sources import git_command
from citewell.adapters.sources.git import credentials
from citewell.adapters.sources.git_address import parse_address
from citewell.adapters.sources.git_command import hide_credentials, run_git
from citewell.core.errors import SourceRefused, SourceUnreachable


def is_running(process: int) -> bool:
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except FileNotFoundError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks at processes through /proc")
def test_a_call_that_takes_too_long_is_ended_with_everything_it_started(tmp_path: Path) -> None:
    note = tmp_path / "process"
    alias = f"alias.stall=!sleep 300 & echo $! > {note}; wait"
    with pytest.raises(SourceUnreachable, match=r"within 0\.5 seconds"):
        run_git(["-c", alias, "stall"], seconds=0.5)
    child = int(note.read_text())
    deadline = time.monotonic() + 10
    while is_running(child) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not is_running(child)


def test_an_answer_without_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_command, "MAX_OUTPUT_BYTES", 1_000)
    with pytest.raises(SourceUnreachable, match="more than 1,000 bytes"):
        run_git(["-c", "alias.flood=!yes", "flood"], seconds=60)


def test_a_machine_without_git_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SourceUnreachable, match="'git' is needed"):
        run_git(["version"], seconds=60)


def test_a_failure_is_told_by_its_status_and_complaint() -> None:
    finished = run_git(["--git-dir=/nonexistent", "log"], seconds=60)
    assert finished.status == 128
    assert "not a git repository" in finished.complaint


def test_nothing_of_our_environment_reaches_git_but_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GIT_DIR", "GIT_EXTERNAL_DIFF", "GIT_PROXY_COMMAND", "GIT_TRACE", "GITHUB_TOKEN", "LD_PRELOAD", "GIT_SSH"):
        monkeypatch.setenv(name, "set")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/etc/passwd")
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", "ext:file")
    finished = run_git(["-c", "alias.env=!env", "env"], seconds=60)
    seen = dict(line.split("=", 1) for line in finished.output.decode().splitlines())
    assert "set" not in seen.values()
    assert seen["GIT_CONFIG_GLOBAL"] == os.devnull
    assert seen["GIT_ALLOW_PROTOCOL"] == "none"
    assert seen["GIT_TERMINAL_PROMPT"] == "0"


@pytest.mark.parametrize("protocols", ["none", "https:ssh"])
@pytest.mark.parametrize("prefix", ["", "file://", "ext::sh -c 'touch {marker}' "])
def test_only_the_protocols_of_the_call_are_spoken(
    protocols: str, prefix: str, repository: Repository, tmp_path: Path
) -> None:
    repository.commit({"a": b"a"})
    url = prefix.format(marker=tmp_path / "ran") + str(repository.path)
    finished = run_git(["ls-remote", "--", url], seconds=60, environment={"GIT_ALLOW_PROTOCOL": protocols})
    assert finished.status != 0
    assert "not allowed" in finished.complaint
    assert not (tmp_path / "ran").exists()


def test_an_option_in_place_of_an_address_is_an_address(repository: Repository, tmp_path: Path) -> None:
    option = f"--upload-pack=touch {tmp_path / 'ran'}"
    assert run_git(["ls-remote", "--", option, str(repository.path)], seconds=60).status != 0
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fatal: https://me:secret@example.org/a", "fatal: https://***@example.org/a"),
        ("fatal: https://token@example.org/a", "fatal: https://***@example.org/a"),
        ("> Authorization: Basic c2VjcmV0OmE=", "> Authorization: Basic ***"),
        ("> Authorization: Bearer abc.def", "> Authorization: Bearer ***"),
        ("fatal: git@example.org:a/b", "fatal: git@example.org:a/b"),
    ],
)
def test_complaints_are_shown_without_credentials(text: str, expected: str) -> None:
    assert hide_credentials(text) == expected


def test_the_token_goes_to_github_as_a_header_and_into_no_argument() -> None:
    secrets = {"GITHUB_TOKEN": " abc \n"}
    assert credentials(parse_address("https://github.com/o/r"), secrets) == {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "http.https://github.com/.extraHeader",
        "GIT_CONFIG_VALUE_0": "Authorization: Basic eC1hY2Nlc3MtdG9rZW46YWJj",
    }


@pytest.mark.parametrize(
    "rest",
    [
        "https://gitlab.com/o/r",
        "https://github.com.evil.example/o/r",
        "git@github.com:o/r",
        "ssh://github.com/o/r",
        "/github.com/o",
    ],
)
def test_the_token_goes_nowhere_else(rest: str) -> None:
    assert credentials(parse_address(rest), {"GITHUB_TOKEN": "abc"}) == {}


def test_a_token_with_a_line_end_inside_is_refused() -> None:
    with pytest.raises(SourceRefused):
        credentials(parse_address("https://github.com/o/r"), {"GITHUB_TOKEN": "abc\r\nX-Other: 1"})
