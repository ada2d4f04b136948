"""Every command there is, run by the user of this machine with and without a document's group.

Whoever sits at the machine runs it: every command works for him, but no question shows him what his groups may not read.
"""

from __future__ import annotations

import io
import logging
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import anyio
import pytest
import typer
from household import Household, furnish

from citewell.cli.app import app, run

OPEN_SERVER = ["--host", "0.0.0.0"]
COMMANDS = {
    #           arguments                              in its group  in another
    "init": (["{elsewhere}", "--force"], "             ok            ok"),
    "sync": ([], "                                     ok            ok"),
    "index": ([], "                                    ok            ok"),
    "search": (["zephyr"], "                           ok            hidden"),
    "ask": (["When is the zephyr merger?"], "          ok            hidden"),
    "read": (["plan.md"], "                            ok            hidden"),
    "sources": ([], "                                  ok            hidden"),
    "mcp": ([], "                                      ok            ok"),
    "serve": (OPEN_SERVER, "                           refused       refused"),
    "config": ([], "                                   ok            ok"),
    "doctor": ([], "                                   ok            ok"),
    "version": ([], "                                  ok            ok"),
    "redact": (["{page}"], "                           ok            ok"),
    "access explain": (["ada", "plan.md"], "           ok            ok"),
    "access who": (["plan.md"], "                      ok            ok"),
    "access set": (["spare.md", "--nobody"], "         ok            ok"),
    "access reset": (["spare.md"], "                   ok            ok"),
    "audit verify": ([], "                             ok            ok"),
    "audit who": (["plan.md"], "                       ok            ok"),
    "audit show": (["local"], "                        ok            ok"),
    "audit erase": (["nobody"], "                      ok            ok"),
    "token create": (["--user", "eve"], "              ok            ok"),
    "token list": ([], "                               ok            ok"),
    "token revoke": (["--user", "spare"], "            ok            ok"),
    "verify acl": ([], "                               ok            ok"),
}
STATUSES = {0: "ok", 66: "hidden", 77: "denied", 78: "refused"}
WITHOUT_CONFIGURATION = {"init", "version"}
QUESTIONS = {"search", "ask", "sources"}


@pytest.fixture(scope="module")
def household(tmp_path_factory: pytest.TempPathFactory) -> Household:
    return anyio.run(furnish, tmp_path_factory.mktemp("household"))


@pytest.fixture(autouse=True)
def _own_log() -> Iterator[None]:
    root, ours = logging.getLogger(), logging.getLogger("citewell")
    before = list(root.handlers), root.level, ours.level
    yield
    root.handlers = before[0]
    root.setLevel(before[1])
    ours.setLevel(before[2])


def commands(group: Any, *names: str) -> Iterator[str]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, *names, name)
        else:
            yield " ".join((*names, name))


def test_every_command_is_in_the_table() -> None:
    assert set(commands(typer.main.get_command(app))) == COMMANDS.keys()


def in_group(household: Household, group: str) -> Path:
    """Return a configuration file beside the other, where the local user is in ``group``."""
    file = household.file.with_name(f"{group}.yaml")
    file.write_text(household.file.read_text().replace("local: [board]", f"local: [{group}]"))
    return file


def ended(command: str, arguments: list[str]) -> str:
    """Return how the command ended; the one that talks to an agent is run as an agent runs it."""
    if command == "mcp":
        line = [sys.executable, "-m", "citewell", "mcp", *arguments]
        return STATUSES[subprocess.run(line, stdin=subprocess.DEVNULL, check=False, timeout=60).returncode]
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        status = STATUSES[run([*command.split(), *arguments])]
    shown = any(word in out.getvalue() for word in ("plan.md", "handbook"))
    return "hidden" if status == "ok" and command in QUESTIONS and not shown else status


@pytest.mark.parametrize("group", ["board", "staff"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_does_for_the_user_of_this_machine_what_the_table_says(
    household: Household, tmp_path: Path, command: str, group: str
) -> None:
    arguments, row = COMMANDS[command]
    places = {"elsewhere": str(tmp_path), "page": str(household.file.parent / "docs" / "plan.md")}
    given = [argument.format(**places) for argument in arguments]
    settings = [] if command in WITHOUT_CONFIGURATION else ["--config", str(in_group(household, group))]
    expected = dict(zip(("board", "staff"), row.split(), strict=True))
    assert ended(command, [*given, *settings]) == expected[group]
