"""A server and a browser for the tests of the page."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import browsing
import pytest
from playwright.sync_api import Browser, Page, sync_playwright

LOCAL = "Failed to load resource"
"""How Chromium reports an answer that is no success, which the page shows to people itself."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser until the module ends: playwright keeps a loop running, beside which no asynchronous test can."""
    if browsing.CHROMIUM is None:
        pytest.skip("no Chromium is installed; scripts/engines/install.sh installs one")
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=browsing.CHROMIUM, args=[*sandbox, "--disable-dev-shm-usage"])
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with browsing.serving(browsing.found(tmp_path_factory.mktemp("knowledge"))) as address:
        yield address


@pytest.fixture
def opened(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens pages, and at the end sees that none of them reported an error, or opened a dialog of its own accord."""
    pages: list[Page] = []
    complaints: list[str] = []

    def open_page(url: str, **settings: object) -> Page:
        page = browser.new_context(**settings).new_page()  # type: ignore[arg-type]
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: (complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
        pages.append(page)
        page.goto(url)
        return page

    yield open_page
    for page in pages:
        page.context.close()
    assert [complaint for complaint in complaints if not complaint.startswith(LOCAL)] == []


@pytest.fixture
def page(opened: Callable[..., Page], address: str) -> Page:
    return opened(f"{address}/")


@pytest.fixture
def text_file(tmp_path: Path) -> Callable[[str, bytes], str]:
    def write(name: str, data: bytes) -> str:
        (tmp_path / name).write_bytes(data)
        return str(tmp_path / name)

    return write
