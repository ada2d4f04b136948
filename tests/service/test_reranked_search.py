"""Searches whose best candidates a reranker puts in order again, and searches whose mode the configuration chose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import anyio
import numpy as np
import pytest
from house import STAFF, House

from citewell.core.errors import VectorSearchFailed
from citewell.core.ports import Reranker
from citewell.core.requests import Mode, SearchRequest, SearchResult
from citewell.retrieval.reranking import Reranking
from citewell.retrieval.search import Ranking

if TYPE_CHECKING:
    from citewell.core.ports.reranking import Scores

pytestmark = pytest.mark.anyio

BuildHouse = Callable[[dict[str, bytes]], House]

QUERY = "how is the kettle filled"
KETTLES = {
    f"kettle-{number}.md": f"# Kettle {number}\n\nThe kettle is filled with {number} cups.\n".encode() for number in range(9)
}


@dataclass
class ByNumber:
    """A reranker that likes the passages with the greatest number of cups best, and remembers how many it was shown."""

    name: str = "by-number/1"
    shown: int = 0

    async def score(self, query: str, passages: Sequence[str]) -> Scores:
        self.shown = len(passages)
        cups = [int(passage.partition("filled with ")[2].split()[0]) for passage in passages]
        return np.array([0.05 * count + 0.3 for count in cups], np.float32)


class Broken(ByNumber):
    async def score(self, query: str, passages: Sequence[str]) -> Scores:
        raise VectorSearchFailed("The reranker is out of order.")


class Endless(ByNumber):
    async def score(self, query: str, passages: Sequence[str]) -> Scores:
        await anyio.sleep_forever()
        raise AssertionError("unreachable")


@pytest.fixture
async def house(build_house: BuildHouse) -> House:
    built = build_house(KETTLES)
    await built.sync()
    return built


async def ask(house: House, ranking: Ranking, k: int = 9, mode: Mode = "auto", cursor: str | None = None) -> SearchResult:
    house.ranking = ranking
    return await house.service.search(STAFF, SearchRequest(query=QUERY, k=k, mode=mode, cursor=cursor))


def reranked(reranker: Reranker, pool: int = 10, budget_ms: int | None = None) -> Ranking:
    return Ranking(reranking=Reranking(reranker=reranker, pool=pool, budget_ms=budget_ms))


def paths(result: SearchResult) -> list[str]:
    return [hit.stored.info.path for hit in result.hits]


async def test_the_best_candidates_get_the_order_and_the_scores_of_the_reranker(house: House) -> None:
    result = await ask(house, reranked(ByNumber()))
    assert paths(result) == [f"kettle-{number}.md" for number in reversed(range(9))]
    assert [hit.score for hit in result.hits] == [round(0.05 * number + 0.3, 4) for number in reversed(range(9))]
    assert "the best 9 reordered by the reranker" in result.retrieval.reason


async def test_what_is_outside_the_pool_keeps_its_order_below_it(house: House) -> None:
    before = await ask(house, Ranking())
    after = await ask(house, reranked(ByNumber(), pool=3))
    assert set(paths(after)[:3]) == set(paths(before)[:3])
    assert paths(after)[3:] == paths(before)[3:]
    scores = [hit.score for hit in after.hits]
    assert scores == sorted(scores, reverse=True)


async def test_the_pool_does_not_depend_on_how_many_results_are_asked_for(house: House) -> None:
    reranker = ByNumber()
    (first,) = (await ask(house, reranked(reranker, pool=5), k=1)).hits
    assert reranker.shown == 5
    assert first == (await ask(house, reranked(reranker, pool=5))).hits[0]


async def test_a_reranker_that_fails_leaves_the_order_as_it_was_and_is_named(house: House) -> None:
    before = await ask(house, Ranking())
    after = await ask(house, reranked(Broken()))
    assert after.hits == before.hits
    assert after.degraded == ("reranker_unavailable",)


async def test_where_failures_are_errors_a_reranker_that_fails_is_one(house: House) -> None:
    with pytest.raises(VectorSearchFailed, match="out of order"):
        await ask(house, replace(reranked(Broken()), on_failure="error"))


async def test_a_reranker_that_runs_out_of_time_leaves_the_order_as_it_was_and_is_named(house: House) -> None:
    before = await ask(house, Ranking())
    after = await ask(house, reranked(Endless(), budget_ms=1))
    assert after.hits == before.hits
    assert after.degraded == ("reranker_timeout",)


async def test_a_search_by_words_alone_is_not_reranked(house: House) -> None:
    reranker = ByNumber()
    await ask(house, reranked(reranker), mode="bm25")
    assert reranker.shown == 0


async def test_a_search_that_leaves_the_mode_open_is_made_as_the_configuration_says(house: House) -> None:
    result = await ask(house, Ranking(mode="dense"))
    assert result.retrieval.mode == "dense"
    assert result.retrieval.reason == "the configuration chose the mode; vectors alone"


async def test_a_mode_that_the_caller_chose_stands_over_that_of_the_configuration(house: House) -> None:
    result = await ask(house, Ranking(mode="dense"), mode="bm25")
    assert result.retrieval.mode == "bm25"
    assert "the caller chose the mode" in result.retrieval.reason


async def test_a_cursor_goes_on_in_the_mode_of_the_configuration(house: House) -> None:
    dense = Ranking(mode="dense")
    head = await ask(house, dense, k=4)
    tail = await ask(house, dense, k=5, cursor=head.cursor)
    assert head.hits + tail.hits == (await ask(house, dense)).hits
