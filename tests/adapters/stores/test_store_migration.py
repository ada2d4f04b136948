"""A store that an earlier citewell wrote goes on working, with everything in it and nothing embedded again."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from citewell.adapters.stores import database
from citewell.adapters.stores.embedded import EmbeddedStore
from citewell.adapters.stores.schema import APPLICATION_ID, MIGRATIONS
from citewell.core.errors import StoreError
from citewell.core.ports import PinAccess, SetAccess, SourceState
from citewell.core.requests import NO_FILTERS, Filters
from citewell.testing.store_samples import ANYONE, MODEL, count_words, embed, find, ids, near, row, sample

pytestmark = pytest.mark.anyio

STAFF = frozenset({"group:staff"})
RELEASES = Filters(fields=(("doc_type", ("release",)),))
STATE = SourceState(name="handbook", collection="docs", commit="c0ffee", synced_at="2026-01-01T00:00:00+00:00")


def reopen(folder: Path) -> EmbeddedStore:
    return EmbeddedStore(folder, analyze=count_words, version="words")


async def everything(store: EmbeddedStore) -> list[Any]:
    """Return what a reader sees."""
    return [
        await find(store, "tea pot"),
        await find(store, "tea pot cup", filters=RELEASES),
        await find(store, "tea pot", filters=Filters(versions=("1.10",))),
        await store.documents(visible=ANYONE, filters=RELEASES, offset=0, limit=10),
        await store.documents(visible=ANYONE, filters=NO_FILTERS, offset=0, limit=10),
        await near(store, row(1, 0)),
        await store.document("a", visible=ANYONE),
        await store.outline("a", visible=ANYONE),
        await store.sources(visible=ANYONE),
        await store.ledger("handbook"),
        await store.states(),
        await store.pending(MODEL, 10),
    ]


async def fill(folder: Path) -> list[Any]:
    store = reopen(folder)
    releases = [{"version": "1.10"}, {"version": "1.1", "doc_type": "release"}]
    await store.apply([sample("a", "tea", "pot", own=releases), sample("b", "tea lid", acl=["group:staff"])])
    await store.apply([sample("c", "cup", metadata={"doc_type": "release"})])
    await embed(store, {"tea": row(1, 0), "pot": row(0, 1), "tea lid": row(0.5, 0.25)})
    await store.set_state(STATE)
    seen = await everything(store)
    await store.close()
    return seen


def to_version(folder: Path, earlier: int) -> None:
    """Write the rows of the store into the tables that the ``earlier`` version had."""
    file, old = folder / "citewell.db", folder / "old.db"
    with closing(sqlite3.connect(old, isolation_level=None)) as connection:
        connection.executescript(";".join(MIGRATIONS[:earlier]))
        connection.execute("ATTACH ? AS now", (str(file),))
        names = "SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        for table in [*(name for (name,) in connection.execute(names)), "sqlite_sequence"]:
            columns = ", ".join(f'"{column[1]}"' for column in connection.execute(f"PRAGMA main.table_info({table})"))
            connection.execute(f"DELETE FROM main.{table}")
            connection.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM now.{table}")
        for source, text in connection.execute("SELECT source, state FROM main.states").fetchall():
            state = {name: value for name, value in json.loads(text).items() if name != "access"}
            connection.execute("UPDATE main.states SET state = ? WHERE source = ?", (json.dumps(state), source))
        connection.execute("DELETE FROM main.facts WHERE name = 'fields'")
        connection.execute(f"PRAGMA main.application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA main.user_version = {earlier}")
    old.replace(file)


def version(folder: Path) -> tuple[int, int]:
    """Return the version of the store, and how many columns its documents have."""
    with closing(sqlite3.connect(folder / "citewell.db")) as connection:
        (number,) = connection.execute("PRAGMA user_version").fetchone()
        return number, len(connection.execute("PRAGMA table_info(documents)").fetchall())


@pytest.mark.parametrize(("earlier", "fewer_columns"), [(1, 2), (2, 1)])
async def test_everything_in_a_store_of_an_earlier_version_is_still_there(
    tmp_path: Path, earlier: int, fewer_columns: int
) -> None:
    seen = await fill(tmp_path)
    now = version(tmp_path)
    to_version(tmp_path, earlier)
    assert version(tmp_path) == (earlier, now[1] - fewer_columns)
    for _ in range(2):
        store = reopen(tmp_path)
        assert await everything(store) == seen
        await store.close()
    assert version(tmp_path) == now


async def test_its_documents_follow_the_rules_until_they_have_readers_of_their_own(tmp_path: Path) -> None:
    await fill(tmp_path)
    to_version(tmp_path, 1)
    store = reopen(tmp_path)
    assert {recorded.pinned for recorded in (await store.ledger("handbook")).values()} == {False}
    assert [state.access for state in await store.states()] == [""]
    await store.apply([SetAccess(source="handbook", path="a", acl=STAFF)])
    assert ids(await find(store, "tea")) == []
    await store.apply([PinAccess(source="handbook", path="a", acl=ANYONE), SetAccess(source="handbook", path="a", acl=STAFF)])
    assert ids(await find(store, "tea")) == ["handbook/a#0"]
    await store.close()


async def test_one_that_may_not_be_written_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await fill(tmp_path)
    to_version(tmp_path, 1)
    monkeypatch.setattr(database, "_may_write", lambda path: False)
    with pytest.raises(StoreError, match="Open it once where it may be written"):
        reopen(tmp_path)
    monkeypatch.undo()
    await reopen(tmp_path).close()
