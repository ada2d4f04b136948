"""Who may read the audit, and that reading it stands in it, too."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from house import REDACTOR

from citewell.adapters.audit.archive import LogArchive
from citewell.adapters.audit.log_folder import LogFolder
from citewell.core.access import Principal, Scope, user_principal
from citewell.core.errors import AuditFailed, Forbidden
from citewell.service.audit import AuditService
from citewell.service.auditing import Auditor
from citewell.testing.auditlog_suite import event
from citewell.testing.memory_audit import MemoryAudit

pytestmark = pytest.mark.anyio

KEY = b"k" * 32
CALLS: dict[str, Callable[[AuditService, Principal], Awaitable[Any]]] = {
    "audit_verify": lambda desk, me: desk.check(me),
    "audit_who": lambda desk, me: desk.sightings(me, "guide.md"),
    "audit_show": lambda desk, me: desk.events(me, "ada"),
    "audit_erase": lambda desk, me: desk.erase(me, "ada"),
}


def somebody(*scopes: Scope) -> Principal:
    return user_principal("root", frozenset(), via="test", scopes=frozenset(scopes))


async def open_desk(folder: Path, audit: MemoryAudit) -> AuditService:
    log = LogFolder(folder / "audit", KEY, folder / "anchors", required=True)
    await log.record(event(query="timeout", shown=("guide.md:0",)))
    return AuditService(LogArchive(folder / "audit", KEY, folder / "anchors", log), Auditor(audit, REDACTOR))


@pytest.mark.parametrize("action", CALLS)
async def test_the_audit_is_for_administrators(tmp_path: Path, action: str) -> None:
    audit = MemoryAudit()
    desk = await open_desk(tmp_path, audit)
    with pytest.raises(Forbidden):
        await CALLS[action](desk, somebody("read", "write"))
    assert [(seen.action, seen.who, seen.outcome) for seen in audit.events] == [(action, "root", "denied")]
    assert await desk.erase(somebody("admin"), "ada") == 1


@pytest.mark.parametrize("action", CALLS)
async def test_that_somebody_read_the_audit_stands_in_it(tmp_path: Path, action: str) -> None:
    audit = MemoryAudit()
    await CALLS[action](await open_desk(tmp_path, audit), somebody("admin"))
    assert [(seen.action, seen.who, seen.outcome) for seen in audit.events] == [(action, "root", "ok")]


async def test_the_audit_says_who_saw_what_and_what_somebody_did(tmp_path: Path) -> None:
    desk = await open_desk(tmp_path, MemoryAudit())
    (sighting,) = await desk.sightings(somebody("admin"), "guide.md")
    (seen,) = await desk.events(somebody("admin"), "ada")
    assert (sighting.who, sighting.times, sighting.first) == ("ada", 1, seen["time"])
    assert (seen["action"], seen["query"], seen["shown"]) == ("search", "timeout", ["guide.md:0"])


async def test_where_there_is_no_audit_that_is_an_error(tmp_path: Path) -> None:
    log = LogFolder(tmp_path / "audit", KEY, tmp_path / "anchors", required=False)
    desk = AuditService(LogArchive(tmp_path / "audit", KEY, tmp_path / "anchors", log), Auditor(MemoryAudit(), REDACTOR))
    with pytest.raises(AuditFailed, match="There is no audit"):
        await desk.check(somebody("admin"))
