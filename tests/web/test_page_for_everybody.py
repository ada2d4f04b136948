"""The page serves whoever comes: by keyboard, by ear, on a small screen, in the dark."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

PLACES = ["#/search", "#/documents", "#/new", "#/documents/kettle.md?lines=6-8", "#/documents/absent"]

UNNAMED = """
() => [...document.querySelectorAll("input, textarea, select, button, a")]
  .filter((e) => e.checkVisibility() && !e.labels?.length && !e.textContent.trim() && !e.getAttribute("aria-label"))
  .map((e) => e.outerHTML)
"""

CONTRAST = """
() => {
  const light = (text) => {
    const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = text.match(/[\\d.]+/g).map((v) => linear(v / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (e) => {
    const colour = getComputedStyle(e).backgroundColor;
    return colour.startsWith("rgba") && colour.endsWith(", 0)") ? ground(e.parentElement) : colour;
  };
  const seen = (e) => e.checkVisibility() && !e.closest(".unseen, .skip, noscript");
  const written = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
  const texts = [...document.querySelectorAll("body *")].filter((e) => seen(e) && written(e));
  return texts.map((e) => {
    const [a, b] = [light(getComputedStyle(e).color), light(ground(e))].sort((x, y) => y - x);
    return [Math.round(((a + 0.05) / (b + 0.05)) * 10) / 10, e.tagName, e.textContent.slice(0, 40)];
  }).filter(([ratio]) => ratio < 4.5);
}
"""


def settle(page: Page) -> None:
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_load_state("networkidle")


@pytest.mark.parametrize("place", PLACES)
def test_nothing_is_wider_than_a_small_screen(opened: Callable[..., Page], address: str, place: str) -> None:
    page = opened(f"{address}/{place}", viewport={"width": 360, "height": 740})
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_its_ground(opened: Callable[..., Page], address: str, place: str, scheme: str) -> None:
    page = opened(f"{address}/{place}", color_scheme=scheme)
    settle(page)
    assert page.evaluate(CONTRAST) == []


@pytest.mark.parametrize("place", PLACES)
def test_everything_that_can_be_used_has_a_name(opened: Callable[..., Page], address: str, place: str) -> None:
    page = opened(f"{address}/{place}")
    settle(page)
    assert page.evaluate(UNNAMED) == []
    assert page.get_by_role("heading", level=1).count() == 1
    assert page.title().endswith(" · citewell")


def test_a_passage_is_found_and_read_by_keyboard_alone(page: Page) -> None:
    expect(page.get_by_label("Your question or words")).to_be_focused()
    page.keyboard.type("fill the kettle")
    page.keyboard.press("Enter")
    first = page.locator(".results > li").first.get_by_role("link")
    expect(first).to_be_visible()
    for _ in range(12):
        page.keyboard.press("Tab")
        if first.evaluate("(link) => link === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="Kettle")).to_be_focused()


def test_who_listens_is_told_what_came(page: Page) -> None:
    page.get_by_label("Your question or words").fill("teapot")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("results")


def test_the_text_of_a_document_says_in_which_language_it_is(opened: Callable[..., Page], address: str) -> None:
    page = opened(f"{address}/#/documents/chun.md")
    expect(page.get_by_label("Text of the document")).to_have_attribute("lang", "zh")
