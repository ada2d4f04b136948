"""A real installation with a secret, and everybody who may try to get at it: real tokens, real rules, a real audit."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from citewell.config import Config, load_config
from citewell.core.access import Principal, user_principal
from citewell.core.citations import Verification
from citewell.core.errors import DocumentReadOnly, Forbidden, NotFound, Unauthenticated
from citewell.core.requests import Answer, DocumentList, SearchResult, SyncRequest
from citewell.service.auditing import Auditor
from citewell.service.tokens import TokenService
from citewell.surfaces.auth.callers import Callers
from citewell.wiring import (
    build_audit,
    build_authenticator,
    build_policy,
    build_redactor,
    build_service,
    build_token_store,
    build_tokens,
)

CONFIGURATION = """\
store: embedded:./.citewell
embedder: "hash:"
collections: {docs: {}}
sources:
  - {name: handbook, from: "folder:./docs", collection: docs, editable: true}
auth: {anonymous: true}
access:
  default: [board]
  users: {ada: [staff], bo: [board], robot: [board], root: [staff], local: [board]}
"""
ROOT = user_principal("root", frozenset(), via="test", scopes=frozenset({"read", "write", "admin"}))


@dataclass(frozen=True)
class Household:
    """The installation at ``file``. ``credentials`` holds what each kind of caller shows; the anonymous one shows nothing."""

    file: Path
    credentials: dict[str, str]

    @cached_property
    def config(self) -> Config:
        return load_config(self.file)

    async def principal(self, caller: str) -> Principal:
        """Return who ``caller`` turns out to be. Raises Unauthenticated."""
        policy = build_policy(self.config)
        if caller == "anonymous":
            return policy().anonymous(via="test")
        return await build_authenticator(self.config, policy).authenticate(self.credentials[caller], via="test")

    def callers(self) -> Callers:
        """Return the gate of the server as the configuration asks for it."""
        policy = build_policy(self.config)
        authenticator = build_authenticator(self.config, policy)
        return Callers(authenticator=authenticator, unnamed=lambda: policy().anonymous(via="mcp-http"))

    def header(self, caller: str) -> list[tuple[str, str]]:
        """Return the headers by which ``caller`` shows who he is."""
        return [] if caller == "anonymous" else [("Authorization", f"Bearer {self.credentials[caller]}")]


async def furnish(folder: Path) -> Household:
    """Write and index the documents, and make every kind of token; the bad ones are of somebody who may read."""
    (folder / "docs").mkdir()
    (folder / "docs" / "plan.md").write_text("# Plan\n\nThe zephyr merger is planned for the third of May.\n")
    (folder / "docs" / "spare.md").write_text("# Spare\n\nThe zephyr bonus is paid in March.\n")
    for passing in ("draft.md", "sketch.md"):
        (folder / "docs" / passing).write_text("# Draft\n\nA zephyr that will be deleted.\n")
    file = folder / "citewell.yaml"
    file.write_text(CONFIGURATION)
    config = load_config(file)
    knowledge = build_service(config)
    await knowledge.sync(ROOT, SyncRequest(), lambda _: None)
    await knowledge.close()
    return Household(file, await _credentials(config))


async def _credentials(config: Config) -> dict[str, str]:
    tokens = build_tokens(config)
    past = TokenService(build_token_store(config), Auditor(build_audit(config), build_redactor(config)), lambda: 0.0)
    try:
        bad, revoked = await tokens.create(ROOT, "bo")
        await tokens.revoke(ROOT, token=bad.id)
        await tokens.create(ROOT, "spare")
        return {
            "other group": (await tokens.create(ROOT, "ada"))[1],
            "same group": (await tokens.create(ROOT, "bo"))[1],
            "revoked": revoked,
            "expired": (await past.create(ROOT, "bo", days=1))[1],
            "service": (await tokens.create(ROOT, "robot", kind="service", scopes=("read", "write")))[1],
            "admin": (await tokens.create(ROOT, "root", scopes=("read", "write", "admin")))[1],
        }
    finally:
        await tokens.close()
        await past.close()


async def outcome(call: Awaitable[Any]) -> str:
    """Return what became of ``call``: ``ok``, ``hidden``, ``denied``, ``refused``, or ``closed`` to everybody's writing."""
    try:
        result = await call
    except Unauthenticated:
        return "refused"
    except Forbidden:
        return "denied"
    except NotFound:
        return "hidden"
    except DocumentReadOnly:
        return "closed"
    match result:
        case SearchResult(hits=()) | Answer(citations=()) | DocumentList(items=()) | Verification(ok=False) | ():
            return "hidden"
        case _:
            return "ok"
