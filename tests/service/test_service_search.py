from __future__ import annotations

import pytest
from house import BOARD, STAFF, House

from citewell.core.errors import BadLimit, EmbeddingFailed, EmptyQuery, InvalidRequest, UnknownCollection
from citewell.core.requests import Filters, SearchRequest
from citewell.retrieval.search import Ranking

pytestmark = pytest.mark.anyio


async def test_a_hit_is_an_exact_span_with_its_lines_and_address(house: House) -> None:
    await house.sync()
    hit = (await house.service.search(STAFF, SearchRequest(query="default timeout"))).hits[0]
    lines = house.source.files["guide.md"].decode().splitlines()
    start, end = hit.stored.chunk.lines.start, hit.stored.chunk.lines.end
    assert hit.stored.chunk.text == "\n".join(lines[start - 1 : end])
    assert hit.stored.shown_id.startswith("guide.md:")
    assert hit.stored.url == f"http://127.0.0.1:8080/documents/guide.md?start_line={start}&end_line={end}"
    assert hit.stored.section == "Guide > Timeouts"
    assert hit.snippet in hit.stored.chunk.text


async def test_what_is_hidden_does_not_exist(house: House) -> None:
    await house.sync()
    for query in ("zephyr bonus", "payroll", "default timeout"):
        result = await house.service.search(STAFF, SearchRequest(query=query, k=50))
        assert "board/payroll.md" not in [hit.stored.info.path for hit in result.hits]
    assert (await house.service.search(BOARD, SearchRequest(query="zephyr"))).hits[0].stored.info.path == "board/payroll.md"


async def test_a_hidden_document_moves_no_score(house: House) -> None:
    await house.sync()
    queries = ["default timeout", "zephyr", "bonus in March", "HTTP_PROXY"]
    whole = [await house.service.search(STAFF, SearchRequest(query=query)) for query in queries]
    del house.source.files["board/payroll.md"]
    await house.sync()
    assert [await house.service.search(STAFF, SearchRequest(query=query)) for query in queries] == whole


async def test_the_head_of_a_long_list_is_the_short_list(build_house) -> None:
    words = ["alpha beta", "beta gamma", "gamma alpha", "alpha", "beta", "gamma delta"]
    house = build_house({f"{n}.md": f"# Note {n}\n\n{words[n % 6]} {n}\n".encode() for n in range(30)})
    await house.sync()
    long = (await house.service.search(STAFF, SearchRequest(query="alpha gamma", k=30))).hits
    assert (await house.service.search(STAFF, SearchRequest(query="alpha gamma", k=5))).hits == long[:5]


async def test_pages_put_together_are_the_whole_list(build_house) -> None:
    house = build_house({f"{n}.md": f"# Note {n}\n\nalpha {n}\n".encode() for n in range(20)})
    await house.sync()
    whole = (await house.service.search(STAFF, SearchRequest(query="alpha", k=50))).hits
    pages, cursor = [], None
    while True:
        result = await house.service.search(STAFF, SearchRequest(query="alpha", k=7, cursor=cursor))
        pages += result.hits
        cursor = result.cursor
        if cursor is None:
            break
    assert tuple(pages) == whole
    assert len(whole) == 20


async def test_filters_narrow_the_list(house: House) -> None:
    await house.sync()
    for filters in (Filters(paths=("board/**",)), Filters(kinds=("markdown",), sources=("handbook",))):
        result = await house.service.search(BOARD, SearchRequest(query="default timeout", filters=filters))
        paths = {hit.stored.info.path for hit in result.hits}
        assert paths == ({"board/payroll.md"} if filters.paths else {"guide.md", "board/payroll.md"})


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        (SearchRequest(query=" \n"), EmptyQuery),
        (SearchRequest(query="x", k=0), BadLimit),
        (SearchRequest(query="x", k=51), BadLimit),
        (SearchRequest(query="x" * 2001), InvalidRequest),
        (SearchRequest(query="x", filters=Filters(collections=("nope",))), UnknownCollection),
    ],
)
async def test_a_request_that_cannot_be_is_refused(house: House, request_: SearchRequest, error: type[Exception]) -> None:
    with pytest.raises(error):
        await house.service.search(STAFF, request_)


async def test_a_failing_model_degrades_a_search_and_says_so(house: House) -> None:
    await house.sync()
    house.embedder.broken = True
    result = await house.service.search(STAFF, SearchRequest(query="how does HTTP_PROXY apply"))
    assert result.degraded == ("dense_unavailable",)
    assert result.hits[0].stored.info.path == "guide.md"


async def test_a_failing_model_is_an_error_where_the_configuration_says_so(house: House) -> None:
    await house.sync()
    house.embedder.broken = True
    with pytest.raises(EmbeddingFailed):
        await house.service.search(STAFF, SearchRequest(query="HTTP_PROXY", mode="dense"))
    house.ranking = Ranking(on_failure="error")
    with pytest.raises(EmbeddingFailed):
        await house.service.search(STAFF, SearchRequest(query="how does HTTP_PROXY apply"))


async def test_each_mode_asks_its_own_legs(house: House) -> None:
    await house.sync()
    for mode, legs in (("bm25", {"bm25"}), ("dense", {"dense"}), ("hybrid", {"bm25", "dense"}), ("auto", {"bm25", "dense"})):
        result = await house.service.search(STAFF, SearchRequest(query="how does HTTP_PROXY apply", mode=mode))
        assert set(result.hits[0].ranks) == legs
