"""What the pages say is so: links lead somewhere, figures are the committed ones, and nothing tells where it was built."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from markdown_pages import PAGES, ROOT, anchors, links, shown

ADR = ROOT / "docs" / "adr"
DECISIONS = sorted(path for path in ADR.glob("*.md") if path.name != "README.md")
ROOT_FILES = ("NOTICE", "Makefile", "pyproject.toml", "citewell.yaml", ".gitignore", ".ci/run")
ENDINGS = {".py", ".yaml", ".sh", ".md", ".txt", ".json"}
BUILD_MACHINE = re.compile(
    r"(?<![\w.])/(?:wor[k]|shar[e]d)/"
    r"|\.\./shar[e]d\b"
    r"|index[-_]ur[l]|PIP_INDE[X]|npm_config_registr[y]|GOPROX[Y]"
    r"|//[\w.-]+\.(?:interna[l]|corp|lan|intrane[t])\b"
)
"""Places that exist where citewell is built and nowhere else. Brackets keep this line from finding itself."""


def project_files() -> list[Path]:
    within = [path for folder in ("src", "tests", "scripts", "docs") for path in (ROOT / folder).rglob("*")]
    return [*(page for page in PAGES), *(ROOT / name for name in ROOT_FILES), *(p for p in within if p.suffix in ENDINGS)]


@pytest.mark.parametrize("page", PAGES, ids=shown)
def test_every_link_leads_to_a_page_and_a_heading_of_the_project(page: Path) -> None:
    for link in links(page):
        target = urlsplit(link)
        if target.scheme:
            continue
        path = page.parent / unquote(target.path) if target.path else page
        assert path.resolve().is_relative_to(ROOT), link
        assert path.exists(), link
        assert not target.fragment or target.fragment in anchors(path), link


def test_every_page_can_be_reached_from_the_readme() -> None:
    seen, waiting = set(), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page.suffix == ".md" and page not in seen:
            seen.add(page)
            waiting += [(page.parent / urlsplit(link).path).resolve() for link in links(page) if not urlsplit(link).scheme]
    assert sorted(map(shown, set(PAGES) - seen)) == []


def test_the_figures_of_the_readme_are_the_committed_results() -> None:
    script = ROOT / "scripts" / "write_figures.py"
    check = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert check.returncode == 0, f"run: python scripts/write_figures.py\n{check.stderr}"


def test_nothing_names_a_place_of_the_machine_it_was_built_on() -> None:
    allowed = "DATA ?= ../shar" + "ed/eval"
    found = [
        f"{shown(path)}: {line}"
        for path in project_files()
        for line in path.read_text(encoding="utf-8").splitlines()
        if BUILD_MACHINE.search(line) and line != allowed
    ]
    assert found == []


def test_decisions_are_numbered_without_gaps() -> None:
    assert [int(path.name[:4]) for path in DECISIONS] == list(range(1, len(DECISIONS) + 1))


@pytest.mark.parametrize("page", DECISIONS, ids=shown)
def test_a_decision_says_what_was_decided_and_why_and_what_it_costs(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"# {int(page.name[:4])}. ")
    assert re.findall(r"^\*\*(\w+)\.\*\*", text, re.MULTILINE) == ["Decided", "Why", "Cost"]
