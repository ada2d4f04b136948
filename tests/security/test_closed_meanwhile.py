"""What changes between two steps of an answer, or goes wrong with a hidden file, gives nothing away."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from house import BOARD, GUIDE, PAYROLL, STAFF, House

from citewell.adapters.stores.embedded import open_store
from citewell.core.access import Tokens
from citewell.core.errors import DocumentNotFound
from citewell.core.model import ChunkId, StoredChunk
from citewell.core.ports import PinAccess
from citewell.core.requests import AskRequest, ReadRequest, SearchRequest
from citewell.testing.memory_source import MemorySource

pytestmark = pytest.mark.anyio

QUESTION = "What is the default timeout?"
FILES = {"guide.md": GUIDE, "board/payroll.md": PAYROLL}


class ClosingStore:
    """A store in which the guide is closed to everybody once it was ranked, before its text is read."""

    def __init__(self, store: Any) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def chunks(self, ids: Sequence[ChunkId], *, visible: Tokens) -> dict[ChunkId, StoredChunk]:
        assert ids
        await self._close()
        return await self._store.chunks(ids, visible=visible)

    async def outline(self, document_id: str, *, visible: Tokens) -> tuple[StoredChunk, ...]:
        found = await self._store.outline(document_id, visible=visible)
        await self._close()
        return found

    async def _close(self) -> None:
        await self._store.apply([PinAccess(source="handbook", path="guide.md", acl=frozenset())])


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    made = House(MemorySource("handbook", dict(FILES)), store=open_store(str(tmp_path / "store")))  # type: ignore[arg-type]
    await made.sync()
    assert (await made.service.search(STAFF, SearchRequest(query=QUESTION))).hits
    made.store = ClosingStore(made.store)  # type: ignore[assignment]
    yield made
    await made.store.close()


async def test_a_document_that_is_closed_after_it_was_ranked_is_not_shown_by_a_search(house: House) -> None:
    assert (await house.service.search(STAFF, SearchRequest(query=QUESTION))).hits == ()


async def test_a_document_that_is_closed_after_it_was_ranked_is_not_quoted(house: House) -> None:
    answer = await house.service.ask(STAFF, AskRequest(question=QUESTION))
    assert (answer.answerable, answer.text, answer.citations, answer.reason) == (False, "", (), "no_evidence")


async def test_a_document_that_is_closed_while_a_passage_of_it_is_looked_up_is_not_read(house: House) -> None:
    with pytest.raises(DocumentNotFound):
        await house.service.read(STAFF, ReadRequest(id="guide.md:0"))


async def test_a_hidden_file_that_cannot_be_decoded_changes_nothing_of_a_source_but_for_its_readers(house: House) -> None:
    (before,) = await house.service.sources(STAFF)
    house.source = MemorySource("handbook", {**FILES, "board/payroll.md": b"\xff\xfe\xff broken \xc3\x28" * 9})
    report = await house.sync()
    assert [entry.outcome for entry in report.sources[0].entries] == ["failed", "unchanged"]
    (mine,), (theirs,) = await house.service.sources(STAFF), await house.service.sources(BOARD)
    assert replace(mine, last_sync="") == replace(before, last_sync="")
    assert (mine.stale, theirs.stale) == (False, True)
