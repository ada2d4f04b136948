"""One event for every call, whatever becomes of it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Final

import anyio

from citewell.core.access import Principal
from citewell.core.errors import CitewellError, Forbidden, NotFound, Unauthenticated
from citewell.core.ports import AuditEvent, AuditLog, AuditOutcome
from citewell.core.requests import Answer, DocumentView, Retrieval, SearchResult
from citewell.text.redaction import Redactor
from citewell.trace import start_trace

MAX_TYPED: Final = 2_000
"""Of what is longer than any question or id, only the length is written down: a secret cut in two would not be found."""


@dataclass(slots=True)
class Took:
    """What is learnt about a call while it runs."""

    plan: dict[str, str] = field(default_factory=dict[str, str])
    shown: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()
    answer: str = ""
    degraded: tuple[str, ...] = ()
    outcome: AuditOutcome = "ok"

    def searched(self, result: SearchResult) -> None:
        """Take down which passages were shown, and how they were found."""
        self.shown = tuple(hit.stored.shown_id for hit in result.hits)
        self.degraded = result.degraded
        self._planned(result.retrieval)

    def answered(self, answer: Answer, shown: Sequence[str]) -> None:
        """Take down what was cited, and the answer by its hash alone."""
        self.shown = tuple(shown)
        self.cited = tuple(shown) if answer.answerable else ()
        self.answer = hashlib.sha256(answer.text.encode()).hexdigest() if answer.text else ""
        self.degraded = answer.degraded
        self.outcome = "ok" if answer.answerable else "declined"
        self._planned(answer.retrieval)

    def opened(self, view: DocumentView) -> None:
        """Take down which document was read."""
        self.shown = (view.id,)

    def _planned(self, retrieval: Retrieval) -> None:
        self.plan = {"intent": retrieval.intent, "mode": retrieval.mode, "reason": retrieval.reason}


class Auditor:
    """Writes every call into ``log``; what callers typed is redacted first."""

    def __init__(self, log: AuditLog, redactor: Redactor) -> None:
        self._log = log
        self._redactor = redactor

    @asynccontextmanager
    async def call(
        self, principal: Principal, action: str, *, query: str | None = None, target: str = ""
    ) -> AsyncIterator[Took]:
        """Write one event when the block ends: with a result, an error, or cancelled.

        Raises AuditFailed in place of the result where the log is required and cannot be written.
        """
        took = Took()
        code = ""
        began = time.perf_counter()
        with start_trace() as trace:
            try:
                yield took
            except CitewellError as error:
                took.outcome, code = _outcome(error), error.code
                raise
            except anyio.get_cancelled_exc_class():
                took.outcome = "cancelled"
                raise
            except BaseException as error:
                took.outcome, code = "failed", type(error).__name__
                raise
            finally:
                event = replace(
                    _event(principal, action, took.outcome, code),
                    target=self._typed(target),
                    query=None if query is None else self._typed(query),
                    plan=took.plan,
                    shown=took.shown,
                    cited=took.cited,
                    answer=took.answer,
                    degraded=took.degraded,
                    milliseconds=round((time.perf_counter() - began) * 1000, 3),
                    stages=tuple((name, round(spent, 3)) for name, spent in trace.stages),
                )
                with anyio.CancelScope(shield=True):
                    await self._log.record(event)

    async def refused(self, principal: Principal, error: CitewellError) -> None:
        """Write down that ``principal`` was turned away before he could ask. Raises AuditFailed."""
        await self._log.record(_event(principal, "authenticate", "denied", error.code))

    async def close(self) -> None:
        """Release the log."""
        await self._log.close()

    def _typed(self, text: str) -> str:
        return self._redactor.redact(text).text if len(text) <= MAX_TYPED else f"[{len(text):,} characters]"


def _event(principal: Principal, action: str, outcome: AuditOutcome, code: str) -> AuditEvent:
    return AuditEvent(
        action=action,
        who=principal.id,
        kind=principal.kind,
        groups=principal.groups,
        via=principal.via,
        outcome=outcome,
        code=code,
    )


def _outcome(error: CitewellError) -> AuditOutcome:
    return "denied" if isinstance(error, Forbidden | NotFound | Unauthenticated) else "failed"
