"""Documents in a real browser: listed, added, read, edited, deleted, taken from files."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

DROP = """
(area) => {
  const data = new DataTransfer();
  data.items.add(new File(["# Dropped\\n\\nIt fell from above."], "dropped.md", { type: "text/markdown" }));
  area.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}
"""


@pytest.fixture
def listing(page: Page) -> Page:
    page.get_by_role("navigation", name="Pages", exact=True).get_by_role("link", name="Documents").click()
    expect(page.get_by_role("heading", level=1, name="Documents")).to_be_focused()
    return page


def add(page: Page, title: str, content: str) -> None:
    page.get_by_role("link", name="Add a document").click()
    page.get_by_label("Title").fill(title)
    page.get_by_label("Text", exact=True).fill(content)
    page.get_by_role("button", name="Save").click()


def test_documents_are_listed_a_page_at_a_time(listing: Page) -> None:
    items = listing.locator(".documents > li")
    expect(items).to_have_count(20)
    expect(listing.get_by_role("link", name="春")).to_be_visible()
    expect(listing.get_by_role("navigation", name="Pages of documents")).to_contain_text("Page 1 of 2")
    listing.get_by_role("link", name="Next").click()
    expect(listing.get_by_role("navigation", name="Pages of documents")).to_contain_text("Page 2 of 2")
    listing.get_by_role("link", name="Previous").click()
    expect(items).to_have_count(20)


def test_a_document_is_added_read_edited_and_deleted(listing: Page) -> None:
    add(listing, "Şeker üzerine", "糖很甜。\n\nÇay şekersiz içilir.")
    expect(listing.get_by_role("heading", level=1, name="Şeker üzerine")).to_be_focused()
    expect(listing.get_by_label("Text of the document")).to_contain_text("糖很甜。")
    listing.get_by_role("link", name="Edit").click()
    expect(listing.get_by_label("Text", exact=True)).to_have_value("糖很甜。\n\nÇay şekersiz içilir.")
    listing.get_by_label("Title").fill("Bal üzerine")
    listing.get_by_role("button", name="Save").click()
    expect(listing.get_by_role("heading", level=1, name="Bal üzerine")).to_be_visible()
    listing.get_by_role("button", name="Delete").click()
    dialog = listing.get_by_role("dialog", name="Delete “Bal üzerine”?")
    dialog.get_by_role("button", name="Keep it").click()
    expect(listing.get_by_role("heading", level=1, name="Bal üzerine")).to_be_visible()
    listing.get_by_role("button", name="Delete").click()
    dialog.get_by_role("button", name="Delete").click()
    expect(listing.get_by_role("heading", level=1, name="Documents")).to_be_visible()
    expect(listing.get_by_role("main").get_by_text("Bal üzerine")).to_have_count(0)


def test_what_is_wrong_with_a_document_is_said_by_code_and_in_words(listing: Page) -> None:
    add(listing, " ", "text")
    expect(listing.get_by_role("alert")).to_contain_text("EMPTY_TITLE")
    listing.get_by_label("Title").fill("A title")
    listing.get_by_label("Text", exact=True).fill(" ")
    listing.get_by_role("button", name="Save").click()
    expect(listing.get_by_role("alert")).to_contain_text("EMPTY_DOCUMENT")


def test_a_document_that_is_kept_elsewhere_offers_no_change(listing: Page) -> None:
    listing.goto(listing.url.split("#")[0] + "#/documents/far.md")
    expect(listing.get_by_label("Text of the document")).to_contain_text("zeppelin")
    expect(listing.get_by_role("link", name="Edit")).to_have_count(0)
    expect(listing.get_by_role("button", name="Delete")).to_be_hidden()
    origin = listing.get_by_role("link", name="Read it where it comes from")
    expect(origin).to_have_attribute("href", "https://example.org/far.md")
    expect(origin).to_have_attribute("rel", "noopener noreferrer")


def test_a_text_file_is_taken_and_any_other_refused_in_the_servers_words(
    listing: Page, text_file: Callable[[str, bytes], str]
) -> None:
    files = [text_file("taken.txt", "Bu dosya alındı.".encode()), text_file("picture.png", b"\x89PNG\r\n\x1a\n")]
    listing.get_by_label("Text files").set_input_files(files)
    outcome = listing.locator(".outcome > li")
    expect(outcome.nth(0)).to_contain_text("taken.txt: added as")
    expect(outcome.nth(1)).to_contain_text("UNSUPPORTED_FILE_TYPE")
    outcome.nth(0).get_by_role("link").click()
    expect(listing.get_by_label("Text of the document")).to_contain_text("Bu dosya alındı.")


def test_a_file_can_be_dropped(listing: Page) -> None:
    listing.locator(".intake").evaluate(DROP)
    expect(listing.locator(".outcome > li")).to_contain_text("dropped.md: added as Dropped")


def test_a_document_that_is_not_there_is_said_to_be_so(opened: Callable[..., Page], address: str) -> None:
    page = opened(f"{address}/#/documents/absent.md")
    expect(page.get_by_role("alert")).to_contain_text("DOCUMENT_NOT_FOUND")
