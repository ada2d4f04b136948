"""What becomes of a question on its way through the service: its intent, the legs that are asked, and what is done after."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from house import STAFF, House

from citewell.core.access import Tokens
from citewell.core.errors import StoreUnavailable
from citewell.core.ports import Candidates, LexicalQuery
from citewell.core.requests import Filters, SearchRequest, SearchResult
from citewell.retrieval.fusion import HybridRanker
from citewell.retrieval.search import Ranking
from citewell.testing.memory_store import MemoryStore

pytestmark = pytest.mark.anyio

BuildHouse = Callable[[dict[str, bytes]], House]
RELEASES = {
    f"releases/{name}.md": (
        f"---\ntitle: Shop {version}\nversion: {version}\nrelease_date: {day}\n---\n\n# Shop {version}\n\n{text}\n".encode()
    )
    for name, version, day, text in (
        ("one-one", "1.1", "2021-03-02", "The first release of Shop with baskets. Released in spring."),
        ("one-ten", "1.10", "2024-11-05", "The release of Shop with vouchers. Baskets are kept for a week."),
        ("one-eleven", "1.11", "2025-06-30", "The release of Shop with returns. Baskets are kept for a month."),
        ("calendar", "26.03", "2026-03-31", "The release of Shop with subscriptions."),
    )
}
GUIDES = {
    "guide.md": b"# Baskets\n\nA basket holds what a customer wants to buy. Set basket.keep.days to say how long it stays.\n",
}


class WithoutWords(MemoryStore):
    """A store that has no BM25, as a collection without the field."""

    async def lexical(self, query: LexicalQuery, *, visible: Tokens, filters: Filters, limit: int) -> Candidates:
        return Candidates(absent="the collection has no BM25 field")


class WordsAway(MemoryStore):
    """A store whose engine of words does not answer."""

    async def lexical(self, query: LexicalQuery, *, visible: Tokens, filters: Filters, limit: int) -> Candidates:
        raise StoreUnavailable("Elasticsearch does not answer.")


async def ask(house: House, query: str, **asked: object) -> SearchResult:
    return await house.service.search(STAFF, replace(SearchRequest(query=query), **asked))


def paths(result: SearchResult) -> list[str]:
    return [hit.stored.info.path for hit in result.hits]


@pytest.fixture
async def shop(build_house: BuildHouse) -> House:
    house = build_house(RELEASES | GUIDES)
    await house.sync()
    return house


@pytest.mark.parametrize(
    ("query", "intent", "mode"),
    [
        ("compare baskets of 1.10 and 1.11", "comparison", "hybrid"),
        ("when was 1.10 released", "release_date", "bm25"),
        ("latest release of Shop", "temporal", "bm25"),
        ("basket.keep.days", "exact", "bm25"),
        ("how are baskets kept?", "conceptual", "hybrid"),
        ("baskets", "general", "hybrid"),
    ],
)
async def test_every_result_tells_intent_mode_and_reason(shop: House, query: str, intent: str, mode: str) -> None:
    retrieval = (await ask(shop, query)).retrieval
    assert (retrieval.intent, retrieval.mode) == (intent, mode)
    assert retrieval.reason


async def test_both_sides_of_a_comparison_come_first(shop: House) -> None:
    found = paths(await ask(shop, "compare how long baskets are kept in 1.10 and 1.11"))
    assert set(found[:2]) == {"releases/one-ten.md", "releases/one-eleven.md"}


async def test_both_sides_of_a_comparison_are_among_the_evidence_of_two(shop: House) -> None:
    found = paths(await ask(shop, "Shop 1.1 ile 26.03 arasındaki fark nedir?", k=2))
    assert set(found) == {"releases/one-one.md", "releases/calendar.md"}


async def test_the_version_asked_for_comes_first_and_1_1_is_not_1_10(shop: House) -> None:
    assert paths(await ask(shop, "when was Shop 1.10 released?"))[0] == "releases/one-ten.md"
    assert paths(await ask(shop, "when was Shop 1.1 released?"))[0] == "releases/one-one.md"
    assert paths(await ask(shop, "Shop 1.11 什么时候发布?"))[0] == "releases/one-eleven.md"


@pytest.mark.parametrize("query", ["latest release of Shop", "Shop'un en son sürümü", "Shop 最新 release"])
async def test_the_newest_release_comes_first_and_calendar_versions_are_no_smaller(shop: House, query: str) -> None:
    found = paths(await ask(shop, query))
    newest_first = ["releases/calendar.md", "releases/one-eleven.md", "releases/one-ten.md", "releases/one-one.md"]
    assert len(found) >= 3
    assert found == [path for path in newest_first if path in found]


async def test_a_question_about_the_latest_release_is_asked_of_release_notes_alone(shop: House) -> None:
    assert "guide.md" not in paths(await ask(shop, "latest release with baskets"))


async def test_without_release_fields_the_rule_is_skipped(build_house: BuildHouse) -> None:
    house = build_house(GUIDES)
    await house.sync()
    result = await ask(house, "latest baskets")
    assert paths(result) == ["guide.md"]
    assert "newest release first" not in result.retrieval.reason


async def test_a_mode_that_the_caller_chose_stands_over_the_intent(shop: House) -> None:
    result = await ask(shop, "latest release of Shop", mode="dense")
    assert (result.retrieval.intent, result.retrieval.mode) == ("temporal", "dense")
    assert "the caller chose the mode" in result.retrieval.reason


async def test_words_that_occur_nowhere_are_searched_for_by_meaning_and_the_reason_says_so(shop: House) -> None:
    result = await ask(shop, "`ERR_QUUX_9`")
    assert (result.retrieval.intent, result.retrieval.mode) == ("exact", "hybrid")
    assert "bm25 alone found nothing" in result.retrieval.reason
    assert result.hits


@pytest.mark.parametrize("query", ["latest release of Shop", "how are baskets kept?"])
async def test_a_collection_without_bm25_is_searched_by_vectors_and_the_reason_says_so(
    build_house: BuildHouse, query: str
) -> None:
    house = build_house(RELEASES | GUIDES)
    house.store = WithoutWords()
    await house.sync()
    result = await ask(house, query)
    assert result.hits
    assert result.retrieval.mode == "dense"
    assert "the collection has no BM25 field" in result.retrieval.reason
    assert result.degraded == ()


@pytest.mark.parametrize("query", ["when was 1.10 released", "how are baskets kept?"])
async def test_while_the_engine_of_words_is_away_vectors_answer_and_the_result_says_so(
    build_house: BuildHouse, query: str
) -> None:
    house = build_house(RELEASES | GUIDES)
    house.store = WordsAway()
    await house.sync()
    result = await ask(house, query)
    assert result.hits
    assert result.degraded == ("lexical_unavailable",)


async def test_where_failures_are_errors_an_engine_that_is_away_is_one(build_house: BuildHouse) -> None:
    house = build_house(RELEASES | GUIDES)
    house.store = WordsAway()
    house.ranking = Ranking(on_failure="error")
    await house.sync()
    with pytest.raises(StoreUnavailable):
        await ask(house, "when was 1.10 released")


async def test_the_intent_is_written_into_the_audit(shop: House) -> None:
    await ask(shop, "when was 1.10 released")
    assert shop.audit.events[-1].plan["intent"] == "release_date"


@pytest.mark.parametrize(("ranker", "said"), [("rrf", "joined by rank, k = 60"), ("weighted", "vectors count 0.7, BM25 0.3")])
async def test_the_reason_says_how_the_configuration_joins_the_lists(
    build_house: BuildHouse, ranker: HybridRanker, said: str
) -> None:
    house = build_house(RELEASES | GUIDES)
    house.ranking = Ranking(ranker=ranker)
    await house.sync()
    assert said in (await ask(house, "how are baskets kept?")).retrieval.reason
