"""Words that do not stand in a text find it by what they mean: in the example's own texts, and in those of the contract."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from library import LITERATURE, Library, envelope, needs_literature, open_library, told, web_client
from running import ERAS, Era, over_stdio, serving

pytestmark = [pytest.mark.anyio, pytest.mark.models, pytest.mark.xdist_group("chinese"), pytest.mark.timeout(300)]

OWN = {
    "春天": "chunri",
    "少年阿福": "afu",
    "小孩子": "paopao",
    "儿时伙伴": "afu",
    "钟表匠": "zhongbiao",
}
CLASSICS = {"春天": "chun", "少年闰土": "guxiang", "小孩子": "guxiang", "儿时伙伴": "guxiang"}


@pytest.fixture(scope="module")
async def classics(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Library]:
    """The example, with the texts of the contract in the place of its own and nothing else changed."""
    config = open_library(tmp_path_factory.mktemp("classics"), LITERATURE)
    async with serving(config) as address:
        yield Library(config, address)


async def first_over_rest(library: Library, query: str) -> str:
    async with web_client(library.address) as rest:
        answer = (await rest.post("/search", json={"query": query, "top_k": 3})).json()
    return str(answer["results"][0]["doc_id"])


@pytest.mark.parametrize(("query", "expected"), OWN.items())
async def test_a_text_of_the_example_is_found_by_meaning_over_rest_and_mcp(
    library: Library, query: str, expected: str
) -> None:
    assert await first_over_rest(library, query) == expected
    assert (await told(library.address, query=query))["results"][0]["doc_id"] == expected


@needs_literature
@pytest.mark.parametrize(("query", "expected"), CLASSICS.items())
async def test_a_text_of_the_contract_is_found_by_meaning_over_rest_and_mcp(
    classics: Library, query: str, expected: str
) -> None:
    assert await first_over_rest(classics, query) == expected
    for era in ERAS:
        assert (await told(classics.address, era, query=query))["results"][0]["doc_id"] == expected


@needs_literature
@pytest.mark.parametrize("era", ERAS)
async def test_the_texts_of_the_contract_are_found_by_meaning_over_stdio(classics: Library, era: Era) -> None:
    async with over_stdio(classics.config, era) as client:
        firsts = {query: (await envelope(client, query=query))["results"][0]["doc_id"] for query in CLASSICS}
    assert firsts == CLASSICS
