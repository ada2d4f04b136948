"""Two files whose documents would have one id: what is closed takes nothing away from what is open."""

from __future__ import annotations

import pytest
from house import BOARD, STAFF, House

from citewell.core.access import AccessPolicy, AccessRule
from citewell.core.requests import ReadRequest
from citewell.testing.memory_source import MemorySource

pytestmark = pytest.mark.anyio

OPEN = AccessPolicy(default=("everyone",))
CLOSED = AccessPolicy(rules=(AccessRule(paths="a/**", groups=("board",)),), default=("everyone",))
FILES = {"a/plan.md": b"# Plan\n\nThe first.\n", "b/plan.md": b"# Plan\n\nThe second.\n"}


async def test_a_hidden_document_leaves_its_id_to_those_who_may_not_read_it() -> None:
    house = House(MemorySource("handbook", dict(FILES)), policy=CLOSED, ids="stem")
    await house.sync()
    assert "first" in (await house.service.read(BOARD, ReadRequest(id="plan"))).text
    assert "second" in (await house.service.read(STAFF, ReadRequest(id="plan"))).text


async def test_a_file_whose_id_was_taken_comes_in_at_the_sync_after_the_other_was_closed() -> None:
    house = House(MemorySource("handbook", dict(FILES)), policy=OPEN, ids="stem")
    await house.sync()
    assert "first" in (await house.service.read(STAFF, ReadRequest(id="plan"))).text
    house.policy = CLOSED
    await house.sync()
    assert "second" in (await house.service.read(STAFF, ReadRequest(id="plan"))).text
