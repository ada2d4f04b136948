"""One engine away, both away, both slow; and the wire to Qdrant."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from functools import partial

import anyio
import pytest

pytest.importorskip("qdrant_client")

from gate import Gate, gated
from qdrant_stand_in import serving_qdrant

from citewell.core.errors import ConfigurationError, StoreError, StoreUnavailable
from citewell.core.model import ChunkId
from citewell.core.ports import Store, StoreSetup
from citewell.core.requests import Filters
from citewell.registry import open_store
from citewell.testing.store_samples import ANYONE, MODEL, embed, find, ids, near, row, sample

pytestmark = pytest.mark.anyio

TEA = "handbook/guide/a.md#0"
DEADLINE = 3.0


@pytest.fixture
def text(elastic: str) -> Iterator[Gate]:
    with gated(elastic) as gate:
        yield gate


@pytest.fixture
def points() -> Iterator[Gate]:
    with serving_qdrant() as address, gated(address) as gate:
        yield gate


@pytest.fixture
async def store(text: Gate, points: Gate, prefix: str) -> AsyncIterator[Store]:
    """Lend a store with a document and a hidden one, which has looked at both engines once."""
    rest = f"elastic+qdrant:{text.address},{points.address}?prefix={prefix}&timeout={DEADLINE}"
    store = open_store(rest, StoreSetup(secrets={"ELASTICSEARCH_API_KEY": "s3cret"}))
    await store.apply([sample("guide/a.md", "tea pot"), sample("b", "tea", acl=["group:staff"]), sample("c.md", "lid")])
    await embed(store, {"tea pot": row(1, 0), "tea": row(1, 0), "lid": row(0, 1)})
    assert ids(await near(store, row(1, 0))) == [TEA, "handbook/c.md#0"]
    yield store
    await store.close()


async def both(store: Store) -> dict[str, list[str]]:
    """Ask both legs at once and return what each found, or the code of its failure."""
    found: dict[str, list[str]] = {}

    async def ask(name: str, leg: partial) -> None:
        try:
            found[name] = ids(await leg())
        except StoreError as error:
            found[name] = [error.code]

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ask, "bm25", partial(find, store, "tea"))
        tasks.start_soon(ask, "dense", partial(near, store, row(1, 0)))
    return found


async def held(gate: Gate) -> None:
    assert await anyio.to_thread.run_sync(partial(gate.held.acquire, timeout=10))


async def test_both_engines_work_on_one_question_at_the_same_moment(store: Store, text: Gate, points: Gate) -> None:
    found: dict[str, list[str]] = {}

    async def ask() -> None:
        found.update(await both(store))

    text.hold()
    points.hold()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ask)
        await held(text)
        await held(points)
        assert not found
        text.let_through()
        points.let_through()
    assert found == {"bm25": [TEA], "dense": [TEA, "handbook/c.md#0"]}


async def test_without_the_text_engine_vectors_answer_with_text(store: Store, text: Gate) -> None:
    text.shut()
    assert await both(store) == {"bm25": ["STORE_UNAVAILABLE"], "dense": [TEA, "handbook/c.md#0"]}
    found = await store.chunks([ChunkId(TEA), ChunkId("handbook/b#0")], visible=ANYONE)
    assert [(stored.chunk.text, stored.shown_id) for stored in found.values()] == [("tea pot", "guide/a.md:0")]
    narrowed = await near(store, row(1, 0), filters=Filters(paths=("guide/**",)))
    assert ids(narrowed) == [TEA]


async def test_without_the_vector_engine_words_answer(store: Store, points: Gate) -> None:
    points.shut()
    assert await both(store) == {"bm25": [TEA], "dense": ["STORE_UNAVAILABLE"]}
    assert list(await store.chunks([ChunkId(TEA)], visible=ANYONE)) == [TEA]


@pytest.mark.parametrize("way", ["shut", "hold"])
async def test_without_both_there_is_an_error_within_the_deadline(store: Store, text: Gate, points: Gate, way: str) -> None:
    for gate in (text, points):
        getattr(gate, way)()
    with anyio.fail_after(DEADLINE + 5):
        assert await both(store) == {"bm25": ["STORE_UNAVAILABLE"], "dense": ["STORE_UNAVAILABLE"]}
        with pytest.raises(StoreUnavailable):
            await store.chunks([ChunkId(TEA)], visible=ANYONE)


async def test_an_engine_that_comes_back_answers_again(store: Store, text: Gate) -> None:
    text.shut()
    await both(store)
    text.reopen()
    for _ in range(200):
        if (await both(store))["bm25"] == [TEA]:
            return
        await anyio.sleep(0.1)
    pytest.fail("it did not answer again")


@pytest.mark.parametrize("status", [401, 403, 429, 500, 503])
async def test_an_engine_that_refuses_counts_as_away_and_no_secret_is_told(
    store: Store, text: Gate, points: Gate, status: int
) -> None:
    text.answer(status, b'{"error": {"reason": "ApiKey s3cret is not good"}}')
    points.answer(status, b'{"status": {"error": "no"}}')
    for leg in (find(store, "tea"), near(store, row(1, 0))):
        with pytest.raises(StoreUnavailable) as caught:
            await leg
        assert "s3cret" not in caught.value.message


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"took": 1}', b'{"responses": []}', b'{"result": 7}'])
async def test_an_answer_that_is_not_the_engines_counts_as_none(store: Store, text: Gate, points: Gate, body: bytes) -> None:
    text.answer(200, body)
    points.answer(200, body)
    for leg in (find(store, "tea"), near(store, row(1, 0))):
        with pytest.raises((StoreUnavailable, ConfigurationError)):
            await leg


async def test_states_are_remembered_while_the_text_engine_is_away(store: Store, text: Gate) -> None:
    known = await store.states()
    text.shut()
    assert [state.name for state in known] == ["handbook"]
    assert await store.states() == known


async def test_a_writer_is_told_that_an_engine_is_away_and_what_it_broke_off_is_finished_later(
    store: Store, points: Gate
) -> None:
    async with store.writing():
        await store.apply([sample("e", "first")])
        points.shut()
        with pytest.raises(StoreUnavailable):
            await store.apply([sample("guide/a.md", "cup")])
    assert ids(await find(store, "cup")) == [TEA]
    assert ids(await find(store, "tea")) == []
    points.reopen()
    await anyio.sleep(1.1)
    assert ids(await near(store, row(1, 0))) == ["handbook/c.md#0"]
    await store.apply([sample("d", "new")])
    await embed(store, {"cup": row(1, 0), "new": row(0, 1), "first": row(0, 1)})
    assert ids(await near(store, row(1, 0), limit=1)) == [TEA]
    assert await store.pending(MODEL, 9) == []
