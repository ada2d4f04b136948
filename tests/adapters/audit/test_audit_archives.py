"""Both archives, that of the log on disk and that in memory, keep the same promises."""

from __future__ import annotations

from pathlib import Path

from citewell.adapters.audit.archive import LogArchive
from citewell.adapters.audit.log_folder import LogFolder
from citewell.core.ports import AuditArchive, AuditLog
from citewell.testing.auditarchive_suite import AuditArchiveSuite
from citewell.testing.memory_archive import MemoryArchive
from citewell.testing.memory_audit import MemoryAudit

KEY = b"k" * 32


class TestLogArchive(AuditArchiveSuite):
    def open_both(self, folder: Path) -> tuple[AuditLog, AuditArchive]:
        log, writer = (LogFolder(folder / "audit", KEY, folder / "anchors", required=False) for _ in range(2))
        return log, LogArchive(folder / "audit", KEY, folder / "anchors", writer)


class TestMemoryArchive(AuditArchiveSuite):
    def open_both(self, folder: Path) -> tuple[AuditLog, AuditArchive]:
        audit = MemoryAudit()
        return audit, MemoryArchive(audit)
