"""The commands of the command line by their whole names: ``sync``, ``access explain``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from typer.main import get_command

from citewell.cli.app import app


def flattened(group: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from flattened(command, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}", command


COMMANDS: dict[str, Any] = dict(flattened(get_command(app)))


def split(words: Sequence[str]) -> tuple[str, list[str]]:
    """Return the name of the command that ``words`` begin with, and the rest; the first word where there is none."""
    for length in (2, 1):
        name = " ".join(words[:length])
        if name in COMMANDS:
            return name, list(words[length:])
    return words[0], list(words[1:])
