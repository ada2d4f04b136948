"""What lies in the folder of a store: older, newer, foreign, damaged, missing, unwritable."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from citewell.adapters.stores import embedded, index, schema
from citewell.adapters.stores.embedded import EmbeddedStore, open_store
from citewell.adapters.stores.queue import drop_spare_vectors
from citewell.core.errors import StoreBusy, StoreCorrupt, StoreError
from citewell.core.model import Chunk, DocumentInfo
from citewell.core.ports import Candidates, Remove, SetAccess
from citewell.testing.store_samples import MODEL, count_words, find, ids, near, row, sample
from citewell.text.terms import TermVector

pytestmark = pytest.mark.anyio

WORDS = ("tea", "pot", "lid")


def reopen(folder: Path) -> EmbeddedStore:
    return EmbeddedStore(folder, analyze=count_words, version="words")


@pytest.fixture(autouse=True)
def _save_at_every_close(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "SAVE_AT_CLOSE", 1)


async def fill(store: EmbeddedStore) -> None:
    await store.apply([sample(f"{word}{n}", f"{word} " * (n + 1), ids=[f"{word}{n}"]) for word in WORDS for n in range(4)])
    waiting = await store.pending(MODEL, 100)
    await store.put_vectors(MODEL, {p.hash: row(len(p.text) / 32, p.text.count("t"), 1) for p in waiting})


async def ask(store: EmbeddedStore) -> tuple[Candidates, Candidates]:
    return await find(store, "tea pot"), await near(store, row(1, 0.5, 0))


async def kept(folder: Path) -> tuple[Candidates, Candidates]:
    """Make a store in ``folder`` with index files and close it; return what it answers."""
    store = reopen(folder)
    await fill(store)
    answers = await ask(store)
    await store.close()
    assert {path.name for path in (folder / "index").iterdir()} == {"documents.index", "vectors-1.index"}
    return answers


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-10])


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def flip_header(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[60] ^= 1
    path.write_bytes(data)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def fill_with_zeros(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


@pytest.mark.parametrize("damage", [cut, flip, flip_header, empty, fill_with_zeros, Path.unlink])
@pytest.mark.parametrize("name", ["documents.index", "vectors-1.index"])
async def test_a_damaged_index_file_is_made_anew(tmp_path: Path, name: str, damage: Callable[[Path], None]) -> None:
    answers = await kept(tmp_path)
    damage(tmp_path / "index" / name)
    store = reopen(tmp_path)
    assert await ask(store) == answers
    await store.close()
    fresh = (tmp_path / "index" / name).stat().st_size
    store = reopen(tmp_path)
    assert await ask(store) == answers
    await store.close()
    assert (tmp_path / "index" / name).stat().st_size == fresh > 0


async def test_an_emptied_store_can_be_kept_and_filled_again(tmp_path: Path) -> None:
    await kept(tmp_path)
    for _ in range(2):
        store = reopen(tmp_path)
        await store.drop_source("handbook")
        assert (await find(store, "tea")).hits == ()
        await store.close()
    store = reopen(tmp_path)
    await store.apply([sample("new", "tea", ids=["new"])])
    assert ids(await find(store, "tea")) == ["new"]
    await store.close()


async def test_index_files_of_another_store_are_not_believed(tmp_path: Path) -> None:
    await kept(tmp_path / "a")
    other = reopen(tmp_path / "b")
    await other.apply([sample("x", "tea")])
    answers = await find(other, "tea")
    await other.close()
    shutil.rmtree(tmp_path / "b" / "index")
    shutil.copytree(tmp_path / "a" / "index", tmp_path / "b" / "index")
    other = reopen(tmp_path / "b")
    assert await find(other, "tea") == answers
    await other.close()


async def test_changes_since_the_index_was_kept_are_read_from_the_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await kept(tmp_path)
    monkeypatch.setattr(embedded, "SAVE_AT_CLOSE", 1000)
    store = reopen(tmp_path)
    await store.apply([Remove(source="handbook", path="tea3"), SetAccess(source="handbook", path="tea2", acl=frozenset())])
    await store.apply([sample("new", "tea tea tea", ids=["new"])])
    await store.close()
    store = reopen(tmp_path)
    assert ids(await find(store, "tea")) == ["new", "tea1", "tea0"]
    await store.close()


async def test_a_process_that_missed_too_much_of_the_log_reads_everything_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "KEPT_LOG", 0)
    monkeypatch.setattr(embedded, "SAVE_AFTER", 1)
    reader, writer = reopen(tmp_path), reopen(tmp_path)
    await fill(writer)
    assert "tea0" in ids(await find(reader, "tea"))
    for name in ("tea0", "tea1"):
        await writer.apply([Remove(source="handbook", path=name), sample("new", "tea", ids=["new"])])
    assert ids(await find(reader, "tea")) == ids(await find(writer, "tea"))
    assert sorted(ids(await find(reader, "tea"))) == ["new", "tea2", "tea3"]
    await reader.close()
    await writer.close()


async def test_terms_of_another_analyzer_are_made_anew(tmp_path: Path) -> None:
    def backwards(chunk: Chunk, info: DocumentInfo) -> TermVector:
        return TermVector({word[::-1]: 1.0 for word in chunk.text.split()}, 1.0)

    await kept(tmp_path)
    store = EmbeddedStore(tmp_path, analyze=backwards, version="backwards")
    assert (await find(store, "tea")).hits == ()
    assert len((await find(store, "aet")).hits) == 4
    await store.close()


async def test_terms_stay_as_they_are_while_another_process_writes(tmp_path: Path) -> None:
    writer = reopen(tmp_path)
    await fill(writer)
    store = EmbeddedStore(tmp_path, analyze=count_words, version="later")
    assert len((await find(store, "tea")).hits) == 4
    with pytest.raises(StoreBusy):
        await store.apply([sample("x", "tea")])
    await store.close()
    await writer.close()


async def test_an_older_store_is_brought_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = await kept(tmp_path)
    script = "CREATE TABLE later (id INTEGER PRIMARY KEY); INSERT INTO later VALUES (7);"
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, script))
    for _ in range(2):
        store = reopen(tmp_path)
        assert await ask(store) == answers
        await store.close()
    with closing(sqlite3.connect(tmp_path / "citewell.db")) as connection:
        assert connection.execute("SELECT id FROM later").fetchall() == [(7,)]


@pytest.mark.parametrize(
    ("statement", "message"),
    [("PRAGMA user_version = 999", "later version"), ("PRAGMA application_id = 1", "not a citewell store")],
)
async def test_a_later_or_foreign_database_is_refused(tmp_path: Path, statement: str, message: str) -> None:
    await kept(tmp_path)
    with closing(sqlite3.connect(tmp_path / "citewell.db")) as connection:
        connection.execute(statement)
    with pytest.raises(StoreCorrupt, match=message):
        reopen(tmp_path)


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "citewell.db").write_bytes(b"my diary, not a database, " * 400)
    with pytest.raises(StoreCorrupt):
        reopen(tmp_path)
    assert (tmp_path / "citewell.db").read_bytes().startswith(b"my diary")


async def test_a_database_that_was_cut_off_is_reported(tmp_path: Path) -> None:
    await kept(tmp_path)
    os.truncate(tmp_path / "citewell.db", 100_000)
    with pytest.raises(StoreCorrupt):
        reopen(tmp_path)


def test_a_folder_that_is_a_file_is_an_error_of_the_store(tmp_path: Path) -> None:
    (tmp_path / "store").write_text("a file")
    with pytest.raises(StoreError):
        open_store(str(tmp_path / "store"))


@contextmanager
def as_nobody() -> Iterator[None]:
    """Give up the rights of root, to whom every folder is writable."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@contextmanager
def unwritable(folder: Path) -> Iterator[None]:
    """Let everybody read the store in ``folder``, and nobody write it."""
    paths = [folder, *folder.rglob("*")]
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        yield
    finally:
        for path in paths:
            path.chmod(0o755)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may look into, which ``tmp_path`` is not."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
async def test_a_folder_that_may_not_be_written_is_read(open_folder: Path) -> None:
    answers = await kept(open_folder)
    with unwritable(open_folder), as_nobody():
        store = reopen(open_folder)
        assert await ask(store) == answers
        with pytest.raises(StoreError):
            await store.apply([sample("x", "tea")])
        await store.close()


def files_with(folder: Path, words: bytes) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and words in path.read_bytes()]


async def test_a_deleted_text_is_not_left_in_the_files(tmp_path: Path) -> None:
    store = reopen(tmp_path)
    await fill(store)
    await store.apply([sample("secret", "rosebud " * 3000)])
    await store.apply([Remove(source="handbook", path="secret")])
    await store.close()
    assert files_with(tmp_path, b"rosebud") == []


async def test_spare_vectors_go_when_there_are_too_many(tmp_path: Path) -> None:
    store = reopen(tmp_path)
    await fill(store)
    await store.apply([Remove(source="handbook", path=f"tea{n}") for n in range(4)])
    with closing(sqlite3.connect(tmp_path / "citewell.db")) as connection:
        for bound, left in ((4, 12), (3, 8)):
            drop_spare_vectors(connection, bound)
            assert connection.execute("SELECT count(*) FROM vectors").fetchone() == (left,)
        connection.commit()
    assert await store.progress(MODEL) == (8, 8)
    assert sorted(ids(await near(store, row(1, 0.5, 0)))) == sorted(f"{word}{n}" for word in WORDS[1:] for n in range(4))
    await store.close()
