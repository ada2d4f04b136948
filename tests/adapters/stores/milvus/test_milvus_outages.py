"""Milvus away, slow, or refusing; and a writer that is killed between any two steps."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator, Iterator

import anyio
import grpc
import pytest

pytest.importorskip("pymilvus")

from grpc_gate import GrpcGate, grpc_gated

from citewell.core.errors import StoreError, StoreUnavailable
from citewell.core.model import ChunkId
from citewell.core.ports import Store, StoreSetup
from citewell.registry import open_store
from citewell.testing.store_samples import ANYONE, MODEL, embed, find, ids, near, row, sample

pytestmark = pytest.mark.anyio

TEA = "handbook/a#0"
DEADLINE = 1.0


async def two() -> int:
    return 2


@pytest.fixture
def gate(milvus: str) -> Iterator[GrpcGate]:
    with grpc_gated(milvus) as gate:
        yield gate


def opened(address: str, prefix: str, timeout: float = 30) -> Store:
    setup = StoreSetup(secrets={"MILVUS_TOKEN": "ann:s3cret"}, dimension=two)
    return open_store(f"milvus:{address}?prefix={prefix}&timeout={timeout}", setup)


@pytest.fixture
async def store(gate: GrpcGate, milvus: str, prefix: str) -> AsyncIterator[Store]:
    """Lend a store with a document and a hidden one, which has answered once through the gate."""
    filled = opened(milvus, prefix)
    await filled.apply([sample("a", "tea pot"), sample("b", "tea", acl=["group:staff"])])
    await embed(filled, {"tea pot": row(1, 0), "tea": row(1, 0)})
    await filled.close()
    store = opened(gate.address, prefix, DEADLINE)
    assert ids(await find(store, "tea")) == [TEA]
    yield store
    gate.heal()
    await store.close()


async def codes(store: Store) -> set[str]:
    """Ask in every way and return the codes of the failures; the answers as they are."""
    found: set[str] = set()

    async def ask(question: object) -> None:
        try:
            found.add(str(await question))  # type: ignore[misc]
        except StoreError as error:
            found.add(error.code)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ask, find(store, "tea"))
        tasks.start_soon(ask, near(store, row(1, 0)))
        tasks.start_soon(ask, store.chunks([ChunkId(TEA)], visible=ANYONE))
        tasks.start_soon(ask, store.document("a", visible=ANYONE))
        tasks.start_soon(ask, store.states())
    return found


async def test_an_engine_that_is_gone_is_an_error_and_one_that_comes_back_answers_again(store: Store, gate: GrpcGate) -> None:
    gate.shut()
    with anyio.fail_after(DEADLINE + 20):
        assert await codes(store) == {"STORE_UNAVAILABLE"}
    gate.reopen()
    for _ in range(200):
        try:
            assert ids(await find(store, "tea")) == [TEA]
            return
        except StoreUnavailable:
            await anyio.sleep(0.1)
    pytest.fail("it did not answer again")


async def test_an_engine_that_does_not_answer_is_an_error_within_the_deadline(store: Store, gate: GrpcGate) -> None:
    gate.hold()
    with anyio.fail_after(DEADLINE + 20):
        assert await codes(store) == {"STORE_UNAVAILABLE"}


async def test_a_store_is_opened_while_its_engine_is_away_and_says_so_when_asked(prefix: str) -> None:
    store = opened("http://127.0.0.1:9", prefix, 0.3)
    with anyio.fail_after(20):
        assert await codes(store) == {"STORE_UNAVAILABLE"}
    await store.close()


@pytest.mark.parametrize("status", [grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED])
async def test_credentials_that_are_not_admitted_are_told_of_and_not_shown(
    store: Store, gate: GrpcGate, status: grpc.StatusCode
) -> None:
    gate.refuse(status)
    with pytest.raises(StoreUnavailable, match="MILVUS_TOKEN") as caught:
        await find(store, "tea")
    assert "s3cret" not in caught.value.message


async def test_the_token_goes_with_every_question(store: Store, gate: GrpcGate) -> None:
    assert {base64.b64decode(token) for token in gate.tokens} == {b"ann:s3cret"}


async def test_a_collection_is_loaded_once(gate: GrpcGate, prefix: str) -> None:
    store = opened(gate.address, prefix)
    async with store.writing():
        await store.apply([sample("a", "tea")])
        await embed(store, {"tea": row(1, 0)})
        gate.calls.clear()
        for word in ("lid", "cup"):
            await store.apply([sample(word, word)])
            await store.states()
            assert ids(await find(store, word)) == [f"handbook/{word}#0"]
    assert "LoadCollection" not in gate.calls
    await store.close()


async def test_a_writer_killed_between_any_two_steps_leaves_the_old_version_or_the_new_one(
    gate: GrpcGate, milvus: str, prefix: str
) -> None:
    store, reader = opened(gate.address, prefix), opened(milvus, prefix)
    await store.apply([sample("a", "old")])
    await embed(store, {"old": row(1, 0)})
    old, outcomes = "old", []
    for step in range(99):
        new = f"new{step}"
        gate.die_after(step)
        try:
            await store.apply([sample("a", new, "second")])
        except StoreError:
            gate.heal()
        else:
            break
        text = (await reader.document("a", visible=ANYONE)).text
        current = new if text == f"{new}\nsecond" else old
        outcomes.append(current == new)
        assert ids(await find(reader, current)) == [TEA]
        assert ids(await find(reader, old if current == new else new)) == []
        assert (await reader.outline("a", visible=ANYONE))[0].chunk.text == current
        await store.apply([sample("other", f"other{step}")])
        await store.apply([sample("a", old)])
        assert [passage.text for passage in await store.pending(MODEL, 99)] == [f"other{step}"]
        assert TEA in ids(await near(reader, row(1, 0)))
        assert rows_of(milvus, prefix) == 2
    gate.heal()
    assert outcomes == sorted(outcomes)
    assert {*outcomes} == {False, True}
    await store.close()
    await reader.close()


def rows_of(milvus: str, prefix: str) -> int:
    """Count the chunks that are kept, live or not."""
    from pymilvus import MilvusClient

    client = MilvusClient(uri=milvus)
    rows = client.query(f"{prefix}docs", filter='id != ""', output_fields=["id"], limit=1000)
    client.close()
    return len(rows)
