"""Search, streams and answers in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

CUT_ANYWHERE = """
async (size) => {
  const { readEvents } = await import("/page/events.js");
  const bytes = new TextEncoder().encode(": hello\\n\\ndata: 春\\r\\n\\r\\nevent: text\\ndata: a\\ndata:  b\\n\\ndata\\n\\n");
  const parts = [];
  for (let at = 0; at < bytes.length; at += size) parts.push(bytes.slice(at, at + size));
  const body = new ReadableStream({ start(c) { parts.forEach((part) => c.enqueue(part)); c.close(); } });
  const events = [];
  for await (const event of readEvents(new Response(body))) events.push([event.name, event.data]);
  return events;
}
"""

WATCH = """
() => {
  window.seen = [];
  const look = () => window.seen.push(document.querySelector(".streamed")?.textContent ?? "");
  const all = { childList: true, subtree: true, characterData: true };
  new MutationObserver(look).observe(document.getElementById("found"), all);
}
"""


def ask(page: Page, words: str, how: str) -> None:
    page.get_by_label("Your question or words").fill(words)
    page.get_by_role("button", name=how, exact=True).click()


def test_a_result_shows_passage_score_section_version_and_link(page: Page) -> None:
    ask(page, "fill the kettle", "Search")
    first = page.locator(".results > li").first
    expect(first.locator(".passage")).to_contain_text("fresh water")
    expect(first).to_contain_text("Kettle > Filling")
    expect(first).to_contain_text("1.10")
    expect(first.locator(".score")).to_contain_text("Score 0.")
    first.get_by_role("link", name="Kettle").click()
    expect(page.locator("mark").last).to_contain_text("Fill the kettle with fresh water")


def test_a_result_from_elsewhere_leads_there(page: Page) -> None:
    ask(page, "zeppelin mast", "Search")
    link = page.locator(".results > li").first.get_by_role("link", name="Far away")
    expect(link).to_have_attribute("href", "https://example.org/far.md")
    expect(link).to_have_attribute("target", "_blank")


def test_how_it_was_searched_is_said(page: Page) -> None:
    ask(page, "how do I fill the kettle", "Search")
    expect(page.locator("#found .hint").first).to_contain_text("conceptual · ")


def test_one_collection_can_be_searched_alone(page: Page) -> None:
    page.reload()
    page.goto(page.url.split("#")[0] + "#/new")
    page.get_by_label("Title").fill("Hideaway")
    page.get_by_label("Text", exact=True).fill("The zeppelin of the notes.")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1, name="Hideaway")).to_be_visible()
    page.get_by_role("link", name="Search").click()
    page.get_by_label("Collection").select_option("notes")
    ask(page, "zeppelin", "Search")
    expect(page.locator(".results > li .place").first).to_contain_text("notes")
    expect(page.get_by_role("link", name="Far away")).to_have_count(0)


@pytest.mark.parametrize(("words", "title"), [("çay demlenir", "Çay nasıl demlenir"), ("东风来了", "春")])
def test_turkish_and_chinese_are_found_and_shown(page: Page, words: str, title: str) -> None:
    ask(page, words, "Search")
    expect(page.locator(".results > li").first.get_by_role("link", name=title)).to_be_visible()


def test_the_best_passage_arrives_a_character_at_a_time(page: Page) -> None:
    page.evaluate(WATCH)
    ask(page, "东风来了", "Stream the best passage")
    expect(page.get_by_role("status")).to_have_text("The passage is complete")
    expect(page.locator(".streamed")).to_contain_text("盼望着，盼望着，东风来了，春天的脚步近了。")
    whole = page.locator(".streamed").text_content() or ""
    seen = [text for text in page.evaluate("window.seen") if text]
    assert all(whole.startswith(text) for text in seen)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_events_may_be_cut_anywhere(page: Page, size: int) -> None:
    events = page.evaluate(CUT_ANYWHERE, size)
    assert events == [["message", ""], ["message", "春"], ["text", "a\n b"], ["message", ""]]


def test_an_answer_stands_above_its_sources(page: Page) -> None:
    ask(page, "How is the kettle filled with fresh water up to the mark?", "Ask")
    expect(page.locator(".answer")).to_contain_text("fresh water")
    sources = page.get_by_role("region", name="Sources")
    expect(sources).to_contain_text("Kettle > Filling")
    page.get_by_role("button", name="Source c1").first.click()
    expect(page.locator("#source-c1")).to_be_focused()
    sources.get_by_role("link", name="Kettle").first.click()
    expect(page.locator("mark").first).to_be_visible()


def test_what_the_documents_do_not_answer_is_said_with_the_reason(page: Page) -> None:
    ask(page, "Who won the chess championship of 1972?", "Ask")
    expect(page.locator(".notice")).to_contain_text("The documents do not answer this.")
    expect(page.locator(".notice code")).to_have_text(re.compile("no_evidence|low_support"))


def test_an_empty_question_never_leaves_the_page_and_a_blank_one_is_refused(page: Page) -> None:
    ask(page, "", "Search")
    expect(page.locator("#found")).to_be_empty()
    ask(page, "   ", "Search")
    expect(page.get_by_role("alert")).to_contain_text("EMPTY_QUERY")


def test_who_comes_back_finds_what_he_found_before(page: Page) -> None:
    ask(page, "fill the kettle", "Search")
    page.locator(".results > li").first.get_by_role("link").click()
    expect(page.get_by_label("Text of the document")).to_be_visible()
    page.go_back()
    expect(page.get_by_label("Your question or words")).to_have_value("fill the kettle")
    expect(page.locator(".results > li").first).to_contain_text("fresh water")


def test_a_server_that_does_not_answer_is_said_to_be_so(page: Page) -> None:
    page.route("**/search", lambda route: route.abort())
    ask(page, "kettle", "Search")
    expect(page.get_by_role("alert")).to_contain_text("UNREACHABLE")


def test_what_did_not_take_part_is_named(page: Page) -> None:
    answer = {"query": "q", "results": [], "citations": [], "degraded": ["dense_unavailable"]}
    answer["retrieval"] = {"intent": "general", "mode": "bm25", "reason": "vectors are out"}
    page.route("**/search", lambda route: route.fulfill(json=answer))
    ask(page, "kettle", "Search")
    expect(page.get_by_role("note")).to_contain_text("dense_unavailable")
    expect(page.locator("#found")).to_contain_text("Nothing was found.")
