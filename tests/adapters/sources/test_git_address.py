from __future__ import annotations

import pytest

from citewell.adapters.sources.git_address import parse_address
from citewell.core.errors import SourceRefused


@pytest.mark.parametrize(
    "rest",
    [
        "",
        "#main",
        "--upload-pack=touch /tmp/x",
        "-oProxyCommand=touch /tmp/x",
        "ext::sh -c touch% /tmp/x",
        "fd::17/foo",
        "::x",
        "https::https://example.org/a/b",
        "http://example.org/a/b",
        "http://localhost/a/b",
        "git://example.org/a/b",
        "ftp://example.org/a/b",
        "HTTP://example.org/a/b",
        "file://server/share",
        "https://user:password@example.org/a/b",
        "https://token@example.org/a/b",
        "https://@example.org/a/b",
        "https://example.org",
        "https://example.org/a?token=x",
        "https:///a/b",
        "https://-host/a/b",
        "https://exa mple.org/a/b",
        "https://example.org/a b",
        "ssh://-oProxyCommand=x/a/b",
        "ssh://user:password@example.org/a/b",
        "ssh://-user@example.org/a/b",
        "-user@example.org:a/b",
        "git@example.org:-a/b",
        "relative/path",
        "https://example.org/a/b\n",
        "/repositories/a\x1b[2J",
        "/repositories/a#--output=x",
        "/repositories/a#main other",
        "/repositories/a#a..b",
        "/repositories/a#main:README.md",
        "/repositories/a#HEAD@{1}",
        "/repositories/a#HEAD^",
    ],
)
def test_an_address_that_could_do_anything_but_read_is_refused(rest: str) -> None:
    with pytest.raises(SourceRefused):
        parse_address(rest)


@pytest.mark.parametrize(
    ("rest", "url", "revision"),
    [
        ("https://example.org/a/b", "https://example.org/a/b", "HEAD"),
        ("https://example.org:8443/a/b#v1.0", "https://example.org:8443/a/b", "v1.0"),
        ("https://[::1]/a/b", "https://[::1]/a/b", "HEAD"),
        ("ssh://git@example.org:22/a/b.git#feature/x", "ssh://git@example.org:22/a/b.git", "feature/x"),
        ("git@example.org:a/b.git", "git@example.org:a/b.git", "HEAD"),
        ("example.org:a/b#refs/pull/7/head", "example.org:a/b", "refs/pull/7/head"),
        ("/repositories/a b#çalışma", "/repositories/a b", "çalışma"),
        ("/repositories/a:b", "/repositories/a:b", "HEAD"),
        ("file:///repositories/a", "/repositories/a", "HEAD"),
        ("/repositories/./a/", "/repositories/a", "HEAD"),
        ("https://github.com/encode/httpx#b5addb64", "https://github.com/encode/httpx.git", "b5addb64"),
    ],
)
def test_an_address_is_taken_apart_at_its_revision(rest: str, url: str, revision: str) -> None:
    address = parse_address(rest)
    assert (address.url, address.revision) == (url, revision)


@pytest.mark.parametrize(
    ("rest", "repository", "permalink"),
    [
        ("https://github.com/o/r", "https://github.com/o/r", "https://github.com/o/r/blob/c0/{path}#L{start}-L{end}"),
        ("https://GitHub.com/o/r.git/", "https://github.com/o/r", "https://github.com/o/r/blob/c0/{path}#L{start}-L{end}"),
        ("git@github.com:o/r.git", "https://github.com/o/r", "https://github.com/o/r/blob/c0/{path}#L{start}-L{end}"),
        ("ssh://git@github.com/o/r", "https://github.com/o/r", "https://github.com/o/r/blob/c0/{path}#L{start}-L{end}"),
        ("https://gitlab.com/g/s/r", "https://gitlab.com/g/s/r", "https://gitlab.com/g/s/r/-/blob/c0/{path}#L{start}-{end}"),
        (
            "https://bitbucket.org/o/r",
            "https://bitbucket.org/o/r",
            "https://bitbucket.org/o/r/src/c0/{path}#lines-{start}:{end}",
        ),
        (
            "https://codeberg.org/o/r",
            "https://codeberg.org/o/r",
            "https://codeberg.org/o/r/src/commit/c0/{path}#L{start}-L{end}",
        ),
        ("https://gitea.com/o/r", "https://gitea.com/o/r", "https://gitea.com/o/r/src/commit/c0/{path}#L{start}-L{end}"),
        ("https://example.org/o/r", "https://example.org/o/r", ""),
        ("https://github.com/o/{path}", "https://github.com/o/{path}.git", ""),
        ("https://github.com.evil.example/o/r", "https://github.com.evil.example/o/r", ""),
        ("git@example.org:o/r", "git@example.org:o/r", ""),
        ("/repositories/secret/r.git", "r", ""),
    ],
)
def test_known_hosts_have_pages_for_lines_and_others_have_none(rest: str, repository: str, permalink: str) -> None:
    address = parse_address(rest)
    assert (address.repository, address.permalink("c0")) == (repository, permalink)
