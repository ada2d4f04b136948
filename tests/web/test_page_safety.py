"""What a document says is text, and nothing runs or is loaded but the page's own files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import browsing
import pytest
from playwright.sync_api import Page, expect

TITLE = "<img src=x onerror=alert(1)>"

VIOLATION = """
async (attempt) => {
  const listen = (done) => addEventListener("securitypolicyviolation", (e) => done(e.effectiveDirective), { once: true });
  const told = new Promise(listen);
  const never = new Promise((resolve) => setTimeout(() => resolve("nothing was stopped"), 3000));
  try { await eval_attempt[attempt](); } catch {}
  return Promise.race([told, never]);
}
"""

ATTEMPTS = {
    "script": "() => { const s = document.createElement('script'); s.append('alert(1)'); document.body.append(s); }",
    "style": "() => { const s = document.createElement('style'); s.append('*{color:red}'); document.head.append(s); }",
    "image": "() => { const i = new Image(); i.src = 'https://example.org/x.png'; document.body.append(i); }",
    "fetch": "() => fetch('https://example.org/')",
    "markup": "() => { document.body.innerHTML = '<p>'; }",
    "handler": "() => document.body.setAttribute('onclick', 'alert(1)')",
}

ADDRESSES = """
async (urls) => {
  const { sourceLink } = await import("/page/elements.js");
  return urls.map((url) => sourceLink(url, "label").getAttribute("href"));
}
"""


def test_markup_in_titles_and_texts_is_shown_and_never_obeyed(page: Page) -> None:
    page.get_by_label("Your question or words").fill("marmalade")
    page.get_by_role("button", name="Search", exact=True).click()
    first = page.locator(".results > li").first
    expect(first.get_by_role("link", name=TITLE)).to_be_visible()
    expect(first.locator(".passage")).to_contain_text("<script>alert(2)</script>")
    first.get_by_role("link", name=TITLE).click()
    expect(page.get_by_role("heading", level=1, name=TITLE)).to_be_visible()
    expect(page.get_by_label("Text of the document")).to_contain_text("<b>bold</b> [x](javascript:alert(3))")
    assert page.locator("main img, main script, main b").count() == 0


def test_markup_that_is_written_comes_back_as_it_was(page: Page) -> None:
    page.goto(page.url.split("#")[0] + "#/new")
    page.get_by_label("Title").fill('"><svg onload=alert(1)>')
    page.get_by_label("Text", exact=True).fill("</pre><script>alert(1)</script>")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1, name='"><svg onload=alert(1)>')).to_be_visible()
    expect(page.get_by_label("Text of the document")).to_contain_text("</pre><script>alert(1)</script>")
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading", level=1, name="Documents")).to_be_visible()


@pytest.mark.parametrize(
    ("attempt", "directive"),
    [
        ("script", "script-src-elem or require-trusted-types-for"),
        ("style", "style-src-elem"),
        ("image", "img-src"),
        ("fetch", "connect-src"),
        ("markup", "require-trusted-types-for"),
        ("handler", "require-trusted-types-for"),
    ],
)
def test_the_policy_stops_what_is_not_the_pages_own(browser_page: Page, attempt: str, directive: str) -> None:
    told = browser_page.evaluate(VIOLATION.replace("eval_attempt[attempt]", f"({ATTEMPTS[attempt]})"), attempt)
    assert told in directive.split(" or ")


@pytest.fixture
def browser_page(browser: object, address: str) -> Iterator[Page]:
    """A page whose complaints are what is looked for."""
    page: Page = browser.new_page()  # type: ignore[attr-defined]
    page.goto(f"{address}/")
    yield page
    page.close()


def test_only_addresses_of_the_web_become_links(page: Page) -> None:
    urls = ["javascript:alert(1)", "data:text/html,x", "vbscript:x", "https://[", "https://example.org/a?b#c"]
    assert page.evaluate(ADDRESSES, urls) == [None, None, None, None, "https://example.org/a?b#c"]


def test_our_own_readers_address_is_read_on_the_page(page: Page, address: str) -> None:
    urls = [f"{address}/documents/a%20b/%C3%A7.md?start_line=3&end_line=5", f"{address}/documents/a.md"]
    assert page.evaluate(ADDRESSES, urls) == ["#/documents/a%20b%2F%C3%A7.md?lines=3-5", "#/documents/a.md"]


def test_a_token_is_asked_for_kept_for_the_tab_and_forgotten(opened: Callable[..., Page], tmp_path: Path) -> None:
    config = browsing.found(tmp_path, "auth: {tokens: true}\n")
    token = browsing.new_token(config, "ann")
    with browsing.serving(config) as address:
        page = opened(f"{address}/#/documents")
        dialog = page.get_by_role("dialog", name="Who are you?")
        dialog.get_by_label("Token").fill("cw_wrong")
        dialog.get_by_role("button", name="Continue").click()
        expect(dialog.get_by_label("Token")).to_have_value("")
        dialog.get_by_label("Token").fill(token)
        dialog.get_by_role("button", name="Continue").click()
        expect(page.locator(".documents > li")).to_have_count(20)
        assert page.evaluate("localStorage.length") == 0
        assert page.evaluate("sessionStorage.length") == 1
        page.reload()
        expect(page.locator(".documents > li")).to_have_count(20)
        page.get_by_role("button", name="Sign out").click()
        assert page.evaluate("sessionStorage.length") == 0
        page.get_by_role("dialog", name="Who are you?").get_by_role("button", name="Cancel").click()
        expect(page.get_by_role("alert")).to_contain_text("UNAUTHENTICATED")
