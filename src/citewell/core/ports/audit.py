"""What happened, for those who must answer for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

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
