"""No audit at all, where the configuration wants none."""

from __future__ import annotations

from citewell.core.ports import AuditEvent


class SilentLog:
    """Implements ``AuditLog`` by keeping nothing."""

    async def record(self, event: AuditEvent) -> None:
        """Keep nothing."""

    async def close(self) -> None:
        """Do nothing: there is nothing to release."""
