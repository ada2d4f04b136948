"""A changed rule acts at the next query, without a source being read or a text embedded again."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest
from house import BOARD, GUIDE, PAYROLL, POLICY, REDACTOR, STAFF, House

from citewell.adapters.stores import database
from citewell.adapters.stores.embedded import open_store
from citewell.core.access import AccessPolicy, AccessRule
from citewell.core.errors import DocumentNotFound, StoreBusy, StoreError
from citewell.core.ports import PinAccess, Snapshot, SourceState
from citewell.core.requests import ReadRequest, SearchRequest
from citewell.ingest.indexing import Recipe
from citewell.ingest.sync import sync_source
from citewell.service import following
from citewell.testing.memory_source import MemorySource

pytestmark = pytest.mark.anyio

CLOSED = AccessPolicy(rules=(AccessRule(paths="**", groups=("board",)),))
FILES = {"guide.md": GUIDE, "board/payroll.md": PAYROLL}


class Unread(MemorySource):
    def snapshot(self) -> Snapshot:
        raise AssertionError("the source was listed")


def two_services(folder: Path, later: AccessPolicy) -> tuple[House, House]:
    """Return two services over one folder, which take each other for other processes; the second has ``later`` rules."""
    first = House(MemorySource("handbook", FILES), store=open_store(str(folder)))  # type: ignore[arg-type]
    return first, House(Unread("handbook", {}), store=open_store(str(folder)), policy=later)  # type: ignore[arg-type]


async def seen(house: House) -> list[str]:
    result = await house.service.search(STAFF, SearchRequest(query="default timeout"))
    return sorted({hit.stored.info.path for hit in result.hits})


async def test_a_changed_rule_acts_at_the_next_query_and_embeds_nothing() -> None:
    house = House(MemorySource("handbook", FILES))
    await house.sync()
    before = len(house.embedder.passages)
    house.source = Unread("handbook", {})
    service = house.service
    for policy, paths in ((POLICY, ["guide.md"]), (CLOSED, []), (POLICY, ["guide.md"])):
        house.policy = policy
        result = await service.search(STAFF, SearchRequest(query="default timeout"))
        assert sorted({hit.stored.info.path for hit in result.hits}) == paths
    assert len(house.embedder.passages) == before


async def test_a_service_that_starts_under_other_rules_follows_them_first(tmp_path: Path) -> None:
    house = House(MemorySource("handbook", FILES), store=open_store(str(tmp_path)))  # type: ignore[arg-type]
    await house.sync()
    await house.service.close()
    later = House(Unread("handbook", {}), store=open_store(str(tmp_path)), policy=CLOSED)  # type: ignore[arg-type]
    assert await seen(later) == []
    (state,) = await later.store.states()
    assert state.access == CLOSED.stamp
    await later.service.close()


async def test_while_another_process_keeps_the_store_nothing_is_told_under_the_old_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "TRIES", 2)
    monkeypatch.setattr(following, "PAUSE_SECONDS", 0.01)
    writer, reader = two_services(tmp_path, CLOSED)
    async with writer.store.writing():
        await writer.sync()
        with pytest.raises(StoreBusy, match="access rules have changed"):
            await seen(reader)
    assert await seen(reader) == []


async def test_whoever_followed_changed_rules_lets_other_processes_write(tmp_path: Path) -> None:
    writer, reader = two_services(tmp_path, CLOSED)
    await writer.sync()
    assert await seen(reader) == []
    writer.source = MemorySource("handbook", {**FILES, "new.md": GUIDE})
    writer.policy = CLOSED
    assert (await writer.sync()).complete


async def test_rules_that_another_process_had_read_before_they_changed_open_nothing(tmp_path: Path) -> None:
    late, server = two_services(tmp_path, CLOSED)
    await late.sync()
    assert await seen(server) == []
    await late.sync()
    assert (await late.store.states())[0].access == POLICY.stamp
    assert await seen(server) == []


async def test_rules_that_change_during_a_sync_hold_when_it_ends() -> None:
    class Slow(MemorySource):
        def read(self, files):  # type: ignore[no-untyped-def]
            house.policy = CLOSED
            return super().read(files)

    house = House(Slow("handbook", FILES))
    await house.sync()
    assert await seen(house) == []
    (state,) = await house.store.states()
    assert state.access == CLOSED.stamp


async def test_rules_that_change_while_passages_are_embedded_hold_before_the_next_ones_are() -> None:
    house = House(MemorySource("handbook", FILES))
    stamps: list[str] = []
    real = house.embedder.embed

    async def embed(texts, role):  # type: ignore[no-untyped-def]
        stamps.append((await house.store.states())[0].access)
        house.policy = CLOSED
        return await real(texts, role)

    house.embedder.embed = embed  # type: ignore[method-assign]
    house.source = MemorySource("handbook", {f"{n}.md": GUIDE + b"\n%d\n" % n for n in range(40)})
    await house.sync()
    assert stamps[:2] == [POLICY.stamp, CLOSED.stamp]


async def test_rules_that_change_during_the_sync_of_one_source_hold_for_the_others() -> None:
    house = House(MemorySource("handbook", FILES))
    await house.sync()

    class Slow(MemorySource):
        def read(self, files):  # type: ignore[no-untyped-def]
            house.policy = CLOSED
            return super().read(files)

    recipe = Recipe(
        source="wiki", collection="docs", chunker="auto", ids="path", policy=lambda: house.policy, redactor=REDACTOR
    )
    await sync_source(Slow("wiki", FILES), recipe, house.store, lambda progress: None)
    assert [(state.name, state.access) for state in await house.store.states()] == [
        ("handbook", CLOSED.stamp),
        ("wiki", CLOSED.stamp),
    ]


async def test_a_document_with_readers_of_its_own_keeps_them() -> None:
    house = House(MemorySource("handbook", FILES))
    await house.sync()
    await house.store.apply([PinAccess(source="handbook", path="guide.md", acl=frozenset({"user:ada"}))])
    house.policy = CLOSED
    assert await seen(house) == ["guide.md"]
    await house.sync()
    assert await seen(house) == ["guide.md"]


async def test_a_document_that_is_closed_between_ranking_and_reading_is_not_shown() -> None:
    house = House(MemorySource("handbook", FILES))
    await house.sync()
    real = house.store.chunks

    async def close_first(ids, *, visible):  # type: ignore[no-untyped-def]
        await house.store.apply([PinAccess(source="handbook", path="guide.md", acl=frozenset())])
        return await real(ids, visible=visible)

    house.store.chunks = close_first  # type: ignore[method-assign]
    assert await seen(house) == []


async def test_a_hidden_file_that_fails_makes_no_source_stale_for_others() -> None:
    house = House(MemorySource("handbook", dict(FILES)))
    await house.sync()
    house.source = MemorySource("handbook", {**FILES, "board/payroll.md": b"\xff\xfe\xff broken \xc3\x28" * 9})
    report = await house.sync()
    assert [entry.outcome for entry in report.sources[0].entries] == ["failed", "unchanged"]
    (mine,), (theirs,) = await house.service.sources(STAFF), await house.service.sources(BOARD)
    assert (mine.stale, theirs.stale) == (False, True)


async def test_under_stems_neither_reader_can_tell_of_a_file_that_is_not_his(tmp_path: Path) -> None:
    open_file, closed_file = b"# Spring\n\nThe tulips are out.\n", b"# Spring\n\nThe merger is planned.\n"
    told = []
    for files in ({"a/chun.md": open_file, "board/chun.md": closed_file}, {"a/chun.md": open_file}):
        house = House(MemorySource("handbook", files), store=open_store(str(tmp_path / str(len(files)))), ids="stem")  # type: ignore[arg-type]
        report = await house.sync()
        assert {entry.outcome for entry in report.sources[0].entries} == {"indexed"}
        service = house.service
        told.append(
            [await service.read(STAFF, ReadRequest(id="chun")), await service.search(STAFF, SearchRequest(query="spring"))]
        )
        if len(files) == 2:
            assert "tulips" in (await service.read(BOARD, ReadRequest(id="chun"))).text
            closed_only = await service.search(BOARD, SearchRequest(query="merger"))
            assert closed_only.hits[0].stored.info.path == "board/chun.md"
        await service.close()
    assert told[0] == told[1]


async def test_two_stems_among_the_same_readers_are_one_too_many() -> None:
    house = House(MemorySource("handbook", {"a/chun.md": GUIDE, "b/chun.md": GUIDE}), ids="stem")
    report = await house.sync()
    assert [(entry.path, entry.reason) for entry in report.sources[0].entries] == [
        ("a/chun.md", ""),
        ("b/chun.md", "duplicate_id"),
    ]


async def test_a_query_waits_for_the_rules_only_once() -> None:
    house = House(MemorySource("handbook", FILES))
    await house.sync()
    service = house.service
    house.policy = CLOSED
    async with anyio.create_task_group() as tasks:
        for _ in range(5):
            tasks.start_soon(service.search, STAFF, SearchRequest(query="timeout"))
    with pytest.raises(DocumentNotFound):
        await service.read(STAFF, ReadRequest(id="guide.md"))


async def test_a_sync_looks_the_same_whether_a_hidden_file_has_changed_or_none() -> None:
    told = []
    for payroll in (PAYROLL, PAYROLL + b"\nMore.\n"):
        house = House(MemorySource("handbook", FILES))
        await house.sync()
        house.source = MemorySource("handbook", {**FILES, "board/payroll.md": payroll})
        seen_meanwhile: list[list[tuple[bool, int, int]]] = []
        real = house.store.set_state

        async def set_state(state: SourceState, house: House = house, real=real, seen=seen_meanwhile) -> None:  # type: ignore[no-untyped-def]
            await real(state)
            counts = await house.store.sources(visible=STAFF.tokens)
            seen.append([(count.state.complete, count.documents, count.outdated) for count in counts])

        house.store.set_state = set_state  # type: ignore[method-assign]
        await house.sync()
        told.append(seen_meanwhile)
    assert told[0] == told[1]
    assert told[0] == [[(False, 1, 0)], [(True, 1, 0)]]


@pytest.mark.parametrize(("rules", "answers"), [(POLICY.rules, ["guide.md"]), (CLOSED.rules, None)])
async def test_an_index_that_nobody_may_write_is_served_while_its_acls_are_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rules: tuple[AccessRule, ...], answers: list[str] | None
) -> None:
    house = House(MemorySource("handbook", FILES), store=open_store(str(tmp_path)))  # type: ignore[arg-type]
    await house.sync()
    await house.service.close()
    monkeypatch.setattr(database, "_may_write", lambda path: False)
    policy = AccessPolicy(rules=(*rules, AccessRule(paths="nowhere/**", groups=())), default=POLICY.default)
    reader = House(Unread("handbook", {}), store=open_store(str(tmp_path)), policy=policy)  # type: ignore[arg-type]
    for _ in range(2):
        if answers is None:
            with pytest.raises(StoreError):
                await seen(reader)
        else:
            assert await seen(reader) == answers
    await reader.service.close()
