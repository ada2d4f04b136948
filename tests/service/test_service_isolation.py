"""Two worlds, with hidden documents and without: whoever may not read them cannot tell which he is in."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from house import STAFF, CountingEmbedder, House
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citewell.adapters.embedders.bundled import open_embedder
from citewell.adapters.stores.embedded import open_store
from citewell.core.errors import DocumentNotFound
from citewell.core.ports import Embedder
from citewell.core.requests import AskRequest, ReadRequest, SearchRequest
from citewell.testing.memory_source import MemorySource

WORDS = ("timeout", "proxy", "zephyr", "bonus", "retry", "deadline", "socket")
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join)
worlds = st.dictionaries(
    st.tuples(st.booleans(), st.integers(0, 9)).map(lambda key: f"{'board' if key[0] else 'open'}/{key[1]}.md"),
    sentences.map(lambda text: f"# {text.split()[0]}\n\n{text}.\n".encode()),
    min_size=1,
    max_size=8,
)


async def everything(files: Mapping[str, bytes], query: str, embedder: Embedder | None, paths: list[str]) -> list[Any]:
    """Return all that STAFF can be told about ``query`` in a world of ``files``."""
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(str(Path(folder) / "store"))
        house = House(MemorySource("handbook", dict(files)), store=store, embedder=embedder or CountingEmbedder())  # type: ignore[arg-type]
        await house.sync()
        service = house.service
        told: list[Any] = [
            await service.search(STAFF, SearchRequest(query=query, k=5, mode=mode)) for mode in ("hybrid", "bm25")
        ]
        told.append(await service.ask(STAFF, AskRequest(question=query)))
        told.append([replace(info, last_sync="") for info in await service.sources(STAFF)])
        for path in paths:
            try:
                told.append(await service.read(STAFF, ReadRequest(id=path)))
            except DocumentNotFound as refusal:
                told.append(refusal.args)
        await service.close()
        return told


async def compare(files: Mapping[str, bytes], query: str, embedder: Embedder | None = None) -> None:
    visible = {path: text for path, text in files.items() if not path.startswith("board/")}
    paths = sorted(files)
    assert await everything(files, query, embedder, paths) == await everything(visible, query, embedder, paths)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(worlds, sentences)
def test_hidden_documents_leave_no_trace_in_anything_the_service_says(files: dict[str, bytes], query: str) -> None:
    anyio.run(compare, files, query)


@pytest.mark.models
def test_hidden_documents_leave_no_trace_with_the_default_models_either() -> None:
    texts = [f"# {WORDS[n % 7]}\n\n{WORDS[n % 5]} {WORDS[n % 3]} {n}.\n" for n in range(12)]
    files = {f"{'board' if n % 3 == 0 else 'open'}/{n}.md": text.encode() for n, text in enumerate(texts)}
    for query in ("zephyr bonus", "zaman aşımı nedir", "代理设置"):
        anyio.run(compare, files, query, open_embedder("", {}))
