"""The command line: every command with its arguments and options, and the exit statuses."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

from typer.main import get_command

from citewell.cli.app import app
from citewell.cli.exits import EXIT_STATUSES
from reference.tables import code, codes, page, prose, table, value

WORDS = {int: "NUMBER", str: "TEXT"}


def cli_page() -> str:
    """Return the page of the command line."""
    root: Any = get_command(app)
    return page(
        "Command line",
        prose(root.help),
        "## citewell",
        "These options stand before the command.",
        _options(root),
        *(block for name, command in _commands(root) for block in _command(name, command)),
        "## Exit statuses",
        table(("status", "meaning"), ((code(str(status)), meaning) for status, meaning in EXIT_STATUSES.items())),
    )


def _commands(group: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every command under its whole name; a group is named by its commands."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(command, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}", command


def _command(name: str, command: Any) -> Iterator[str]:
    arguments = [parameter for parameter in command.params if parameter.param_type_name == "argument"]
    usage = " ".join(["citewell", name, "[OPTIONS]", *map(_usage, arguments)])
    yield f"## citewell {name}"
    yield prose(command.help)
    yield f"```text\n{usage}\n```"
    if arguments:
        yield table(("argument", "default", "meaning"), ((code(a.metavar), _default(a), prose(a.help)) for a in arguments))
    yield _options(command)


def _usage(argument: Any) -> str:
    words = argument.metavar + ("..." if argument.nargs == -1 else "")
    return words if argument.required else f"[{words}]"


def _options(command: Any) -> str:
    annotations = inspect.signature(command.callback, eval_str=True).parameters
    rows = [
        (codes(option.opts), _takes(option, annotations[option.name].annotation), _default(option), _meaning(option))
        for option in command.params
        if option.param_type_name == "option"
    ]
    help_row = (codes(("-h", "--help")), "", "", "Show the help.")
    return table(("option", "value", "default", "meaning"), [*rows, help_row])


def _takes(option: Any, annotation: Any) -> str:
    """Return what is written after the option: nothing, a choice, or a placeholder."""
    if option.is_flag:
        return ""
    if option.metavar:
        return code(option.metavar)
    plain = _plain(annotation)
    return codes(get_args(plain)) if get_origin(plain) is Literal else code(WORDS[plain])


def _plain(annotation: Any) -> Any:
    """Return the type itself, without what Annotated adds and without None."""
    if hasattr(annotation, "__metadata__"):
        return _plain(annotation.__origin__)
    kinds = [kind for kind in get_args(annotation) if kind is not type(None)]
    return _plain(kinds[0]) if type(None) in get_args(annotation) else annotation


def _default(parameter: Any) -> str:
    absent = parameter.default is None or getattr(parameter, "is_flag", False)
    return "" if absent else value(parameter.default if isinstance(parameter.default, int) else str(parameter.default))


def _meaning(option: Any) -> str:
    return prose(option.help) + (" May be given several times." if option.multiple else "")
