"""The audit, read by those who may."""

from __future__ import annotations

from typing import Any

import anyio

from citewell.core.access import Principal
from citewell.core.ports import AuditArchive, AuditCheck, Sighting
from citewell.service.auditing import Auditor
from citewell.service.scopes import require


class AuditService:
    """Checks and reads the audit for a principal with the scope ``admin``; that he did stands in it, too."""

    def __init__(self, archive: AuditArchive, auditor: Auditor) -> None:
        self._archive = archive
        self._auditor = auditor

    async def check(self, principal: Principal) -> AuditCheck:
        """Look for every change made after the fact. Raises Forbidden, AuditFailed where there is no audit."""
        async with self._auditor.call(principal, "audit_verify"):
            require(principal, "admin")
            return await anyio.to_thread.run_sync(self._archive.check)

    async def sightings(self, principal: Principal, document_id: str) -> list[Sighting]:
        """Return who was shown passages of the document. Raises what `check` raises."""
        async with self._auditor.call(principal, "audit_who", target=document_id):
            require(principal, "admin")
            return await anyio.to_thread.run_sync(self._archive.sightings, document_id)

    async def events(self, principal: Principal, user: str) -> list[dict[str, Any]]:
        """Return what ``user`` did, oldest first. Raises what `check` raises."""
        async with self._auditor.call(principal, "audit_show", target=user):
            require(principal, "admin")
            return await anyio.to_thread.run_sync(self._archive.events, user)

    async def erase(self, principal: Principal, user: str) -> int:
        """Blank the questions of ``user``; return how many there were. Raises what `check` raises."""
        async with self._auditor.call(principal, "audit_erase", target=user):
            require(principal, "admin")
            return await anyio.to_thread.run_sync(self._archive.erase, user)

    async def close(self) -> None:
        """Release the audit."""
        await self._auditor.close()
