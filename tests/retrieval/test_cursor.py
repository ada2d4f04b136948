import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.core.errors import BadCursor
from citewell.core.requests import Filters, SearchRequest
from citewell.retrieval.cursor import decode_cursor, encode_cursor


@given(st.text(min_size=1, max_size=50), st.integers(0, 10_000), st.integers(1, 50))
def test_a_cursor_continues_its_own_search_whatever_k(query: str, offset: int, k: int) -> None:
    cursor = encode_cursor(SearchRequest(query=query), offset)
    assert decode_cursor(SearchRequest(query=query, k=k, cursor=cursor)) == offset


@pytest.mark.parametrize(
    "other",
    [
        SearchRequest(query="another"),
        SearchRequest(query="timeouts", mode="bm25"),
        SearchRequest(query="timeouts", filters=Filters(sources=("docs",))),
    ],
)
def test_a_cursor_of_another_search_is_refused(other: SearchRequest) -> None:
    cursor = encode_cursor(SearchRequest(query="timeouts"), 8)
    with pytest.raises(BadCursor):
        decode_cursor(SearchRequest(query=other.query, mode=other.mode, filters=other.filters, cursor=cursor))


@given(st.text(max_size=60))
def test_an_invented_cursor_is_refused(cursor: str) -> None:
    with pytest.raises(BadCursor):
        decode_cursor(SearchRequest(query="timeouts", cursor=cursor))
