"""Several processes at one store, and processes that die."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import anyio
import pytest

from citewell.adapters.stores.embedded import EmbeddedStore
from citewell.core.errors import StoreBusy
from citewell.core.model import ChunkId
from citewell.core.ports import SetAccess, SourceState
from citewell.testing.store_samples import ANYONE, MODEL, count_words, embed, find, ids, near, row, sample

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(sys.platform == "win32", reason="signals and limits of POSIX")]

ROUNDS = int(os.environ.get("CITEWELL_TORTURE_ROUNDS", "10"))

PROLOGUE = """
import anyio, json, resource, sys
from pathlib import Path
from citewell.adapters.stores import embedded
from citewell.adapters.stores.embedded import EmbeddedStore
from citewell.core.errors import StoreFull
from citewell.testing.store_samples import MODEL, count_words, embed, find, row, sample

def say(text):
    print(text, flush=True)

def limit_files(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

def document(n):
    return sample(f"d{n % 40}", f"tea w{n}", f"pot w{n}", ids=[f"{n}a", f"{n}b"])

store = EmbeddedStore(Path(sys.argv[1]), analyze=count_words, version="words")
"""

WRITE_ONE = "anyio.run(store.apply, [document(1)]); say('written'); sys.stdin.readline(); anyio.run(store.close)"

WRITE_FOR_EVER = """
embedded.SAVE_AFTER = 7
async def main():
    n = int(sys.argv[2])
    while True:
        await store.apply([document(n)])
        say(n)
        if n % 3 == 0:
            await embed(store, {f"{word} w{n}": row(1, 2 + n % 5) for word in ("tea", "pot")})
        n += 1
anyio.run(main)
"""

WRITE_UNTIL_FULL = """
async def main():
    written = 0
    try:
        limit_files(600_000)
        while True:
            await store.apply([sample(f"d{written}", "tea " * 500 + str(written))])
            written += 1
    except StoreFull as error:
        found = await find(store, "tea", limit=100_000)
        say(json.dumps([written, len(found.hits), error.message]))
anyio.run(main)
"""

FULL_AT_CLOSE = """
embedded.SAVE_AT_CLOSE = 1
async def main():
    await store.apply([document(n) for n in range(40)])
    limit_files(1_000)
    await store.close()
    say("closed")
anyio.run(main)
"""


def open_store(folder: Path) -> EmbeddedStore:
    return EmbeddedStore(folder, analyze=count_words, version="words")


@contextmanager
def process(code: str, folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", PROLOGUE + code, str(folder), *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        try:
            yield child
        finally:
            child.kill()


def read_line(child: subprocess.Popen[str]) -> str:
    assert child.stdout is not None
    return child.stdout.readline().strip()


async def test_a_commit_of_another_process_is_seen_at_once(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    assert ids(await find(store, "tea")) == []
    with process(WRITE_ONE, tmp_path) as child:
        assert read_line(child) == "written"
        assert ids(await find(store, "tea")) == ["1a"]
    await store.close()


async def test_only_one_process_writes_and_the_others_go_on_reading(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    with process(WRITE_ONE, tmp_path) as child:
        assert read_line(child) == "written"
        with pytest.raises(StoreBusy):
            await store.apply([sample("mine", "tea")])
        with pytest.raises(StoreBusy):
            await store.set_state(SourceState(name="mine", collection="docs"))
        assert ids(await find(store, "tea")) == ["1a"]
        child.communicate("end\n")
    await store.apply([sample("mine", "tea", ids=["mine"])])
    assert sorted(ids(await find(store, "tea"))) == ["1a", "mine"]
    await store.close()


async def test_others_may_write_when_the_last_block_of_changes_ends(tmp_path: Path) -> None:
    one, other = open_store(tmp_path), open_store(tmp_path)
    async with one.writing():
        async with one.writing():
            await one.apply([sample("a", "tea", ids=["a"])])
        with pytest.raises(StoreBusy):
            await other.apply([sample("b", "tea", ids=["b"])])
    await other.apply([sample("b", "tea", ids=["b"])])
    await other.close()
    await one.apply([sample("c", "tea", ids=["c"])])
    assert ids(await find(one, "tea")) == ["a", "b", "c"]
    await one.close()


async def test_a_block_that_only_looks_keeps_nobody_from_writing(tmp_path: Path) -> None:
    one, other = open_store(tmp_path), open_store(tmp_path)
    async with one.writing():
        await one.ledger("handbook")
        await other.apply([sample("b", "tea", ids=["b"])])
    assert ids(await find(one, "tea")) == ["b"]
    await one.close()
    await other.close()


async def test_acls_that_change_together_change_at_once(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    await store.apply([sample(f"{n}", "tea") for n in range(300)])
    seen: set[int] = set()

    async def look() -> None:
        while not done.is_set():
            seen.add(len((await find(store, "tea", limit=500)).hits))

    done = anyio.Event()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(look)
        await anyio.sleep(0.02)
        await store.apply([SetAccess(source="handbook", path=f"{n}", acl=frozenset()) for n in range(300)])
        await anyio.sleep(0.02)
        done.set()
    assert seen <= {300, 0}
    assert (await find(store, "tea")).hits == ()
    await store.close()


async def test_a_store_is_whole_after_its_writer_was_killed(tmp_path: Path) -> None:
    chance = random.Random(11)
    reached = 0
    for _ in range(ROUNDS):
        with process(WRITE_FOR_EVER, tmp_path, str(reached)) as child:
            lines = [read_line(child) for _ in range(chance.randint(1, 40))]
            await anyio.sleep(chance.random() * 0.05)
            child.send_signal(signal.SIGKILL)
            lines += child.stdout.read().split() if child.stdout else []
        acknowledged = int(lines[-1])
        reached = await check_whole(tmp_path, acknowledged)
        assert reached in {acknowledged + 1, acknowledged + 2}


async def check_whole(folder: Path, acknowledged: int) -> int:
    """Check that what was acknowledged is there and every document is of one piece; return the next number to write."""
    with closing(sqlite3.connect(folder / "citewell.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    store = open_store(folder)
    ledger = await store.ledger("handbook")
    newest = 0
    for path in ledger:
        outline = await store.outline(path, visible=ANYONE)
        numbers = {int(stored.chunk.text.split("w")[1]) for stored in outline}
        assert len(numbers) == 1
        assert len(outline) == 2
        newest = max(newest, *numbers)
    assert sorted(ids(await find(store, "tea", limit=100))) == sorted(f"{n}a" for n in range(max(0, newest - 39), newest + 1))
    assert (await find(store, f"w{acknowledged}")).hits
    vectors = await near(store, row(1, 2), limit=100)
    assert set(ids(vectors)) <= {f"{n}{half}" for n in range(max(0, newest - 39), newest + 1) for half in "ab"}
    done, every = await store.progress(MODEL)
    assert (done < every) == vectors.pending
    await store.close()
    return newest + 1


async def test_a_full_disk_ends_in_an_error_and_keeps_what_was_committed(tmp_path: Path) -> None:
    with process(WRITE_UNTIL_FULL, tmp_path) as child:
        written, found, message = json.loads(read_line(child))
    assert written > 0
    assert found == written
    assert "no room left" in message
    store = open_store(tmp_path)
    assert len((await find(store, "tea", limit=100_000)).hits) == written
    await store.apply([sample("more", "tea")])
    assert len((await find(store, "tea", limit=100_000)).hits) == written + 1
    await store.close()


async def test_no_room_for_the_index_files_costs_nothing_but_time(tmp_path: Path) -> None:
    with process(FULL_AT_CLOSE, tmp_path) as child:
        assert read_line(child) == "closed"
    assert list((tmp_path / "index").iterdir()) == []
    store = open_store(tmp_path)
    assert len((await find(store, "tea", limit=100)).hits) == 40
    await store.close()


async def test_searches_run_beside_a_writer_and_see_whole_documents(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    await store.apply([sample("same", "tea one", "pot one", ids=["t", "p"])])
    await embed(store, {"tea one": row(1, 0), "pot one": row(1, 0)})

    async def read() -> None:
        for _ in range(40):
            found = await find(store, "tea pot", limit=5)
            assert ids(found) == ["p", "t"]
            assert len(await store.chunks([ChunkId("t"), ChunkId("p")], visible=ANYONE)) == 2
            await near(store, row(1, 0))

    async with anyio.create_task_group() as group:
        for _ in range(4):
            group.start_soon(read)
        for n in range(60):
            await store.apply([sample("same", f"tea {n}", f"pot {n}", ids=["t", "p"])])
    await store.close()
