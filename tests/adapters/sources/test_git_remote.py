"""Remote repositories, over Git's real protocol; only the network between is a pipe on this machine."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from repositories import Repository

from citewell.adapters.sources.git import open_source
from citewell.core.errors import SourceUnreachable
from citewell.core.ports import Source

Ssh = Callable[[str], Path]
OLD_SERVER = "unset GIT_PROTOCOL"
"""Without protocol version 2 a server gives out the heads of its branches only."""


def remote(repository: Repository, cache: Path, revision: str = "") -> Source:
    rest = f"ssh://git@example.org{repository.path}#{revision}"
    return open_source("sample", rest, include=[], exclude=[], cache=cache, secrets={})


def texts(source: Source) -> dict[str, bytes]:
    return {item.file.path: item.data for item in source.read(source.snapshot().files)}


def calls(log: Path) -> int:
    return len(log.read_text().splitlines()) if log.exists() else 0


def clones(cache: Path) -> list[Path]:
    return list(cache.glob("*.git"))


@pytest.mark.parametrize("server", ["", OLD_SERVER])
def test_branches_tags_and_commits_are_revisions(server: str, ssh: Ssh, repository: Repository, cache: Path) -> None:
    ssh(server)
    first = repository.commit({"a": b"1"})
    repository.git("tag", "-a", "v1", "-m", "one")
    middle = repository.commit({"a": b"2"})
    repository.git("branch", "feature/x")
    last = repository.commit({"a": b"3"})
    expected = {
        "": (last, b"3"),
        "main": (last, b"3"),
        "refs/heads/main": (last, b"3"),
        "feature/x": (middle, b"2"),
        "v1": (first, b"1"),
        "tags/v1": (first, b"1"),
        middle: (middle, b"2"),
        middle[:9]: (middle, b"2"),
        last[:7]: (last, b"3"),
    }
    for revision, (commit, text) in expected.items():
        source = remote(repository, cache, revision)
        assert (source.snapshot().commit, texts(source)) == (commit, {"a": text}), revision


@pytest.mark.parametrize("server", ["", OLD_SERVER])
def test_a_commit_inside_history_is_found_whatever_the_server_gives_out(
    server: str, ssh: Ssh, repository: Repository, cache: Path
) -> None:
    ssh(server)
    commits = [repository.commit({"a": str(number).encode()}) for number in range(4)]
    for number in (1, 2):
        assert texts(remote(repository, cache, commits[number])) == {"a": str(number).encode()}
        assert texts(remote(repository, cache, commits[number][:10])) == {"a": str(number).encode()}


def test_only_the_wanted_commit_is_fetched(ssh: Ssh, repository: Repository, cache: Path) -> None:
    ssh("")
    repository.commit({"old": b"history"})
    old = repository.git("rev-parse", "HEAD:old")
    repository.commit({"new": b"now"})
    remote(repository, cache).snapshot()
    [clone] = clones(cache)
    assert (clone / "shallow").exists()
    assert old not in repository.git("--git-dir", str(clone), "cat-file", "--batch-all-objects", "--batch-check")


def test_a_pinned_commit_needs_the_network_once(ssh: Ssh, repository: Repository, cache: Path) -> None:
    log = ssh("")
    commit = repository.commit({"a": b"a"})
    for revision in (commit, commit[:8]):
        remote(repository, cache, revision).snapshot()
        before = calls(log)
        assert remote(repository, cache, revision).snapshot().commit == commit
        assert calls(log) == before


def test_a_branch_that_did_not_move_is_only_asked_for(ssh: Ssh, repository: Repository, cache: Path) -> None:
    log = ssh("")
    repository.commit({"a": b"a"})
    source = remote(repository, cache, "main")
    first = source.snapshot()
    before = calls(log)
    assert source.snapshot() == first
    assert calls(log) == before + 1


def test_a_branch_that_moved_is_followed_and_equal_files_keep_their_fingerprint(
    ssh: Ssh, repository: Repository, cache: Path
) -> None:
    ssh("")
    repository.commit({"a": b"same", "b": b"one"})
    source = remote(repository, cache, "main")
    before = {file.path: file.fingerprint for file in source.snapshot().files}
    repository.commit({"a": b"same", "b": b"two", "c": b"new"})
    after = {file.path: file.fingerprint for file in source.snapshot().files}
    assert after["a"] == before["a"]
    assert after["b"] != before["b"]
    assert texts(source) == {"a": b"same", "b": b"two", "c": b"new"}


def test_rewritten_history_is_followed(ssh: Ssh, repository: Repository, cache: Path) -> None:
    ssh("")
    first = repository.commit({"a": b"1"})
    repository.commit({"a": b"2"})
    source = remote(repository, cache)
    source.snapshot()
    repository.git("reset", "-q", "--hard", first)
    rewritten = repository.commit({"a": b"other"})
    assert source.snapshot().commit == rewritten
    assert texts(source) == {"a": b"other"}


def test_sources_of_the_same_revision_share_a_clone(ssh: Ssh, repository: Repository, cache: Path) -> None:
    ssh("")
    repository.commit({"a": b"a"})
    for _ in range(2):
        remote(repository, cache, "main").snapshot()
    assert len(clones(cache)) == 1


@pytest.mark.parametrize("revision", ["missing", "0" * 40, "abcdef0"])
def test_an_unknown_revision_is_unreachable(revision: str, ssh: Ssh, repository: Repository, cache: Path) -> None:
    ssh("")
    repository.commit({"a": b"a"})
    with pytest.raises(SourceUnreachable, match=f"no branch, tag or commit '{revision}'"):
        remote(repository, cache, revision).snapshot()


def test_an_empty_repository_is_unreachable(ssh: Ssh, repository: Repository, cache: Path) -> None:
    ssh("")
    with pytest.raises(SourceUnreachable, match="no branch, tag or commit 'HEAD'") as raised:
        remote(repository, cache).snapshot()
    assert raised.value.detail == "The repository is empty."


def test_a_server_that_refuses_is_unreachable_and_its_words_are_for_the_operator(
    ssh: Ssh, repository: Repository, cache: Path
) -> None:
    ssh("echo 'Permission denied for https://me:secret@example.org/' >&2; exit 255")
    with pytest.raises(SourceUnreachable, match="cannot be reached") as raised:
        remote(repository, cache).snapshot()
    assert "Permission denied for https://***@example.org/" in raised.value.detail
    assert "Permission" not in raised.value.message


def test_a_host_that_does_not_answer_is_unreachable(cache: Path) -> None:
    rest = "https://127.0.0.1:1/owner/name"
    with pytest.raises(SourceUnreachable, match=r"https://127\.0\.0\.1:1/owner/name cannot be reached"):
        open_source("sample", rest, include=[], exclude=[], cache=cache, secrets={}).snapshot()


def test_a_failed_sync_leaves_the_last_clone_usable(ssh: Ssh, repository: Repository, cache: Path) -> None:
    ssh("")
    repository.commit({"a": b"a"})
    source = remote(repository, cache)
    files = source.snapshot().files
    ssh("exit 255")
    with pytest.raises(SourceUnreachable):
        source.snapshot()
    assert [item.data for item in source.read(files)] == [b"a"]


def test_what_a_killed_fetch_left_behind_is_no_obstacle(ssh: Ssh, repository: Repository, cache: Path) -> None:
    ssh("")
    repository.commit({"a": b"1"})
    source = remote(repository, cache)
    source.snapshot()
    [clone] = clones(cache)
    for name in ("shallow.lock", "packed-refs.lock", "refs/citewell/current.lock", "objects/pack/tmp_pack_x"):
        (clone / name).parent.mkdir(exist_ok=True)
        (clone / name).write_bytes(b"")
    repository.commit({"a": b"2"})
    assert texts(source) == {"a": b"2"}
    assert not list(clone.rglob("*.lock"))
    assert not list(clone.rglob("tmp_pack*"))


@pytest.mark.parametrize("damage", ["HEAD", "objects", "config", "refs"])
def test_a_damaged_clone_is_made_anew(damage: str, ssh: Ssh, repository: Repository, cache: Path) -> None:
    ssh("")
    commit = repository.commit({"a": b"a"})
    source = remote(repository, cache, commit)
    source.snapshot()
    target = clones(cache)[0] / damage
    if target.is_dir():
        shutil.rmtree(target)
    else:
        target.write_bytes(b"\0garbage")
    assert texts(source) == {"a": b"a"}


def test_a_clone_without_its_trees_is_made_anew(ssh: Ssh, repository: Repository, cache: Path) -> None:
    ssh("")
    commit = repository.commit({"a": b"a"})
    source = remote(repository, cache, commit)
    source.snapshot()
    tree = repository.git("rev-parse", "HEAD^{tree}")
    (clones(cache)[0] / "objects" / tree[:2] / tree[2:]).unlink()
    assert texts(source) == {"a": b"a"}


def test_a_blob_that_the_clone_lost_fails_once_and_is_fetched_by_the_next_snapshot(
    ssh: Ssh, repository: Repository, cache: Path
) -> None:
    ssh("")
    commit = repository.commit({"a": b"a", "b": b"b"})
    source = remote(repository, cache, commit)
    files = source.snapshot().files
    blob = repository.git("rev-parse", "HEAD:a")
    (clones(cache)[0] / "objects" / blob[:2] / blob[2:]).unlink()
    assert [(item.data, item.failure) for item in source.read(files)] == [(b"", "missing_blob"), (b"b", "")]
    assert texts(source) == {"a": b"a", "b": b"b"}


def test_a_cache_that_cannot_be_written_is_told(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(SourceUnreachable, match="cache for Git repositories cannot be written"):
        remote(repository, tmp_path / "file" / "cache").snapshot()


def test_the_clone_holds_neither_address_nor_credentials(ssh: Ssh, repository: Repository, cache: Path) -> None:
    ssh("")
    repository.commit({"a": b"a"})
    rest = f"ssh://git@example.org{repository.path}"
    open_source("sample", rest, include=[], exclude=[], cache=cache, secrets={"GITHUB_TOKEN": "abcdef"}).snapshot()
    for path in cache.rglob("*"):
        if path.is_file():
            assert b"abcdef" not in path.read_bytes()
            assert b"example.org" not in path.read_bytes()


def test_ssh_never_asks_anybody(ssh: Ssh, repository: Repository, cache: Path) -> None:
    log = ssh("")
    repository.commit({"a": b"a"})
    remote(repository, cache).snapshot()
    assert all("BatchMode=yes -o StrictHostKeyChecking=yes" in line for line in log.read_text().splitlines())


def test_the_path_of_an_address_is_no_command(ssh: Ssh, cache: Path, tmp_path: Path) -> None:
    ssh("")
    rest = f"ssh://git@example.org/x';touch${{IFS}}{tmp_path}/ran;'"
    with pytest.raises(SourceUnreachable):
        open_source("sample", rest, include=[], exclude=[], cache=cache, secrets={}).snapshot()
    assert not (tmp_path / "ran").exists()
