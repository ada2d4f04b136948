from __future__ import annotations

import pytest
from house import BOARD, GUIDE, STAFF, House

from citewell.core.access import AccessPolicy
from citewell.core.errors import BadLimit, Forbidden
from citewell.core.requests import Progress, SearchRequest, SyncRequest

pytestmark = pytest.mark.anyio


async def found(house: House, query: str) -> list[str]:
    result = await house.service.search(STAFF, SearchRequest(query=query, mode="bm25"))
    return [hit.stored.info.path for hit in result.hits]


async def test_every_file_is_accounted_for(house: House) -> None:
    house.source.files |= {"logo.png": b"\x89PNG\r\n\x1a\n\x00", "gone.md": b"# Gone\n\nSoon.\n", "blank.md": b" \n"}
    house.source.failing["gone.md"] = "unreadable"
    report = await house.sync()
    outcomes = {entry.path: (entry.outcome, entry.reason) for entry in report.sources[0].entries}
    assert outcomes == {
        "guide.md": ("indexed", ""),
        "board/payroll.md": ("indexed", ""),
        "logo.png": ("skipped", "binary"),
        "gone.md": ("failed", "unreadable"),
        "blank.md": ("skipped", "empty"),
    }
    assert not report.complete


async def test_a_second_sync_reads_and_embeds_nothing(house: House) -> None:
    await house.sync()
    house.source.reads.clear()
    house.embedder.passages.clear()
    report = await house.sync()
    assert {entry.outcome for entry in report.sources[0].entries} == {"unchanged"}
    assert not house.source.reads
    assert not house.embedder.passages
    assert report.complete


async def test_a_rename_costs_no_embedding(house: House) -> None:
    await house.sync()
    house.embedder.passages.clear()
    house.source.files["moved/manual.md"] = house.source.files.pop("guide.md")
    report = await house.sync()
    assert report.sources[0].removed == 1
    assert not house.embedder.passages
    assert await found(house, "HTTP_PROXY") == ["moved/manual.md"]
    assert not (await house.service.search(STAFF, SearchRequest(query="timeout"))).degraded


async def test_a_deleted_file_disappears_at_once(house: House) -> None:
    await house.sync()
    del house.source.files["guide.md"]
    await house.sync(embed=False)
    assert await found(house, "HTTP_PROXY") == []


async def test_text_is_found_before_its_vectors_are_there(house: House) -> None:
    report = await house.sync(embed=False)
    assert report.pending > 0
    result = await house.service.search(STAFF, SearchRequest(query="HTTP_PROXY", mode="hybrid"))
    assert [hit.stored.info.path for hit in result.hits] == ["guide.md"]
    assert result.degraded == ("dense_pending",)


async def test_a_broken_model_leaves_the_text_searchable_and_the_queue_full(house: House) -> None:
    house.embedder.broken = True
    report = await house.sync()
    assert report.embedding_error == "EMBEDDING_FAILED"
    assert not report.complete
    assert await found(house, "HTTP_PROXY") == ["guide.md"]
    house.embedder.broken = False
    assert (await house.sync()).pending == 0


async def test_a_file_that_cannot_be_read_any_more_keeps_its_last_text_and_marks_the_source_stale(house: House) -> None:
    await house.sync()
    house.source.files["guide.md"] = GUIDE + b"\nMore.\n"
    house.source.failing["guide.md"] = "unreadable"
    report = await house.sync()
    assert not report.complete
    assert await found(house, "HTTP_PROXY") == ["guide.md"]
    assert (await house.service.sources(STAFF))[0].stale


async def test_a_source_that_is_no_longer_configured_is_forgotten(house: House) -> None:
    await house.sync()
    other = House(type(house.source)("other", {"a.md": b"# A\n\nAlpha.\n"}), store=house.store)
    await other.sync()
    assert [info.name for info in await other.service.sources(STAFF)] == ["other"]
    assert await found(other, "HTTP_PROXY") == []


@pytest.mark.parametrize("reachable", [True, False])
async def test_an_acl_that_changed_acts_at_once_and_embeds_nothing(house: House, reachable: bool) -> None:
    await house.sync()
    house.embedder.passages.clear()
    house.source.failing["guide.md"] = "unreadable"
    house.policy = AccessPolicy(default=("board",))
    if not reachable:
        house.unreachable = True
    await house.sync()
    assert await found(house, "HTTP_PROXY") == []
    assert not house.embedder.passages


async def test_a_reader_may_not_sync(house: House) -> None:
    with pytest.raises(Forbidden):
        await house.sync(BOARD)


async def test_an_unknown_source_is_named_with_the_known_ones(house: House) -> None:
    with pytest.raises(BadLimit, match="handbook"):
        await house.service.sync(STAFF, SyncRequest(sources=("nope",)), lambda progress: None)


async def test_progress_ends_where_the_work_does(house: House) -> None:
    seen: list[Progress] = []
    await house.service.sync(STAFF, SyncRequest(), seen.append)
    last = {progress.stage: (progress.done, progress.total) for progress in seen}
    assert last["indexing"] == (2, 2)
    assert last["embedding"][0] == last["embedding"][1] == len(house.embedder.passages)
