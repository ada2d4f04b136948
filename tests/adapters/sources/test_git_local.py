from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from repositories import Repository

from citewell.adapters.sources.git import open_source
from citewell.core.errors import FileRejected, SourceUnreachable
from citewell.core.ports import Contents, Source
from citewell.ingest.decoding import decode


def local(rest: Path | str, cache: Path, include: Sequence[str] = ()) -> Source:
    return open_source("sample", str(rest), include=include, exclude=[], cache=cache, secrets={})


def contents(source: Source) -> dict[str, Contents]:
    return {item.file.path: item for item in source.read(source.snapshot().files)}


def skips(source: Source) -> dict[str, str]:
    return {file.path: file.skip for file in source.snapshot().files}


def test_a_snapshot_is_of_the_commit_and_not_of_the_working_copy(repository: Repository, cache: Path) -> None:
    commit = repository.commit({"a": b"committed"})
    (repository.path / "a").write_bytes(b"edited")
    (repository.path / "b").write_bytes(b"new")
    source = local(repository.path, cache)
    assert source.snapshot().commit == commit
    assert {path: item.data for path, item in contents(source).items()} == {"a": b"committed"}


def test_bare_repositories_and_linked_worktrees_are_repositories(repository: Repository, cache: Path, tmp_path: Path) -> None:
    commit = repository.commit({"a": b"a"})
    repository.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    repository.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    for path in (tmp_path / "bare.git", tmp_path / "linked"):
        assert local(path, cache).snapshot().commit == commit
        assert contents(local(path, cache))["a"].data == b"a"


def test_branches_tags_and_commits_are_revisions(repository: Repository, cache: Path) -> None:
    first = repository.commit({"a": b"1"})
    repository.git("tag", "-a", "v1", "-m", "one")
    second = repository.commit({"a": b"2"})
    for revision, commit in (("v1", first), (first, first), (first[:8], first), ("main", second), ("HEAD", second)):
        assert local(f"{repository.path}#{revision}", cache).snapshot().commit == commit


def test_an_unknown_revision_is_unreachable(repository: Repository, cache: Path) -> None:
    repository.commit({"a": b"a"})
    with pytest.raises(SourceUnreachable, match="no branch, tag or commit 'missing'"):
        local(f"{repository.path}#missing", cache).snapshot()


def test_an_empty_repository_is_unreachable(repository: Repository, cache: Path) -> None:
    with pytest.raises(SourceUnreachable, match="no branch, tag or commit 'HEAD'"):
        local(repository.path, cache).snapshot()


def test_a_folder_inside_a_repository_is_none(repository: Repository, cache: Path) -> None:
    repository.commit({"docs/a": b"a"})
    with pytest.raises(SourceUnreachable, match="no Git repository at"):
        local(repository.path / "docs", cache).snapshot()


def test_links_submodules_and_large_files_are_listed_and_never_read(repository: Repository, cache: Path) -> None:
    repository.commit({"a": b"a"}, {"link": "/etc/passwd"})
    repository.stage("160000", "module", sha="1" * 40)
    repository.stage("100644", "large", b"x" * 5_000_001)
    repository.record()
    source = local(repository.path, cache)
    assert skips(source) == {"a": "", "large": "too_large", "link": "symlink", "module": "submodule"}
    assert {path: (item.data, item.failure) for path, item in contents(source).items()} == {
        "a": (b"a", ""),
        "large": (b"", "too_large"),
        "link": (b"", "symlink"),
        "module": (b"", "submodule"),
    }


def test_a_pointer_of_large_file_storage_is_read_and_rejected_as_text(repository: Repository, cache: Path) -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 12345\n"
    repository.commit({"model.md": pointer})
    item = contents(local(repository.path, cache))["model.md"]
    assert (item.data, item.failure) == (pointer, "")
    with pytest.raises(FileRejected) as rejected:
        decode(item.data, item.file.path)
    assert rejected.value.reason == "lfs_pointer"


def test_names_that_cannot_be_shown_are_skipped_under_a_name_that_can(repository: Repository, cache: Path) -> None:
    for name in ("new\nline", "tab\there", "büyük", "evil\u202egnp.md"):
        repository.stage("100644", name)
    repository.record()
    bad = {"new\ufffd0000Aline": "bad_name", "tab\ufffd00009here": "bad_name", "evil\ufffd0202Egnp.md": "bad_name"}
    assert skips(local(repository.path, cache)) == {"büyük": ""} | bad


def test_names_that_differ_in_case_only_are_two_files(repository: Repository, cache: Path) -> None:
    for name in ("Readme", "README"):
        repository.stage("100644", name, name.encode())
    repository.record()
    assert {path: item.data for path, item in contents(local(repository.path, cache)).items()} == {
        "README": b"README",
        "Readme": b"Readme",
    }


def test_a_malformed_tree_is_listed_with_its_impossible_names_skipped(repository: Repository, cache: Path) -> None:
    blob = bytes.fromhex(repository.git("hash-object", "-w", "--stdin", given=b"x"))
    entries = b"".join(b"100644 " + name + b"\0" + blob for name in (b"..", b".git", b"a", b"a", b"caf\xe9"))
    tree = repository.git("hash-object", "-t", "tree", "--literally", "-w", "--stdin", given=entries)
    repository.git("update-ref", "HEAD", repository.git("commit-tree", "-m", "bad", tree))
    expected = {"..": "bad_name", ".git": "bad_name", "a": "", "caf\ufffd0DCE9": "bad_name"}
    assert skips(local(repository.path, cache)) == expected


def test_a_changed_mode_changes_the_fingerprint(repository: Repository, cache: Path) -> None:
    repository.stage("100644", "run")
    repository.record()
    source = local(repository.path, cache)
    before = source.snapshot().files[0].fingerprint
    repository.stage("100755", "run")
    repository.record()
    assert source.snapshot().files[0].fingerprint != before


def test_a_missing_blob_fails_and_stays_listed(repository: Repository, cache: Path) -> None:
    repository.commit({"a": b"a", "b": b"gone", "c": b"c"})
    sha = repository.git("rev-parse", "HEAD:b")
    (repository.path / ".git" / "objects" / sha[:2] / sha[2:]).unlink()
    read = contents(local(repository.path, cache))
    assert {path: (item.data, item.failure) for path, item in read.items()} == {
        "a": (b"a", ""),
        "b": (b"", "missing_blob"),
        "c": (b"c", ""),
    }


def test_a_damaged_blob_fails_and_those_after_it_are_read(repository: Repository, cache: Path) -> None:
    repository.commit({name: name.encode() * 5_000 for name in "abcd"})
    sha = repository.git("rev-parse", "HEAD:b")
    path = repository.path / ".git" / "objects" / sha[:2] / sha[2:]
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:12])
    read = contents(local(repository.path, cache))
    assert {path: item.failure for path, item in read.items()} == {"a": "", "b": "missing_blob", "c": "", "d": ""}
    assert read["d"].data == b"d" * 5_000


def test_a_partial_clone_fetches_nothing_and_runs_nothing(repository: Repository, cache: Path, tmp_path: Path) -> None:
    repository.commit({"a": b"a"})
    repository.git("config", "uploadpack.allowFilter", "true")
    partial = tmp_path / "partial"
    subprocess.run(
        ["git", "clone", "-q", "--bare", "--filter=blob:none", f"file://{repository.path}", str(partial)], check=True
    )
    subprocess.run(
        ["git", "-C", str(partial), "config", "remote.origin.uploadpack", f"touch {tmp_path / 'ran'}; git-upload-pack"],
        check=True,
    )
    assert contents(local(partial, cache))["a"].failure == "missing_blob"
    assert not (tmp_path / "ran").exists()


def test_the_configuration_of_a_repository_runs_nothing(repository: Repository, cache: Path, tmp_path: Path) -> None:
    repository.commit({"a.md": b"a", ".gitattributes": b"*.md filter=bad diff=bad\n"})
    command = f"touch {tmp_path / 'ran'}"
    for key in ("core.fsmonitor", "core.pager", "core.sshCommand", "filter.bad.smudge", "diff.bad.textconv", "diff.external"):
        repository.git("config", key, command)
    hook = repository.path / ".git" / "hooks" / "post-index-change"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\n{command}\n")
    hook.chmod(0o755)
    assert contents(local(repository.path, cache))["a.md"].data == b"a"
    assert not (tmp_path / "ran").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a repository away")
def test_a_repository_of_another_user_is_read(repository: Repository, cache: Path) -> None:
    commit = repository.commit({"a": b"a"})
    for folder, _, files in os.walk(repository.path):
        for path in (folder, *(f"{folder}/{name}" for name in files)):
            os.chown(path, 65_534, 65_534)
    source = local(repository.path, cache)
    assert source.snapshot().commit == commit
    assert contents(source)["a"].data == b"a"


@pytest.mark.parametrize(
    ("origin", "repository_name"),
    [
        ("git@github.com:o/r.git", "https://github.com/o/r"),
        ("https://token@github.com/o/r", "remote"),
        ("/elsewhere", "remote"),
        ("", "remote"),
    ],
)
def test_a_clone_of_a_known_host_is_cited_there(
    origin: str, repository_name: str, repository: Repository, cache: Path
) -> None:
    commit = repository.commit({"a": b"a"})
    if origin:
        repository.git("remote", "add", "origin", origin)
    snapshot = local(repository.path, cache).snapshot()
    assert snapshot.repository == repository_name
    assert snapshot.permalink == (
        f"https://github.com/o/r/blob/{commit}/{{path}}#L{{start}}-L{{end}}" if "o/r" in repository_name else ""
    )


def test_files_of_a_repository_that_went_away_fail(repository: Repository, cache: Path) -> None:
    repository.commit({"a": b"a"})
    source = local(repository.path, cache)
    files = source.snapshot().files
    repository.path.rename(repository.path.parent / "elsewhere")
    assert [item.failure for item in source.read(files)] == ["unreachable"]


def test_many_files_are_read_in_several_batches(repository: Repository, cache: Path) -> None:
    files = {f"f{number:04}": b"%d" % number for number in range(1_100)} | {
        f"large{n}": b"%d" % n * 4_000_000 for n in range(6)
    }
    repository.commit(files)
    assert {path: item.data for path, item in contents(local(repository.path, cache)).items()} == files
