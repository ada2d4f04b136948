"""Serving an index and a collection that somebody else filled, and what of them is refused."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("qdrant_client")

from platform_filling import CHUNKS, LEFT_TO_THE_ENGINE, LOOSE, STRICT, VECTORS, drop, engine_id, fill_index, fill_points
from qdrant_stand_in import serving_qdrant

from citewell.core.errors import ConfigurationError, DocumentNotFound, StoreError, WrongDimension
from citewell.core.model import ChunkId
from citewell.core.ports import ForeignCollection, Store, StoreSetup
from citewell.core.requests import NO_FILTERS, Filters
from citewell.registry import open_store
from citewell.testing.store_filters import HOSTILE
from citewell.testing.store_samples import ANYONE, embed, find, ids, near, row, sample

pytestmark = pytest.mark.anyio

STAFF = frozenset({"group:staff"})
FIRST, SECOND, LID = (f"foreign:platform:{name}" for name in ("kettles/boil.md:0", "kettles/boil.md:1", "issue 17: lid:0"))
Opener = Callable[..., Store]


@pytest.fixture(scope="module")
def qdrant() -> Iterator[str]:
    """Lend Qdrant over HTTP: only there can somebody else have filled it."""
    with serving_qdrant() as address:
        yield address


@pytest.fixture
async def opened(elastic: str, qdrant: str, prefix: str) -> AsyncIterator[Opener]:
    """Lend what opens a store that serves ``platform`` to the staff, from an index and a collection filled by others."""
    stores: list[Store] = []
    theirs = f"{prefix}theirs"
    made: list[str] = []

    def open_one(index: dict[str, Any] | None = {}, points: dict[str, Any] | None = {}) -> Store:  # noqa: B006
        if index is not None:
            fill_index(elastic, theirs, **index)
            made.append(theirs)
        if points is not None:
            fill_points(qdrant, theirs, **points)
        foreign = (ForeignCollection(name="platform", remote=theirs, acl=STAFF),)
        stores.append(
            open_store(f"elastic+qdrant:{elastic},{qdrant}?prefix={prefix}&timeout=30", StoreSetup(foreign=foreign))
        )
        return stores[-1]

    yield open_one
    for store in stores:
        await store.close()
    for name in made:
        drop(f"{elastic}/{name}")


def without(*names: str) -> list[dict[str, Any]]:
    return [{name: value for name, value in chunk.items() if name not in names} for chunk in CHUNKS]


async def test_it_is_searched_by_words_and_by_vectors(opened: Opener) -> None:
    store = opened()
    assert ids(await find(store, "cups", visible=STAFF)) == [SECOND]
    assert set(ids(await find(store, "boil", visible=STAFF))) == {FIRST, LID}
    assert ids(await near(store, row(1, 0), visible=STAFF)) == [FIRST, SECOND, LID]
    assert ids(await near(store, row(1, 0), visible=STAFF, limit=1)) == [FIRST]


async def test_it_is_open_to_those_whom_the_configuration_names(opened: Opener) -> None:
    store = opened()
    assert ids(await find(store, "boil")) == ids(await near(store, row(1, 0))) == []
    assert await store.chunks([ChunkId(FIRST)], visible=ANYONE) == {}
    assert await store.sources(visible=ANYONE) == ()
    assert (await store.documents(visible=ANYONE, filters=NO_FILTERS, offset=0, limit=9)).total == 0
    for call in (store.document, store.outline):
        with pytest.raises(DocumentNotFound):
            await call("kettles/boil.md", visible=ANYONE)


async def test_its_passages_carry_the_four_fields_and_the_id_that_they_have_in_the_index(opened: Opener) -> None:
    store = opened()
    found = await store.chunks([ChunkId(LID), ChunkId(SECOND)], visible=STAFF)
    assert list(found) == [LID, SECOND]
    for name, chunk in ((LID, CHUNKS[2]), (SECOND, CHUNKS[1])):
        stored = found[ChunkId(name)]
        assert (stored.chunk.text, stored.info.id, stored.chunk.ordinal) == (
            chunk["text"],
            chunk["doc_id"],
            chunk["chunk_idx"],
        )
        assert stored.chunk.metadata == {"source_id": chunk["source_id"], "engine_id": engine_id(chunk)}


async def test_its_documents_are_put_together_of_their_passages(opened: Opener) -> None:
    store = opened()
    document = await store.document("kettles/boil.md", visible=STAFF)
    assert document.text == "kettles boil faster\ncups are\nwarmer"
    outline = await store.outline("kettles/boil.md", visible=STAFF)
    assert [document.text[stored.chunk.start : stored.chunk.end] for stored in outline] == [
        "kettles boil faster",
        "cups are\nwarmer",
    ]
    assert [(stored.chunk.lines.start, stored.chunk.lines.end) for stored in outline] == [(1, 1), (2, 3)]


@pytest.mark.parametrize("properties", [STRICT, LEFT_TO_THE_ENGINE], ids=["strict", "left to the engine"])
async def test_its_documents_and_sources_are_listed_and_counted(opened: Opener, properties: dict[str, Any]) -> None:
    store = opened(index={"properties": properties})
    listed = await store.documents(visible=STAFF, filters=NO_FILTERS, offset=0, limit=1)
    assert ([info.id for info in listed.items], listed.total) == (["issue 17: lid"], 2)
    counts = await store.sources(visible=STAFF)
    assert [(count.state.name, count.documents, count.chunks) for count in counts] == [("guides", 1, 1), ("runbooks", 1, 2)]


@pytest.mark.parametrize("properties", [LEFT_TO_THE_ENGINE, LOOSE], ids=["left to the engine", "all of it text"])
async def test_it_may_be_mapped_in_any_way_that_keeps_the_fields(opened: Opener, properties: dict[str, Any]) -> None:
    store = opened(index={"properties": properties})
    assert ids(await find(store, "cups", visible=STAFF)) == [SECOND]
    found = await store.chunks([ChunkId(FIRST), ChunkId(LID)], visible=STAFF)
    assert [stored.chunk.text for stored in found.values()] == [CHUNKS[0]["text"], CHUNKS[2]["text"]]
    assert (await store.document("kettles/boil.md", visible=STAFF)).text.startswith("kettles boil")
    listed = await store.documents(visible=STAFF, filters=NO_FILTERS, offset=0, limit=9)
    assert listed.total == 2


async def test_positions_may_be_written_as_texts_and_vectors_have_a_name(opened: Opener) -> None:
    texts = [chunk | {"chunk_idx": str(chunk["chunk_idx"])} for chunk in CHUNKS]
    store = opened(points={"rows": texts, "using": "dense"})
    assert ids(await near(store, row(1, 0), visible=STAFF)) == [FIRST, SECOND, LID]


async def test_rows_that_lack_a_field_are_passed_over(opened: Opener) -> None:
    more = [*CHUNKS, {"text": "boil boil boil"}, {"doc_id": "x", "source_id": "y", "chunk_idx": None, "text": "boil"}]
    store = opened(index={"rows": more}, points={"rows": more, "vectors": [*VECTORS, [1.0, 0.0], [1.0, 0.0]]})
    assert set(ids(await find(store, "boil", visible=STAFF, limit=2))) == {FIRST, LID}
    assert ids(await near(store, row(1, 0), visible=STAFF, limit=3)) == [FIRST, SECOND, LID]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(sources=("runbooks",)), {FIRST, SECOND}),
        (Filters(sources=("nobody's",)), set()),
        (Filters(paths=("kettles/**",)), {FIRST, SECOND}),
        (Filters(collections=("platform",)), {FIRST, SECOND, LID}),
        (Filters(collections=("code",)), set()),
        (Filters(versions=("1.10",)), set()),
    ],
)
async def test_it_is_narrowed_by_source_and_document(opened: Opener, filters: Filters, expected: set[str]) -> None:
    store = opened()
    assert set(ids(await near(store, row(1, 0), visible=STAFF, filters=filters))) == expected
    assert set(ids(await find(store, "boil cups", visible=STAFF, filters=filters))) == expected


async def test_a_value_is_compared_and_never_interpreted(opened: Opener) -> None:
    store = opened()
    for value in (*HOSTILE, "9" * 11, "9" * 30, "-1", "0.5"):
        for filters in (Filters(sources=(value,)), Filters(paths=(f"a/{value}/b",))):
            assert (await near(store, row(1, 0), visible=STAFF, filters=filters)).hits == ()
        with pytest.raises(DocumentNotFound):
            await store.document(value, visible=STAFF)
        names = [ChunkId(f"foreign:platform:{value}:0"), ChunkId(f"foreign:platform:kettles/boil.md:{value}")]
        assert await store.chunks(names, visible=STAFF) == {}


async def test_what_it_cannot_do_without_is_named(opened: Opener) -> None:
    properties = {name: STRICT[name] for name in ("text", "source_id")}
    store = opened(
        index={"rows": without("doc_id", "chunk_idx"), "properties": properties},
        points={"rows": without("text", "source_id")},
    )
    with pytest.raises(ConfigurationError, match=r"index .*theirs' lacks doc_id, chunk_idx"):
        await find(store, "boil", visible=STAFF)
    with pytest.raises(ConfigurationError, match=r"collection .*theirs' lacks source_id, text"):
        await near(store, row(1, 0), visible=STAFF)


async def test_one_that_is_not_there_is_named(opened: Opener) -> None:
    store = opened(index=None, points=None)
    with pytest.raises(ConfigurationError, match=r"no Elasticsearch index .*theirs"):
        await find(store, "boil", visible=STAFF)
    with pytest.raises(ConfigurationError, match=r"no Qdrant collection .*theirs"):
        await near(store, row(1, 0), visible=STAFF)


async def test_vectors_of_another_dimension_are_told_of(opened: Opener) -> None:
    store = opened()
    with pytest.raises(WrongDimension, match=r"theirs' has vectors of 2 numbers, the embedder 3"):
        await near(store, row(1, 0, 0), visible=STAFF)


async def test_nothing_is_written_to_it(opened: Opener) -> None:
    store = opened()
    with pytest.raises(StoreError, match="'platform' is filled by others"):
        await store.apply([sample("a", "tea", collection="platform")])


async def test_it_is_searched_together_with_our_own(opened: Opener) -> None:
    store = opened()
    await store.apply([sample("a", "boil the tea")])
    await embed(store, {"boil the tea": row(1, 0)})
    both = STAFF | ANYONE
    assert set(ids(await find(store, "boil", visible=both))) == {"handbook/a#0", FIRST, LID}
    assert set(ids(await near(store, row(1, 0), visible=both))) == {"handbook/a#0", FIRST, SECOND, LID}
    assert [count.state.name for count in await store.sources(visible=both)] == ["guides", "handbook", "runbooks"]
