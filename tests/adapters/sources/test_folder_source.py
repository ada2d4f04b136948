from __future__ import annotations

import os
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from citewell.adapters.sources.folder import FolderSource, open_source
from citewell.adapters.sources.listing import MAX_FILE_BYTES
from citewell.core.errors import SourceRefused, SourceUnreachable
from citewell.core.ports import SourceFile


def skips(source: FolderSource) -> dict[str, str]:
    return {file.path: file.skip for file in source.snapshot().files}


def failure(source: FolderSource, path: str) -> str:
    [contents] = source.read([SourceFile(path=path, fingerprint="", size=0)])
    assert contents.data == b""
    return contents.failure


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root").mkdir()
    return tmp_path / "root"


@pytest.fixture
def source(root: Path) -> FolderSource:
    return FolderSource("files", root)


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """Lend a folder and an account for which permissions count; root would read everything."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        if root_user := os.geteuid() == 0:
            os.chown(folder, 65_534, -1)
            os.seteuid(65_534)
        try:
            yield Path(folder)
        finally:
            if root_user:
                os.seteuid(0)
            for parent, _, _ in os.walk(folder):
                os.chmod(parent, 0o755)


def test_links_inside_and_out_of_the_tree_are_listed_and_never_followed(root: Path, source: FolderSource) -> None:
    (root.parent / "secret").mkdir()
    (root.parent / "secret" / "key").write_text("hidden")
    (root / "a").write_text("a")
    (root / "inside").symlink_to("a")
    (root / "outside").symlink_to("/etc/passwd")
    (root / "folder").symlink_to(root.parent / "secret")
    (root / "loop").symlink_to(root)
    (root / "nowhere").symlink_to("missing")
    links = dict.fromkeys(["folder", "inside", "loop", "nowhere", "outside"], "symlink")
    assert skips(source) == {"a": ""} | links


def test_a_folder_that_is_itself_a_link_is_read(root: Path) -> None:
    (root / "a").write_text("a")
    (root.parent / "link").symlink_to(root)
    assert skips(FolderSource("files", root.parent / "link")) == {"a": ""}


def test_pipes_and_sockets_are_no_files(root: Path, source: FolderSource) -> None:
    os.mkfifo(root / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(root / "socket"))
        assert skips(source) == {"pipe": "not_a_file", "socket": "not_a_file"}
        assert failure(source, "pipe") == "not_a_file"
        assert failure(source, "socket") == "not_a_file"


def test_a_file_over_the_limit_is_skipped_and_one_at_the_limit_is_not(root: Path, source: FolderSource) -> None:
    for name, size in (("at", MAX_FILE_BYTES), ("over", MAX_FILE_BYTES + 1), ("sparse", 10**12)):
        os.close(os.open(root / name, os.O_CREAT | os.O_WRONLY))
        os.truncate(root / name, size)
    assert skips(source) == {"at": "", "over": "too_large", "sparse": "too_large"}


def test_a_file_that_grew_over_the_limit_since_it_was_listed_fails(root: Path, source: FolderSource) -> None:
    (root / "log").write_bytes(b"x")
    [file] = source.snapshot().files
    os.truncate(root / "log", 10**12)
    assert [(c.data, c.failure) for c in source.read([file])] == [(b"", "too_large")]


def test_names_that_cannot_be_shown_are_skipped_under_a_name_that_can(root: Path, source: FolderSource) -> None:
    for name in (b"caf\xe9", b"new\nline", "evil\u202egnp.md".encode(), "\ufffd0DCE9".encode(), b"\x1b[2J"):
        Path(os.fsdecode(os.fsencode(root) + b"/" + name)).write_bytes(b"x")
    names = ["caf\ufffd0DCE9", "new\ufffd0000Aline", "evil\ufffd0202Egnp.md", "\ufffd0FFFD0DCE9", "\ufffd0001B[2J"]
    assert skips(source) == dict.fromkeys(names, "bad_name")


def test_a_name_that_begins_with_a_dash_or_a_tilde_is_like_any_other(root: Path, source: FolderSource) -> None:
    for name in ("--help", "~root", "$HOME", "a b", "ğ", "図"):
        (root / name).write_text(name)
    assert {c.file.path: c.data.decode() for c in source.read(source.snapshot().files)} == {
        name: name for name in ("--help", "~root", "$HOME", "a b", "ğ", "図")
    }


def test_what_tools_keep_for_themselves_is_no_part_of_the_tree(root: Path, source: FolderSource) -> None:
    for path in (
        ".git/config",
        "a/node_modules/x.md",
        "a/__pycache__/b.pyc",
        "env/pyvenv.cfg",
        "env/lib/c.py",
        "dist/d.md",
        "venv/e",
    ):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("x")
    snapshot = source.snapshot()
    assert [file.path for file in snapshot.files] == ["dist/d.md", "venv/e"]
    assert snapshot.excluded == 0


def test_a_file_named_like_a_pruned_folder_is_a_file(root: Path, source: FolderSource) -> None:
    (root / ".git").write_text("gitdir: elsewhere")
    assert skips(source) == {".git": ""}


def test_a_file_that_vanished_since_it_was_listed_fails(root: Path, source: FolderSource) -> None:
    (root / "a").write_text("a")
    (root / "b").write_text("b")
    files = source.snapshot().files
    (root / "a").unlink()
    assert [(c.file.path, c.data, c.failure) for c in source.read(files)] == [("a", b"", "vanished"), ("b", b"b", "")]


def test_a_file_replaced_by_a_link_since_it_was_listed_is_not_followed(root: Path, source: FolderSource) -> None:
    (root / "a").write_text("a")
    [file] = source.snapshot().files
    (root / "a").unlink()
    (root / "a").symlink_to("/etc/passwd")
    assert [(c.data, c.failure) for c in source.read([file])] == [(b"", "symlink")]


def test_a_folder_replaced_by_a_link_since_it_was_listed_does_not_lead_out(root: Path, source: FolderSource) -> None:
    (root / "a" / "b").mkdir(parents=True)
    (root / "a" / "b" / "passwd").write_text("mine")
    [file] = source.snapshot().files
    (root / "a").rename(root.parent / "moved")
    (root / "a").symlink_to(root.parent / "moved")
    assert [c.failure for c in source.read([file])] == ["vanished"]


@pytest.mark.parametrize("path", ["..", "../outside", "a/../../outside", "/etc/passwd", "./../outside"])
def test_a_path_that_leaves_the_folder_is_not_opened(root: Path, source: FolderSource, path: str) -> None:
    (root / "a").mkdir()
    (root.parent / "outside").write_text("hidden")
    assert failure(source, path) in {"vanished", "not_a_file", "unreadable"}


def test_a_file_replaced_by_a_folder_or_a_pipe_is_no_file(root: Path, source: FolderSource) -> None:
    (root / "folder").mkdir()
    os.mkfifo(root / "pipe")
    assert failure(source, "folder") == "not_a_file"
    assert failure(source, "pipe") == "not_a_file"


def test_a_file_without_permission_fails_and_the_others_are_read(unprivileged: Path) -> None:
    (unprivileged / "a").write_text("a")
    (unprivileged / "b").write_text("b")
    (unprivileged / "a").chmod(0)
    source = FolderSource("files", unprivileged)
    read = [(c.file.path, c.data, c.failure) for c in source.read(source.snapshot().files)]
    assert read == [("a", b"", "unreadable"), ("b", b"b", "")]


def test_a_subfolder_without_permission_fails_as_one_file(unprivileged: Path) -> None:
    (unprivileged / "closed").mkdir()
    (unprivileged / "closed" / "a").write_text("a")
    (unprivileged / "b").write_text("b")
    (unprivileged / "closed").chmod(0)
    source = FolderSource("files", unprivileged)
    read = [(c.file.path, c.data, c.failure) for c in source.read(source.snapshot().files)]
    assert read == [("b", b"b", ""), ("closed", b"", "unreadable")]


def test_a_subfolder_that_may_be_listed_but_not_entered_fails_file_by_file(unprivileged: Path) -> None:
    (unprivileged / "listed").mkdir()
    (unprivileged / "listed" / "a").write_text("a")
    (unprivileged / "listed").chmod(0o444)
    source = FolderSource("files", unprivileged)
    assert [(c.file.path, c.failure) for c in source.read(source.snapshot().files)] == [("listed/a", "unreadable")]


def test_a_folder_without_permission_is_unreachable(unprivileged: Path) -> None:
    unprivileged.chmod(0)
    with pytest.raises(SourceUnreachable):
        FolderSource("files", unprivileged).snapshot()


@pytest.mark.parametrize("name", ["missing", "file"])
def test_a_folder_that_is_none_is_unreachable(root: Path, name: str) -> None:
    (root / "file").write_text("x")
    with pytest.raises(SourceUnreachable, match="does not exist"):
        FolderSource("files", root / name).snapshot()


def test_every_file_of_a_folder_that_went_away_fails(root: Path, source: FolderSource) -> None:
    (root / "a").write_text("a")
    files = source.snapshot().files
    root.rename(root.parent / "elsewhere")
    assert [c.failure for c in source.read(files)] == ["unreachable"]


@pytest.fixture
def deep_tree(root: Path) -> Iterator[str]:
    """Lend the path of a file so deep that no system call takes its path, nor pytest's own cleaning."""
    descriptor = os.open(root, os.O_RDONLY)
    for _ in range(1_200):
        os.mkdir("folder", dir_fd=descriptor)
        below = os.open("folder", os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = below
    os.close(os.open("deep.md", os.O_CREAT | os.O_WRONLY, dir_fd=descriptor))
    os.close(descriptor)
    yield "folder/" * 1_200 + "deep.md"
    subprocess.run(["rm", "-rf", root], check=True)


def test_a_deep_tree_is_read_to_its_end(source: FolderSource, deep_tree: str) -> None:
    [contents] = source.read(source.snapshot().files)
    assert (contents.file.path, contents.failure) == (deep_tree, "")


def test_reading_leaves_no_file_open(root: Path, source: FolderSource) -> None:
    for name in ("a", "b/c", "b/d/e"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x")
    (root / "link").symlink_to("a")
    before = len(os.listdir("/dev/fd"))
    list(source.read([*source.snapshot().files, SourceFile(path="b", fingerprint="", size=0)]))
    assert failure(source, "b/missing") == "vanished"
    assert len(os.listdir("/dev/fd")) == before


@pytest.mark.parametrize("rest", ["", "/tmp/\0"])
def test_an_address_that_is_no_path_is_refused(rest: str, tmp_path: Path) -> None:
    with pytest.raises(SourceRefused):
        open_source("files", rest, include=[], exclude=[], cache=tmp_path, secrets={})
