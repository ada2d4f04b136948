"""Every call of a tool is one event of the audit, whatever becomes of it; what never reaches the service is none."""

from __future__ import annotations

import pytest
from agents import ERAS, Era, connect
from assembly import build_knowledge

from citewell.testing.memory_audit import MemoryAudit

pytestmark = pytest.mark.anyio

CALLS = [
    ("search", {"query": "default timeout"}, ("search", "ok")),
    ("search", {"query": "  "}, ("search", "failed")),
    ("ask", {"question": "What is the default timeout of a request?"}, ("ask", "ok")),
    ("fetch", {"id": "docs/timeouts.md"}, ("read", "ok")),
    ("fetch", {"id": "private/board.md"}, ("read", "denied")),
    ("fetch", {"id": "docs/absent.md"}, ("read", "denied")),
    ("list_sources", {}, ("sources", "ok")),
]


@pytest.mark.parametrize("era", ERAS)
async def test_every_call_of_a_tool_is_one_event(era: Era) -> None:
    audit = MemoryAudit()
    async with connect(await build_knowledge(audit=audit), era=era) as client:
        await client.list_tools()
        for tool, arguments, _ in CALLS:
            await client.call_tool(tool, arguments)
    assert [(event.action, event.outcome) for event in audit.events] == [expected for _, _, expected in CALLS]


async def test_a_result_is_held_back_where_a_required_audit_cannot_take_it_down() -> None:
    async with connect(await build_knowledge(audit=MemoryAudit(broken=True))) as client:
        for tool, arguments, _ in CALLS:
            result = await client.call_tool(tool, arguments)
            assert result.is_error
            assert "AUDIT_FAILED" in repr(result)
