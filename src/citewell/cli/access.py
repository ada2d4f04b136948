"""The commands that show and change who may read what: ``access explain|who|set|reset``."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from citewell.cli.options import AsJson, Assignments, ConfigPath
from citewell.cli.session import open_config, with_desk
from citewell.cli.streams import emit_json, one_line, out
from citewell.core.errors import InvalidRequest

access = typer.Typer(help="Show and change who may read what.", no_args_is_help=True)

Document = Annotated[str, typer.Argument(metavar="DOC", help="A document's id, or its path in its source.")]
User = Annotated[str, typer.Argument(metavar="USER", help="A user; `anonymous` is whoever does not say who he is.")]
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
    as_json: AsJson = False,
    config_path: ConfigPath = None,
    assignments: Assignments = None,
) -> None:
    """Say whether a user may read a document, and why. With --group, as if he were vouched to be in these, too."""
    from citewell.wiring import build_access

    config = open_config(config_path, assignments)
    told = with_desk(config, build_access, lambda desk, who: desk.explain(who, user, document, tuple(group or ())))
    if as_json:
        emit_json(asdict(told))
        return
    console = out()
    verdict = "may read" if told.allowed else "may not read"
    console.print(f"{one_line(user)} {verdict} {one_line(told.path)}", style="green" if told.allowed else "red")
    console.print(f"  decided by  {_decision(told.decided_by)}", soft_wrap=True)
    console.print(f"  open to     {_names(told.acl) or 'nobody'}", soft_wrap=True)
    console.print(f"  in groups   {one_line(', '.join(told.groups)) or 'none'}", soft_wrap=True)
    if told.through:
        console.print(f"  opened by   {_names(told.through)}", soft_wrap=True)
    if not told.indexed:
        console.print("  no document of that id or path is indexed: this is what would hold", style="dim")


@access.command()
def who(document: Document, as_json: AsJson = False, config_path: ConfigPath = None, assignments: Assignments = None) -> None:
    """Say who may read a document."""
    from citewell.wiring import build_access

    told = with_desk(open_config(config_path, assignments), build_access, lambda desk, me: desk.who(me, document))
    if as_json:
        emit_json(asdict(told))
        return
    console = out()
    console.print(f"{one_line(told.path)} is open to {_names(told.acl) or 'nobody'}", soft_wrap=True)
    console.print(f"  decided by       {_decision(told.decided_by)}", soft_wrap=True)
    console.print(f"  named users      {one_line(', '.join(told.users)) or 'none'}", soft_wrap=True)
    console.print(f"  everybody else   {'yes' if told.everybody_else else 'no'}")
    console.print(f"  anonymous        {'yes' if told.public else 'no'}")
    if not told.indexed:
        console.print("  no document of that id or path is indexed: this is what would hold", style="dim")


@access.command("set")
def pin(
    document: Document,
    group: Groups = None,
    user: Users = None,
    nobody: Annotated[bool, typer.Option("--nobody", help="Close the document to everybody.")] = False,
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
    acl = with_desk(config, build_access, lambda desk, me: desk.pin(me, document, groups=groups, users=users))
    _show_acl(document, sorted(acl), as_json=as_json)


@access.command("reset")
def release(
    document: Document, as_json: AsJson = False, config_path: ConfigPath = None, assignments: Assignments = None
) -> None:
    """Let a document follow the rules again."""
    from citewell.wiring import build_access

    acl = with_desk(open_config(config_path, assignments), build_access, lambda desk, me: desk.release(me, document))
    _show_acl(document, sorted(acl), as_json=as_json)


def _show_acl(document: str, acl: list[str], *, as_json: bool) -> None:
    if as_json:
        emit_json({"document": document, "acl": acl})
    else:
        out().print(f"{one_line(document)} is open to {_names(tuple(acl)) or 'nobody'}", soft_wrap=True)


def _names(acl: tuple[str, ...]) -> str:
    return one_line(", ".join(acl))


def _decision(decided_by: str) -> str:
    known = {"pinned": "an ACL of its own (citewell access set)", "default": "access.default"}
    return known.get(decided_by) or f"the rule {one_line(decided_by)}"
