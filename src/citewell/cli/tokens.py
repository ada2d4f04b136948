"""The commands for access tokens: ``token create|list|revoke``."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from citewell.cli.options import AsJson, Assignments, ConfigPath
from citewell.cli.session import open_config, with_desk
from citewell.cli.streams import emit_json, note, one_line, out
from citewell.core.access import Scope
from citewell.core.errors import InvalidRequest

if TYPE_CHECKING:
    from citewell.core.ports import AccessToken

token = typer.Typer(help="Access tokens for callers over HTTP.", no_args_is_help=True)

Scopes = Annotated[
    list[str] | None,
    typer.Option("--scope", metavar="SCOPE", help="read, write or admin; may be repeated. Else read.", show_default=False),
]
_LIFE = re.compile(r"(\d{1,5})([hd])")


@token.command()
def create(
    user: Annotated[str, typer.Option("--user", metavar="NAME", help="Whose token it is: his groups count at each call.")],
    scope: Scopes = None,
    service: Annotated[bool, typer.Option("--service", help="The user is a program.")] = False,
    expires: Annotated[str, typer.Option(metavar="LIFE", help="12h, 30d, or never.")] = "90d",
    reason: Annotated[str, typer.Option("--note", help="What it is for.")] = "",
    as_json: AsJson = False,
    config_path: ConfigPath = None,
    assignments: Assignments = None,
) -> None:
    """Make a token and print it, this once; only its hash is kept."""
    from citewell.wiring import build_tokens

    days, scopes = _days(expires), _scopes(scope or ["read"])
    made, secret = with_desk(
        open_config(config_path, assignments),
        build_tokens,
        lambda desk, me: desk.create(me, user, scopes=scopes, kind="service" if service else "user", days=days, note=reason),
    )
    if as_json:
        emit_json({"token": secret, **_payload(made)})
        return
    out().print(secret, soft_wrap=True)
    note(f"{made.id}: {', '.join(made.scopes)} as {made.user}; {_expiry(made)}. It is not shown again.")


@token.command("list")
def list_tokens(as_json: AsJson = False, config_path: ConfigPath = None, assignments: Assignments = None) -> None:
    """List tokens: whose they are, what they may be used for, and whether they still open anything."""
    from rich.table import Table

    from citewell.wiring import build_tokens

    tokens = with_desk(open_config(config_path, assignments), build_tokens, lambda desk, me: desk.list(me))
    if as_json:
        emit_json({"tokens": [_payload(kept) for kept in tokens]})
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("id", "user", "kind", "scopes", "created", "expires", "state", "note"):
        table.add_column(heading, overflow="fold")
    for kept in tokens:
        payload = _payload(kept)
        cells = (kept.id, kept.user, kept.kind, ", ".join(kept.scopes), payload["created"], payload["expires"] or "never")
        table.add_row(*(one_line(cell) for cell in (*cells, payload["state"], kept.note)))
    out().print(table)


@token.command()
def revoke(
    identity: Annotated[str, typer.Argument(metavar="[ID]", help="The token's id, as `token list` shows it.")] = "",
    user: Annotated[str, typer.Option("--user", metavar="NAME", help="All tokens of this user.")] = "",
    as_json: AsJson = False,
    config_path: ConfigPath = None,
    assignments: Assignments = None,
) -> None:
    """Revoke a token, or all of a user. It acts at the next request."""
    from citewell.wiring import build_tokens

    if bool(identity) == bool(user):
        raise InvalidRequest("Name one token by its id, or all of a user with --user.")
    config = open_config(config_path, assignments)
    count = with_desk(config, build_tokens, lambda desk, me: desk.revoke(me, token=identity, user=user))
    if as_json:
        emit_json({"revoked": count})
    else:
        out().print(f"Revoked: {count}")


def _days(life: str) -> float | None:
    if life == "never":
        return None
    match = _LIFE.fullmatch(life)
    if match is None:
        raise InvalidRequest(f"--expires {life}: write 12h, 30d or never.")
    return int(match[1]) / (24 if match[2] == "h" else 1)


def _scopes(names: list[str]) -> list[Scope]:
    unknown = [name for name in names if name not in get_args(Scope)]
    if unknown:
        raise InvalidRequest(f"--scope {unknown[0]}: there are {', '.join(get_args(Scope))}.")
    return [scope for scope in get_args(Scope) if scope in names]


def _payload(kept: AccessToken) -> dict[str, Any]:
    now = datetime.now(UTC).timestamp()
    state = "good" if kept.is_good(now) else "revoked" if kept.revoked is not None else "expired"
    return {
        "id": kept.id,
        "user": kept.user,
        "kind": kept.kind,
        "scopes": list(kept.scopes),
        "created": _date(kept.created),
        "expires": None if kept.expires is None else _date(kept.expires),
        "state": state,
        "note": kept.note,
    }


def _expiry(kept: AccessToken) -> str:
    return "never expires" if kept.expires is None else f"expires {_date(kept.expires)}"


def _date(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")
