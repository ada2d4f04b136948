from __future__ import annotations

import pytest

from citewell.core.ports import Outline
from citewell.ingest.chunkers.markdown import chunk_markdown
from citewell.ingest.releases import mark_releases, release_version

CHANGELOG = """# Changelog

## [Unreleased]

- Soon.

## [1.10.0] - 2024-10-15

- Ten.

### Fixed

- A leak.

## [1.1.0] - 2023-01-02

- One.
"""
RELEASE_PAGE = """---
title: Acme 1.10
---

## Acme 1.10.2

<table><tr>
  <th class="wide">Release Date</th>
  <td>
    2025-04-01
  </td>
</tr></table>

More about it.

## Acme 1.10.1

Released on March 2, 2025.
"""


def marked(text: str, path: str) -> Outline:
    return mark_releases(text, path, chunk_markdown(text, path, 1_500))


def releases(outline: Outline) -> list[tuple[str | None, str | None]]:
    return [(piece.metadata.get("version"), piece.metadata.get("release_date")) for piece in outline.pieces]


def test_each_section_of_a_changelog_has_its_own_version_and_date() -> None:
    outline = marked(CHANGELOG, "CHANGELOG.md")
    ten, one = ("1.10.0", "2024-10-15"), ("1.1.0", "2023-01-02")
    assert releases(outline) == [(None, None), ten, ten, one]
    assert outline.metadata == {"doc_type": "release", "release_date": "2024-10-15"}


def test_a_release_page_tells_its_dates_in_a_table_or_in_words() -> None:
    outline = marked(RELEASE_PAGE, "docs/releases/acme-1.10.md")
    assert set(releases(outline)) == {("1.10.2", "2025-04-01"), ("1.10.1", "2025-03-02")}
    assert outline.metadata["version"] == "1.10"
    assert outline.metadata["release_date"] == "2025-04-01"
    assert outline.metadata["doc_type"] == "release"


def test_two_dated_versions_make_a_page_one_of_releases_whatever_it_is_called() -> None:
    assert marked(CHANGELOG, "docs/what-happened.md").metadata["doc_type"] == "release"


def test_a_page_that_mentions_versions_is_not_one_of_releases() -> None:
    outline = marked("# Install\n\n## Install Acme 1.10\n\nText.\n\n## Upgrade from 1.9\n\nText.\n", "docs/install.md")
    assert "doc_type" not in outline.metadata
    assert set(releases(outline)) == {(None, None)}


def test_front_matter_has_the_last_word() -> None:
    page = "---\nversion: '2.0'\nrelease_date: 2024年10月5日\ndoc_type: release\n---\nText.\n"
    metadata = marked(page, "docs/page.md").metadata
    assert (metadata["version"], metadata["release_date"], metadata["doc_type"]) == ("2.0", "2024-10-05", "release")
    assert marked(f"---\ndoc_type: docs\n---\n{CHANGELOG}", "CHANGELOG.md").metadata["doc_type"] == "docs"


@pytest.mark.parametrize(
    ("heading", "version"),
    [
        ("[1.2.3] - 2024-10-15", "1.2.3"),
        ("v2.0.0-rc.1 (October 15, 2024)", "2.0.0-rc.1"),
        ("Acme 1.10", "1.10"),
        ("1.10 – 1 Nisan 2025", "1.10"),
        ("26.03（2026年3月22日）", "26.03"),
        ("Unreleased", ""),
        ("Upgrade from 1.9", ""),
        ("From 1.9 to 1.10", ""),
        ("2024-10-15", ""),
        ("Version 7", ""),
    ],
)
def test_a_heading_announces_a_version_or_it_does_not(heading: str, version: str) -> None:
    assert release_version(heading) == version
