"""The tools of every example, as agents are told of them: reviewed, and nothing for the linter to say."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from test_mcp_listing import UPDATE

from citewell.config import load_config
from citewell.surfaces.mcp.declarations import declared_tools
from citewell.surfaces.mcp.instructions import write_instructions
from citewell.surfaces.mcp.toolbox import Toolbox

SNAPSHOTS = Path(__file__).with_name("snapshots")
EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*/citewell.yaml"))


def name_of(config: Path) -> str:
    return config.parent.name


def told(path: Path) -> dict[str, Any]:
    """What a client is told by the server of the configuration at ``path``."""
    config = load_config(path)
    tools = declared_tools(config.declared_tools())
    listed = Toolbox(tools, tuple(config.collections)).listing()
    return {
        "instructions": write_instructions(tools, tuple(config.collections)).splitlines(),
        "tools": [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed],
    }


@pytest.mark.parametrize("config", EXAMPLES, ids=name_of)
def test_the_tools_of_an_example_are_as_reviewed(config: Path) -> None:
    snapshot = SNAPSHOTS / f"{name_of(config)}.json"
    shown = told(config)
    if UPDATE in os.environ:
        snapshot.write_text(json.dumps(shown, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    assert shown == json.loads(snapshot.read_text(encoding="utf-8")), f"review it, then run pytest with {UPDATE}=1 set"


@pytest.mark.parametrize("config", EXAMPLES, ids=name_of)
def test_what_an_agent_reads_of_an_example_is_short(config: Path) -> None:
    shown = told(config)
    assert len("\n".join(shown["instructions"])) <= 2_000
    assert len(json.dumps(shown["tools"], separators=(",", ":"))) <= 12_000
    assert all(len(tool["description"]) <= 1_000 for tool in shown["tools"])


@pytest.mark.parametrize("config", EXAMPLES, ids=name_of)
def test_the_linter_finds_nothing_to_say_about_the_tools_of_an_example(config: Path) -> None:
    command = shlex.join([sys.executable, "-m", "citewell", "mcp", "--config", str(config)])
    done = subprocess.run(
        [sys.executable, "-m", "tdqs", "lint", "--command", command, "--format", "json"],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert len(report["tools"]) == len(told(config)["tools"])
    assert not report["findings"]
    assert not any(tool["findings"] for tool in report["tools"])
