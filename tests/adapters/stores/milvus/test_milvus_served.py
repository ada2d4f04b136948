"""A collection that somebody else filled, served by the whole of citewell as its configuration says."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pymilvus")

from foreign_filling import EVERYTHING, fill

from citewell.config import load_config
from citewell.core.requests import Filters, SearchRequest, SearchResult
from citewell.registry import open_embedder
from citewell.wiring import build_service, local_principal

pytestmark = pytest.mark.anyio

QUESTION = SearchRequest(query="Why does the kettle not boil?", filters=Filters(collections=("theirs",)))


async def served(folder: Path, place: str, groups: str, *, bm25: bool) -> SearchResult:
    """Fill a collection with vectors of the configured embedder, and search it through the service."""
    address, _, options = place.partition("?")
    prefix = options.removeprefix("prefix=").partition("&")[0]
    texts = [row["content_text"] for row in EVERYTHING]
    vectors = await open_embedder("hash:", {}).embed(texts, "passage")
    rows = [row | {"vector": vector.tolist()} for row, vector in zip(EVERYTHING, vectors, strict=True)]
    fill(address, f"{prefix}theirs", bm25=bm25, rows=rows)
    file = folder / "citewell.yaml"
    file.write_text(
        f"""
store: "milvus:{place}"
embedder: "hash:"
access: {{users: {{local: [staff]}}}}
collections:
  theirs:
    hybridRanker: rrf
    foreign: {{name: {prefix}theirs, groups: [{groups}]}}
"""
    )
    config = load_config(file, {})
    service = build_service(config)
    try:
        return await service.search(local_principal(config, "cli"), QUESTION)
    finally:
        await service.close()


async def test_it_is_searched_by_words_and_vectors_and_cited_by_its_own_address(place: str, tmp_path: Path) -> None:
    result = await served(tmp_path, place, "staff", bm25=True)
    assert (result.retrieval.mode, result.degraded) == ("hybrid", ())
    assert result.hits[0].stored.url == "https://example.org/issues/17"


async def test_without_bm25_the_reason_says_that_it_was_searched_by_vectors(place: str, tmp_path: Path) -> None:
    result = await served(tmp_path, place, "staff", bm25=False)
    assert result.retrieval.mode == "dense"
    assert "the collection theirs has no BM25 field" in result.retrieval.reason
    assert result.hits[0].stored.url == "https://example.org/issues/17"


async def test_those_whom_the_configuration_does_not_name_find_nothing(place: str, tmp_path: Path) -> None:
    assert (await served(tmp_path, place, "board", bm25=True)).hits == ()
