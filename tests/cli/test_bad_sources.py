"""A file or a source that cannot be read is accounted for, and everything beside it is indexed."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]

CONFIGURATION = """\
store: embedded:./.citewell
embedder: "hash:"
collections: {docs: {chunker: markdown}}
sources:
  - {name: good, from: "folder:./good", collection: docs}
"""
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"4d" * 32 + b"\nsize 12345\n"
TURKISH = "# Bağlantı havuzu\n\nŞifreleme ayarları için yapılandırma dosyasını açın, sonra sunucuyu yeniden başlatın.\n"
CHINESE = "# 连接池\n\n连接池的大小可以在配置文件中修改。修改之后需要重新启动服务器，更改才会生效。\n"
JAPANESE = "# 接続プール\n\n接続プールのサイズは設定ファイルで変更できます。変更後はサーバーを再起動してください。\n"


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """The configuration of one good source, beside which the tests put others."""
    (tmp_path / "good").mkdir()
    (tmp_path / "good" / "guide.md").write_text("# Guide\n\nAn albatross flies.\n")
    (tmp_path / "citewell.yaml").write_text(CONFIGURATION)
    return tmp_path / "citewell.yaml"


def paths(cli: Cli, config: Path, query: str) -> list[str]:
    return [hit["path"] for hit in cli("search", query, "-c", config, "--json").json["results"]]


def sync_with(cli: Cli, config: Path, address: str) -> Any:
    """Synchronise with a second source at ``address``, check that the good one came through, and return the outcome."""
    with config.open("a") as file:
        file.write(f"  - {{name: other, from: '{address}', collection: docs}}\n")
    outcome = cli("sync", "-c", config, "--json")
    assert "Traceback" not in outcome.err
    assert "guide.md" in paths(cli, config, "albatross")
    return outcome


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository whose one commit has a page, a submodule and a link."""
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "--quiet", "-b", "main")
    (folder / "page.md").write_text("# Page\n\nA pelican swims.\n")
    (folder / "link.md").symlink_to("/etc/passwd")
    (folder / "pointer.md").write_bytes(POINTER)
    git(folder, "add", ".")
    git(folder, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},module")
    git(folder, "commit", "--quiet", "-m", "first")
    return folder


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "binary"),
        (bytes(range(256)) * 9, "binary"),
        (TURKISH.encode() + b"\xc5" + TURKISH.encode(), "bad_encoding"),
        (POINTER, "lfs_pointer"),
        (b" \n", "empty"),
        (b"x" * 1_500_000, "long_line"),
    ],
)
def test_a_file_that_is_no_text_is_skipped_and_its_neighbour_found(cli: Cli, good: Path, data: bytes, reason: str) -> None:
    (good.parent / "good" / "bad.md").write_bytes(data)

    outcome = cli("sync", "-c", good, "--json")

    source = outcome.json["sources"][0]
    accounted = source["skipped"] or {entry["reason"]: 1 for entry in source["failed"]}
    assert (outcome.status, accounted) == (2 if source["failed"] else 0, {reason: 1})
    assert (source["indexed"], source["tree"]) == (1, 2)
    assert paths(cli, good, "albatross") == ["guide.md"]


def test_a_file_of_100_megabytes_on_one_line_is_skipped_unread(cli: Cli, good: Path) -> None:
    huge = good.parent / "good" / "huge.md"
    huge.touch()
    os.truncate(huge, 100_000_000)

    outcome = cli("sync", "-c", good, "--json")

    assert (outcome.status, outcome.json["sources"][0]["skipped"]) == (0, {"too_large": 1})
    assert paths(cli, good, "albatross") == ["guide.md"]


@pytest.mark.parametrize(
    ("text", "encoding", "query"),
    [
        (CHINESE, "gb18030", "连接池的大小"),
        (CHINESE, "utf-16-le", "连接池的大小"),
        (JAPANESE, "shift_jis", "設定ファイル"),
        (JAPANESE, "utf-16-be", "設定ファイル"),
        (TURKISH, "utf-16", "şifreleme ayarları"),
        (TURKISH, "cp1254", "şifreleme ayarları"),
    ],
)
def test_a_file_in_another_encoding_is_found_in_its_language(
    cli: Cli, good: Path, text: str, encoding: str, query: str
) -> None:
    (good.parent / "good" / "other.md").write_bytes(text.encode(encoding))

    assert cli("sync", "-c", good).status == 0

    assert paths(cli, good, query)[0] == "other.md"
    assert cli("read", "other.md", "-c", good, "--json").json["text"].strip() == text.strip()


def test_a_link_out_of_the_tree_is_skipped_and_never_followed(cli: Cli, good: Path) -> None:
    (good.parent / "outside.md").write_text("# Outside\n\nA secret pelican.\n")
    (good.parent / "good" / "link.md").symlink_to("../outside.md")

    outcome = cli("sync", "-c", good, "--json")

    assert (outcome.status, outcome.json["sources"][0]["skipped"]) == (0, {"symlink": 1})
    assert "link.md" not in paths(cli, good, "secret pelican")


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("git:--upload-pack=touch pwned", "SOURCE_REFUSED"),
        ("git:ext::sh -c touch% pwned", "SOURCE_REFUSED"),
        ("git:http://example.org/a/b", "SOURCE_REFUSED"),
        ("git:https://ada:secret@example.org/a/b", "SOURCE_REFUSED"),
        ("git:https://127.0.0.1:1/a/b", "SOURCE_UNREACHABLE"),
        ("git:./nowhere", "SOURCE_UNREACHABLE"),
        ("folder:./nowhere", "SOURCE_UNREACHABLE"),
        ("folder:./citewell.yaml", "SOURCE_UNREACHABLE"),
    ],
)
def test_a_source_that_cannot_be_read_fails_alone(
    cli: Cli, good: Path, monkeypatch: pytest.MonkeyPatch, address: str, code: str
) -> None:
    monkeypatch.chdir(good.parent)

    outcome = sync_with(cli, good, address)

    assert (outcome.status, outcome.json["sources"][1]["error"]["code"]) == (2, code)
    assert not (good.parent / "pwned").exists()


def test_a_source_that_is_refused_later_keeps_what_was_indexed(cli: Cli, good: Path, repository: Path) -> None:
    sync_with(cli, good, f"git:{repository}")
    good.write_text(good.read_text().replace(f"git:{repository}", "git:ext::sh"))

    assert cli("sync", "-c", good).status == 2
    assert paths(cli, good, "pelican")[0] == "page.md"


def test_an_unknown_branch_fails_alone(cli: Cli, good: Path, repository: Path) -> None:
    outcome = sync_with(cli, good, f"git:{repository}#nowhere")

    assert (outcome.status, outcome.json["sources"][1]["error"]["code"]) == (2, "SOURCE_UNREACHABLE")


def test_submodules_links_and_pointers_of_a_repository_are_skipped(cli: Cli, good: Path, repository: Path) -> None:
    outcome = sync_with(cli, good, f"git:{repository}")

    source = outcome.json["sources"][1]
    assert (outcome.status, source["indexed"], source["tree"]) == (0, 1, 4)
    assert source["skipped"] == {"submodule": 1, "symlink": 1, "lfs_pointer": 1}
    assert paths(cli, good, "pelican")[0] == "page.md"


def test_a_file_that_cannot_be_read_fails_alone(cli: Cli, good: Path, repository: Path) -> None:
    lost = git(repository, "rev-parse", "HEAD:page.md")
    (repository / ".git" / "objects" / lost[:2] / lost[2:]).unlink()

    outcome = sync_with(cli, good, f"git:{repository}")

    assert outcome.status == 2
    assert outcome.json["sources"][1]["failed"] == [{"path": "page.md", "reason": "missing_blob"}]
