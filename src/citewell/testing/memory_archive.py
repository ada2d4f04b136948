"""Reads an audit that is kept in memory: the double of ``AuditArchive``."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from citewell.core.ports import AuditCheck, AuditEvent, Sighting
from citewell.testing.memory_audit import MemoryAudit

NEVER = ""
"""Events in memory carry no time."""


class MemoryArchive:
    """Reads the events of ``audit``; in memory nothing is changed after the fact."""

    def __init__(self, audit: MemoryAudit) -> None:
        self._audit = audit

    def check(self) -> AuditCheck:
        """Count the events."""
        return AuditCheck(files=("memory",), lines=len(self._audit.events))

    def sightings(self, document_id: str) -> list[Sighting]:
        """Count who was shown the document."""
        found: dict[tuple[str, str], int] = {}
        for event in self._audit.events:
            if any(document_id in (name, name.rpartition(":")[0]) for name in event.shown):
                found[event.who, event.via] = found.get((event.who, event.via), 0) + 1
        return [Sighting(who, via, times, NEVER, NEVER) for (who, via), times in sorted(found.items())]

    def events(self, who: str) -> list[dict[str, Any]]:
        """Return the events of ``who``."""
        return [asdict(event) for event in self._audit.events if event.who == who]

    def erase(self, who: str) -> int:
        """Forget the questions of ``who``."""
        asked = [event for event in self._audit.events if event.who == who and event.query is not None]
        self._audit.events[:] = [self._without(event, asked) for event in self._audit.events]
        return len(asked)

    def _without(self, event: AuditEvent, asked: list[AuditEvent]) -> AuditEvent:
        return replace(event, query=None) if event in asked else event
