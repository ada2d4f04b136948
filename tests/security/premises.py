"""An installation with one document for the group ``board``, and people of every kind who come to it."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from citewell import wiring
from citewell.config import Config, load_config
from citewell.core.access import Principal
from citewell.core.errors import DocumentNotFound, Forbidden, Unauthenticated
from citewell.core.ports import AccessToken
from citewell.core.tokens import digest, new_token

MARK = "zqkestrel"
HIDDEN = "board/plan.md"
CONFIGURATION = """\
store: embedded:./store
embedder: "hash:"
collections: {docs: {}, minutes: {}}
sources:
  - {name: guide, from: "folder:./guide", collection: docs}
  - {name: minutes, from: "folder:./minutes", collection: minutes}
access:
  default: [everyone]
  rules: [{paths: "board/**", groups: [board]}]
  users: {ada: [everyone], bo: [board], robot: [board], root: [everyone], gone: [board], late: [board], local: LOCAL}
auth: {anonymous: true}
"""
PEOPLE = ("anonymous", "ada", "bo", "gone", "late", "robot", "root")
"""The anonymous, one of another group, one of the group, a revoked token, an expired one, a service, an administrator."""


def found(installation: Path, *, local: str = "everyone") -> Config:
    """Write the installation into the folder ``installation``, index it, and return its configuration."""
    for name, text in {
        "guide/open/guide.md": "# Guide\n\nThe default timeout is five seconds.\n",
        f"minutes/{HIDDEN}": f"# Plan\n\nThe merger is planned for spring, and its name is {MARK}.\n",
    }.items():
        (installation / name).parent.mkdir(parents=True, exist_ok=True)
        (installation / name).write_text(text, encoding="utf-8")
    return configure(installation, local=local)


def configure(installation: Path, *, local: str) -> Config:
    """Give the local user the group ``local``."""
    file = installation / "citewell.yaml"
    file.write_text(CONFIGURATION.replace("LOCAL", f"[{local}]"), encoding="utf-8")
    return load_config(file)


def local_user(config: Config) -> Principal:
    return wiring.local_principal(config, "cli")


def issue_tokens(config: Config) -> dict[str, str]:
    """Return a token for everybody but the anonymous; that of ``gone`` is revoked, that of ``late`` has expired."""
    store, now = wiring.build_token_store(config), int(time.time())
    issued: dict[str, str] = {}
    for user in PEOPLE[1:]:
        identity, issued[user] = new_token()
        token = AccessToken(
            id=identity,
            digest=digest(issued[user]),
            user=user,
            kind="service" if user == "robot" else "user",
            scopes=("read", "write", "admin") if user == "root" else ("read",),
            created=now - 100,
            expires=now - 1 if user == "late" else None,
        )
        store.add(token)
        if user == "gone":
            store.revoke(frozenset({identity}), now)
    return issued


async def principal(config: Config, user: str, tokens: dict[str, str]) -> Principal:
    """Return whom the installation takes ``user`` for. Raises Unauthenticated."""
    policy = wiring.build_policy(config)
    if user == "anonymous":
        return policy().anonymous(via="test")
    return await wiring.build_authenticator(config, policy).authenticate(tokens[user], via="test")


async def outcome(call: Callable[[], Awaitable[Any]]) -> str:
    """Say in a word how ``call`` ended: with something of the hidden document, without it, or refused."""
    try:
        return told(str(await call()))
    except DocumentNotFound:
        return "absent"
    except Forbidden:
        return "forbidden"
    except Unauthenticated:
        return "401"


def told(text: str) -> str:
    """Say in a word what ``text`` gives away."""
    return "ok" if MARK in text or "minutes" in text else "empty"


@asynccontextmanager
async def opened(desk: Any) -> AsyncIterator[Any]:
    """The service ``desk``, closed afterwards."""
    try:
        yield desk
    finally:
        await desk.close()
