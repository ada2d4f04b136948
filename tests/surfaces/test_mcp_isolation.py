"""What a caller may not read leaves no trace in anything a tool returns."""

from __future__ import annotations

from typing import Any

import pytest
from agents import connect, text_of
from assembly import build_knowledge, corpus
from stdio_server import READER

from citewell.core.access import user_principal
from citewell.service import KnowledgeService

pytestmark = pytest.mark.anyio

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search", {"query": "When is the merger planned?"}),
    ("search", {"query": "spring merger timeout", "k": 50}),
    ("ask", {"question": "When is the merger planned?"}),
    ("fetch", {"id": "private/board.md"}),
    ("fetch", {"id": "private/board.md:0"}),
    ("list_sources", {}),
]


@pytest.mark.parametrize(("tool", "arguments"), CALLS)
async def test_a_hidden_document_might_as_well_not_exist(
    knowledge: KnowledgeService, tool: str, arguments: dict[str, Any]
) -> None:
    readable = [written for written in corpus() if not written.document.acl.isdisjoint(READER.tokens)]
    without = await build_knowledge(readable)
    async with connect(knowledge) as over_all, connect(without) as over_readable:
        assert await over_all.call_tool(tool, arguments) == await over_readable.call_tool(tool, arguments)


async def test_a_member_of_the_right_group_reads_it(knowledge: KnowledgeService) -> None:
    director = user_principal("eve", frozenset({"board"}), via="test", scopes=frozenset({"read"}))
    async with connect(knowledge, principal=director) as client:
        assert "spring" in text_of(await client.call_tool("search", {"query": "merger"}))
        assert "spring" in text_of(await client.call_tool("fetch", {"id": "private/board.md"}))


async def test_a_principal_without_the_right_to_read_is_forbidden_everything(knowledge: KnowledgeService) -> None:
    nobody = user_principal("bob", frozenset({"everyone"}), via="test", scopes=frozenset())
    async with connect(knowledge, principal=nobody) as client:
        for tool, arguments in CALLS:
            assert text_of(await client.call_tool(tool, arguments)).startswith("FORBIDDEN: ")
