"""The page of ``examples/chinese`` in a real browser: Chinese words find texts by what they mean, and the best streams."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import browsing
import pytest
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.models, pytest.mark.xdist_group("chinese"), pytest.mark.timeout(300)]

Open = Callable[..., Page]
EXAMPLE = Path(__file__).parents[2] / "examples" / "chinese"
LITERATURE = Path(os.environ.get("TEST_EVAL_DATA", "/nowhere")) / "zh-literature" / "txt"
OWN = {"春天": "河湾的春天", "少年阿福": "阿福", "小孩子": "弄堂里的小孩子", "儿时伙伴": "阿福"}
CLASSICS = {"春天": "chun", "少年闰土": "guxiang", "小孩子": "guxiang", "儿时伙伴": "guxiang"}


def library(folder: Path, texts: Path | None = None) -> Path:
    """Copy the example into ``folder``, with ``texts`` in the place of its own, and index it."""
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns(".citewell"), dirs_exist_ok=True)
    config = folder / "citewell.yaml"
    if texts is not None:
        settings = config.read_text(encoding="utf-8").replace("folder:./texts", f"folder:{texts}")
        config.write_text(settings, encoding="utf-8")
    browsing.citewell(config, "sync")
    return config


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with browsing.serving(library(tmp_path_factory.mktemp("own"))) as address:
        yield address


@pytest.fixture(scope="module")
def classics(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The texts of the contract, with nothing else changed."""
    with browsing.serving(library(tmp_path_factory.mktemp("classics"), LITERATURE)) as address:
        yield address


def ask(page: Page, words: str, how: str) -> None:
    page.get_by_label("Your question or words").fill(words)
    page.get_by_role("button", name=how, exact=True).click()


def find(page: Page, words: str, title: str) -> None:
    """See that the first thing the page finds is the document of that title."""
    ask(page, words, "Search")
    first = page.locator(".results > li").first.get_by_role("link", name=title, exact=True)
    expect(first).to_be_visible(timeout=60_000)


@pytest.mark.parametrize(("words", "title"), OWN.items())
def test_a_text_of_the_example_is_found_by_meaning(opened: Open, own: str, words: str, title: str) -> None:
    find(opened(f"{own}/"), words, title)


@pytest.mark.skipif(not LITERATURE.is_dir(), reason="TEST_EVAL_DATA names no folder with zh-literature/txt in it")
@pytest.mark.parametrize(("words", "title"), CLASSICS.items())
def test_a_text_of_the_contract_is_found_by_meaning(opened: Open, classics: str, words: str, title: str) -> None:
    find(opened(f"{classics}/"), words, title)


def test_the_best_passage_of_a_chinese_text_arrives_whole(opened: Open, own: str) -> None:
    page = opened(f"{own}/")
    ask(page, "儿时伙伴", "Stream the best passage")
    expect(page.get_by_role("status")).to_have_text("The passage is complete", timeout=60_000)
    expect(page.locator(".streamed")).to_contain_text("儿时的伙伴并没有走远")


def test_a_question_that_no_text_answers_is_said_to_have_no_relevant_result(opened: Open, own: str) -> None:
    page = opened(f"{own}/")
    ask(page, "量子计算机的纠错码", "Search")
    expect(page.get_by_role("alert")).to_contain_text("NO_RELEVANT_RESULT", timeout=60_000)
