"""The conformance suite of ``AuditArchive``."""

from __future__ import annotations

from pathlib import Path

import pytest

from citewell.core.ports import AuditArchive, AuditLog
from citewell.testing.auditlog_suite import event


@pytest.mark.anyio
class AuditArchiveSuite:
    """Subclass it and say how a log, and the archive that reads it, are opened."""

    def open_both(self, folder: Path) -> tuple[AuditLog, AuditArchive]:
        """Return an empty log, kept in ``folder``, and what reads it."""
        raise NotImplementedError

    async def fill(self, folder: Path) -> AuditArchive:
        """Return the archive of a log with three events."""
        log, archive = self.open_both(folder)
        for who, asked in (("ada", "first"), ("bo", "second"), ("ada", "third")):
            await log.record(event(who=who, query=asked, shown=("docs/a.md:0", f"docs/{asked}.md:1")))
        await log.close()
        return archive

    async def test_what_was_written_is_whole(self, tmp_path: Path) -> None:
        """Nobody has changed it."""
        check = (await self.fill(tmp_path)).check()
        assert (len(check.files), check.findings) == (1, ())
        assert check.lines >= 3

    async def test_who_saw_a_document_is_counted_by_person(self, tmp_path: Path) -> None:
        """By the whole id, and no part of it."""
        archive = await self.fill(tmp_path)
        assert [(seen.who, seen.times) for seen in archive.sightings("docs/a.md")] == [("ada", 2), ("bo", 1)]
        assert [seen.who for seen in archive.sightings("docs/second.md")] == ["bo"]
        assert archive.sightings("docs/a") == archive.sightings("a.md") == []

    async def test_what_somebody_did_is_told_in_order(self, tmp_path: Path) -> None:
        """And nothing of anybody else."""
        archive = await self.fill(tmp_path)
        assert [seen["query"] for seen in archive.events("ada")] == ["first", "third"]
        assert archive.events("ad") == []

    async def test_erased_questions_are_gone_and_the_rest_stays(self, tmp_path: Path) -> None:
        """A second time there is nothing to erase."""
        archive = await self.fill(tmp_path)
        assert archive.erase("ada") == 2
        assert [seen["query"] for seen in archive.events("ada") if seen["action"] == "search"] == [None, None]
        assert [seen["query"] for seen in archive.events("bo")] == ["second"]
        assert [(seen.who, seen.times) for seen in archive.sightings("docs/a.md")] == [("ada", 2), ("bo", 1)]
        assert archive.erase("ada") == 0
        assert archive.check().findings == ()
