"""The conformance suite of ``AuditLog``: what the port promises, as tests that every implementation passes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from citewell.core.errors import AuditFailed
from citewell.core.ports import AuditEvent, AuditLog


def event(**fields: object) -> AuditEvent:
    """Return an event with ``fields`` in place of the defaults."""
    given = {"action": "search", "who": "ada", "kind": "user", "groups": ("staff",), "via": "mcp", "outcome": "ok", **fields}
    return AuditEvent(**given)  # type: ignore[arg-type]


@pytest.mark.anyio
class AuditLogSuite:
    """Subclass it and say how the log is opened, how one is that cannot be written, and how its events are read."""

    def open_log(self, folder: Path) -> AuditLog:
        """Return a new log, kept in ``folder``."""
        raise NotImplementedError

    def open_broken(self, folder: Path) -> AuditLog:
        """Return a log that is required and cannot be written."""
        raise NotImplementedError

    def recorded(self, log: AuditLog, folder: Path) -> list[tuple[str, str | None]]:
        """Return who asked what, in the order in which it was written."""
        raise NotImplementedError

    @pytest.fixture
    async def log(self, tmp_path: Path) -> AsyncIterator[AuditLog]:
        """Lend an empty log to a test."""
        log = self.open_log(tmp_path)
        yield log
        await log.close()

    async def test_events_are_kept_in_order(self, log: AuditLog, tmp_path: Path) -> None:
        """What was recorded is there on return."""
        for who in ("ada", "bo", "ada"):
            await log.record(event(who=who, query=f"by {who}"))
        assert self.recorded(log, tmp_path) == [("ada", "by ada"), ("bo", "by bo"), ("ada", "by ada")]

    async def test_any_text_can_be_written_down(self, log: AuditLog, tmp_path: Path) -> None:
        """Quotation marks, line ends, other scripts and lone surrogates included."""
        questions = ['"mac":"', "a\nb\r\u2028", "zaman aşımı 春天", "\\u0022", "\ud800x"]
        for question in questions:
            await log.record(event(query=question))
        assert [asked for _, asked in self.recorded(log, tmp_path)] == questions

    async def test_a_required_log_that_cannot_be_written_is_an_error(self, tmp_path: Path) -> None:
        """Nothing may happen that is not written down."""
        log = self.open_broken(tmp_path)
        with pytest.raises(AuditFailed):
            await log.record(event())

    async def test_closing_twice_does_no_harm(self, log: AuditLog) -> None:
        """The second time there is nothing to release."""
        await log.record(event())
        await log.close()
        await log.close()
