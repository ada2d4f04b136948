"""What an agent reads of the tools before it calls one."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from agents import ERAS, Era, connect
from jsonschema import Draft202012Validator
from stdio_server import INFO

from citewell.core.tools import Tool
from citewell.service import KnowledgeService
from citewell.surfaces.mcp.declarations import default_tools
from citewell.surfaces.mcp.instructions import write_instructions

pytestmark = pytest.mark.anyio

SNAPSHOT = Path(__file__).with_name("snapshots") / "tools_list.json"
UPDATE = "UPDATE_SNAPSHOTS"


async def listing(knowledge: KnowledgeService, era: Era = "auto") -> list[dict[str, Any]]:
    async with connect(knowledge, era=era) as client:
        tools = (await client.list_tools()).tools
    return [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]


@pytest.mark.parametrize("era", ERAS)
async def test_the_list_of_tools_is_as_reviewed(knowledge: KnowledgeService, era: Era) -> None:
    tools = await listing(knowledge, era)
    if UPDATE in os.environ:
        SNAPSHOT.write_text(json.dumps(tools, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    assert tools == json.loads(SNAPSHOT.read_text(encoding="utf-8")), f"review it, then run pytest with {UPDATE}=1 set"


async def test_the_list_of_tools_is_the_same_every_time(knowledge: KnowledgeService) -> None:
    assert json.dumps(await listing(knowledge)) == json.dumps(await listing(knowledge))


async def test_what_an_agent_reads_before_its_first_call_is_short(knowledge: KnowledgeService) -> None:
    tools = await listing(knowledge)
    shown = [{key: tool[key] for key in ("name", "description", "inputSchema")} for tool in tools]
    assert len(json.dumps(shown, separators=(",", ":"))) <= 4_000
    assert len(json.dumps(tools, separators=(",", ":"))) <= 7_600
    assert len(write_instructions(default_tools(), INFO.collections)) <= 1_500


async def test_every_tool_only_reads_and_may_be_repeated(knowledge: KnowledgeService) -> None:
    for tool in await listing(knowledge):
        assert tool["annotations"] == {
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        }


async def test_every_parameter_is_described_and_no_other_is_admitted(knowledge: KnowledgeService) -> None:
    for tool in await listing(knowledge):
        schema = tool["inputSchema"]
        Draft202012Validator.check_schema(schema)
        assert schema["additionalProperties"] is False
        assert all(parameter["description"] for parameter in schema["properties"].values())


async def test_every_tool_describes_its_result(knowledge: KnowledgeService) -> None:
    for tool in await listing(knowledge):
        Draft202012Validator.check_schema(tool["outputSchema"])
        assert tool["outputSchema"]["required"]


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_is_given_the_instructions(knowledge: KnowledgeService, era: Era) -> None:
    async with connect(knowledge, era=era) as client:
        assert client.instructions == write_instructions(default_tools(), INFO.collections)
        assert client.server_info.name == "citewell"


def test_the_instructions_name_every_tool_and_the_collections() -> None:
    instructions = write_instructions(default_tools(), ("docs", "code"))
    assert all(f"`{tool.name}`" in instructions for tool in default_tools())
    assert "Collections: docs, code." in instructions


def test_the_instructions_name_only_tools_that_exist() -> None:
    finder = Tool(name="find", kind="search", description="Find passages.", collections=("docs",))
    instructions = write_instructions([finder], ())
    assert "`find` (docs)" in instructions
    assert "ask" not in instructions.split()
    assert instructions.count("call `") == 1
