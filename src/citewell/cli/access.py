"""The commands that show and change who may read what: ``access explain|who|set|reset``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from citewell.cli.options import AsJson, Assignments, ConfigPath
from citewell.cli.session import open_config, with_desk
from citewell.cli.streams import emit_json, one_line, out
from citewell.core.errors import InvalidRequest

if TYPE_CHECKING:
    from citewell.service.access import Decision, Opening

access = typer.Typer(help="Show and change who may read what.", no_args_is_help=True)

Document = Annotated[str, typer.Argument(metavar="DOC", help="A document's id, or its path in its source.")]
User = Annotated[str, typer.Argument(metavar="USER", help="A user; `anonymous` is whoever does not say who he is.")]
Source = Annotated[
    str,
    typer.Option("--source", metavar="NAME", help="The source of the one meant, of several.", show_default=False),
]
Groups = Annotated[
    list[str] | None, typer.Option("--group", metavar="NAME", help="A group; may be repeated.", show_default=False)
]
Users = Annotated[
    list[str] | None, typer.Option("--user", metavar="NAME", help="A user; may be repeated.", show_default=False)
]


@access.command()
def explain(
    user: User,
    document: Document,
    group: Groups = None,
    source: Source = "",
    as_json: AsJson = False,
    config_path: ConfigPath = None,
    assignments: Assignments = None,
) -> None:
    """Say whether a user may read a document, and why. With --group, as if he were vouched to be in these, too."""
    from citewell.wiring import build_access

    config = open_config(config_path, assignments)
    claimed = tuple(group or ())
    told = with_desk(config, build_access, lambda desk, me: desk.explain(me, user, document, claimed=claimed, source=source))
    if as_json:
        emit_json(asdict(told))
        return
    verdict = "may read" if told.allowed else "may not read"
    out().print(f"{one_line(user)} {verdict} {one_line(told.path)}", style="green" if told.allowed else "red")
    _show_facts(
        told.source,
        {
            "decided by": _decided(told.decision),
            "open to": _names(told.acl, "nobody"),
            "in groups": _names(told.groups, "none"),
            "opened by": ", ".join(_opened(opening) for opening in told.through) or "nothing",
        },
    )


@access.command()
def who(
    document: Document,
    source: Source = "",
    as_json: AsJson = False,
    config_path: ConfigPath = None,
    assignments: Assignments = None,
) -> None:
    """Say who may read a document."""
    from citewell.wiring import build_access

    config = open_config(config_path, assignments)
    told = with_desk(config, build_access, lambda desk, me: desk.who(me, document, source=source))
    if as_json:
        emit_json(asdict(told))
        return
    out().print(f"{one_line(told.path)} is open to {_names(told.acl, 'nobody')}", soft_wrap=True)
    _show_facts(
        told.source,
        {
            "decided by": _decided(told.decision),
            "named users": _names(told.users, "none"),
            "everybody else": "yes" if told.everybody_else else "no",
            "anonymous": "yes" if told.anonymous else "no",
        },
    )


@access.command("set")
def pin(
    document: Document,
    group: Groups = None,
    user: Users = None,
    nobody: Annotated[bool, typer.Option("--nobody", help="Close the document to everybody.")] = False,
    source: Source = "",
    as_json: AsJson = False,
    config_path: ConfigPath = None,
    assignments: Assignments = None,
) -> None:
    """Give a document readers of its own, whatever the rules say. It acts at the next query."""
    from citewell.wiring import build_access

    groups, users = tuple(group or ()), tuple(user or ())
    if nobody == bool(groups or users):
        raise InvalidRequest("Say who may read it with --group or --user, or that --nobody may.")
    config = open_config(config_path, assignments)
    acl = with_desk(config, build_access, lambda desk, me: desk.pin(me, document, groups=groups, users=users, source=source))
    _show_acl(document, sorted(acl), as_json=as_json)


@access.command("reset")
def release(
    document: Document,
    source: Source = "",
    as_json: AsJson = False,
    config_path: ConfigPath = None,
    assignments: Assignments = None,
) -> None:
    """Let a document follow the rules again."""
    from citewell.wiring import build_access

    config = open_config(config_path, assignments)
    acl = with_desk(config, build_access, lambda desk, me: desk.release(me, document, source=source))
    _show_acl(document, sorted(acl), as_json=as_json)


def _show_acl(document: str, acl: list[str], *, as_json: bool) -> None:
    if as_json:
        emit_json({"document": document, "acl": acl})
    else:
        out().print(f"{one_line(document)} is open to {_names(acl, 'nobody')}", soft_wrap=True)


def _show_facts(source: str, facts: Mapping[str, str]) -> None:
    console = out()
    width = max(map(len, facts))
    for name, text in facts.items():
        console.print(f"  {name:{width}}  {text}", soft_wrap=True)
    if not source:
        console.print("  No document of that id or path is indexed: this is what would hold.", style="dim", soft_wrap=True)


def _names(names: Sequence[str], none: str) -> str:
    return one_line(", ".join(names)) or none


def _opened(opening: Opening) -> str:
    if len(opening.chain) < 2:
        return one_line(opening.token)
    return one_line(f"{opening.token} ({' is part of '.join(opening.chain)})")


def _decided(decision: Decision) -> str:
    known = {
        "pinned": "readers of its own (citewell access set)",
        "default": "access.default",
        "disguised": "the rule of its real path, which only a sync knows",
    }
    return known.get(decision.by) or f"rule {decision.number}: {one_line(decision.glob)}"
