"""What happened, for those who must answer for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

AuditOutcome = Literal["ok", "declined", "denied", "failed", "cancelled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEvent:
    """One call by one principal. No text of a document is in it; ``query`` is redacted before it gets here.

    ``target`` is what the call was about where it names something: a document, a source, a user. ``plan`` says how a question
    was searched for. ``shown`` and ``cited`` hold ids as people see them (``doc_id:ordinal``, or a document id for lines
    read). ``answer`` is the SHA-256 of the answer's text. ``stages`` are milliseconds in the order in which they ended;
    ``usage`` counts tokens and cost. ``code`` is the error's, empty where there is none.
    """

    action: str
    who: str
    kind: str
    groups: tuple[str, ...]
    via: str
    outcome: AuditOutcome
    code: str = ""
    target: str = ""
    query: str | None = None
    plan: Mapping[str, str] = field(default_factory=dict[str, str])
    shown: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()
    answer: str = ""
    degraded: tuple[str, ...] = ()
    milliseconds: float = 0.0
    stages: tuple[tuple[str, float], ...] = ()
    usage: Mapping[str, float] = field(default_factory=dict[str, float])


class AuditLog(Protocol):
    """Takes down what happened, in order, so that no later change goes unseen."""

    async def record(self, event: AuditEvent) -> None:
        """Append ``event``; it is written on return. Raises AuditFailed where the log is required and cannot be written."""
        ...

    async def close(self) -> None:
        """Release the file. May be called twice."""
        ...


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """Something in a file of the audit that is not as it was written; ``line`` counts from 1, 0 means the file as a whole."""

    file: str
    line: int
    problem: str


@dataclass(frozen=True, slots=True)
class AuditCheck:
    """What a check of the whole audit found. ``unanchored`` files may have been cut short without a trace."""

    files: tuple[str, ...]
    lines: int
    findings: tuple[AuditFinding, ...] = ()
    unanchored: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sighting:
    """How often somebody was shown passages of a document, and when first and last (ISO 8601, UTC)."""

    who: str
    via: str
    times: int
    first: str
    last: str


class AuditArchive(Protocol):
    """Reads what an audit holds. Blocking; the caller runs it in a thread. Raises AuditFailed where it cannot be read."""

    def check(self) -> AuditCheck:
        """Look for every change that was made after the fact."""
        ...

    def sightings(self, document_id: str) -> list[Sighting]:
        """Return who was shown passages of the document, by name and surface."""
        ...

    def events(self, who: str) -> list[dict[str, Any]]:
        """Return what ``who`` did, oldest first, with his questions where they were not erased."""
        ...

    def erase(self, who: str) -> int:
        """Blank the questions of ``who``, write down that it was done, and return how many there were."""
        ...
