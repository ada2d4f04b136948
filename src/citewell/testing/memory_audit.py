"""An audit that is kept in memory: the double of ``AuditLog``."""

from __future__ import annotations

from citewell.core.errors import AuditFailed
from citewell.core.ports import AuditEvent


class MemoryAudit:
    """Keeps events in ``events``; while ``broken`` it can take down nothing."""

    def __init__(self, *, broken: bool = False) -> None:
        self.events: list[AuditEvent] = []
        self.broken = broken

    async def record(self, event: AuditEvent) -> None:
        """Keep ``event``."""
        if self.broken:
            raise AuditFailed("The audit cannot be written, and nothing may happen without it.")
        self.events.append(event)

    async def close(self) -> None:
        """Do nothing: there is nothing to release."""
