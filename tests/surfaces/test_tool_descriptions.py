"""The descriptions of the tools, judged by the linter of the tool definition quality score."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

SERVER = Path(__file__).with_name("stdio_server.py")


def test_the_linter_finds_nothing_to_say_about_any_tool() -> None:
    command = shlex.join([sys.executable, str(SERVER)])
    done = subprocess.run(
        [sys.executable, "-m", "tdqs", "lint", "--command", command, "--format", "json"],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    report = json.loads(done.stdout)
    assert len(report["tools"]) == 4
    assert not report["findings"]
    assert not any(tool["findings"] for tool in report["tools"])
