"""The audit on disk and in memory: what is written, by whom, and what becomes of it."""

from __future__ import annotations

import sys
from pathlib import Path

import anyio
import pytest

from citewell.adapters.audit.archive import LogArchive
from citewell.adapters.audit.lines import parse_line
from citewell.adapters.audit.log_folder import LogFolder
from citewell.core.ports import AuditLog
from citewell.testing.auditlog_suite import AuditLogSuite, event
from citewell.testing.memory_audit import MemoryAudit

KEY = b"k" * 32

pytestmark = pytest.mark.anyio


def open_log(folder: Path, *, required: bool = False, rotate_mb: int = 64) -> LogFolder:
    return LogFolder(folder / "audit", KEY, folder / "anchors", required=required, rotate_mb=rotate_mb)


def archive(folder: Path) -> LogArchive:
    return LogArchive(folder / "audit", KEY, folder / "anchors", open_log(folder))


def files(folder: Path) -> list[Path]:
    return sorted((folder / "audit").glob("*.jsonl"))


class TestLogFolder(AuditLogSuite):
    def open_log(self, folder: Path) -> AuditLog:
        return open_log(folder)

    def open_broken(self, folder: Path) -> AuditLog:
        (folder / "audit").write_text("a file where the folder should be", encoding="utf-8")
        return open_log(folder, required=True)

    def recorded(self, log: AuditLog, folder: Path) -> list[tuple[str, str | None]]:
        (file,) = files(folder)
        lines = [parse_line(raw) for raw in file.read_bytes().splitlines(keepends=True)[1:]]
        return [(line.fields["who"], line.question) for line in lines]


class TestMemoryAudit(AuditLogSuite):
    def open_log(self, folder: Path) -> AuditLog:
        return MemoryAudit()

    def open_broken(self, folder: Path) -> AuditLog:
        return MemoryAudit(broken=True)

    def recorded(self, log: AuditLog, folder: Path) -> list[tuple[str, str | None]]:
        assert isinstance(log, MemoryAudit)
        return [(seen.who, seen.query) for seen in log.events]


async def test_only_its_owner_may_read_the_log(tmp_path: Path) -> None:
    log = open_log(tmp_path)
    await log.record(event())
    await log.close()
    assert files(tmp_path)[0].stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "audit").stat().st_mode & 0o777 == 0o700


async def test_a_later_process_goes_on_with_the_last_file(tmp_path: Path) -> None:
    for _ in range(3):
        log = open_log(tmp_path)
        await log.record(event())
        await log.close()
    assert len(files(tmp_path)) == 1
    assert archive(tmp_path).check().lines == 4


async def test_two_writers_at_once_have_a_file_each(tmp_path: Path) -> None:
    one, other = open_log(tmp_path), open_log(tmp_path)
    for log in (one, other, one, other):
        await log.record(event())
    await one.close()
    await other.close()
    check = archive(tmp_path).check()
    assert (len(check.files), check.lines, check.findings) == (2, 6, ())


async def test_another_process_writes_beside_this_one(tmp_path: Path) -> None:
    log = open_log(tmp_path)
    await log.record(event())
    script = (
        "import sys, anyio; from pathlib import Path; from citewell.adapters.audit.log_folder import LogFolder;"
        "from citewell.testing.auditlog_suite import event; folder = Path(sys.argv[1]);"
        "log = LogFolder(folder / 'audit', b'k' * 32, folder / 'anchors', required=True);"
        "anyio.run(log.record, event(who='bo'))"
    )
    await anyio.run_process([sys.executable, "-c", script, str(tmp_path)])
    await log.record(event())
    await log.close()
    check = archive(tmp_path).check()
    assert (len(check.files), check.lines, check.findings) == (2, 5, ())


async def test_a_full_file_is_followed_by_another_that_names_it(tmp_path: Path) -> None:
    log = open_log(tmp_path, rotate_mb=1)
    for _ in range(1_100):
        await log.record(event(query="x" * 1_000))
    await log.close()
    first, second = files(tmp_path)
    assert f'"continues":"{first.stem}"' in second.read_text(encoding="utf-8").splitlines()[0]
    assert archive(tmp_path).check().findings == ()


async def test_a_torn_line_is_told_and_the_next_writer_begins_a_file(tmp_path: Path) -> None:
    log = open_log(tmp_path)
    await log.record(event())
    await log.close()
    (file,) = files(tmp_path)
    file.write_bytes(file.read_bytes() + b'{"record":{"seq":2,')
    log = open_log(tmp_path)
    await log.record(event())
    await log.close()
    assert len(files(tmp_path)) == 2
    (finding,) = archive(tmp_path).check().findings
    assert (finding.line, finding.problem) == (3, "the process ended in the middle of this line")


async def test_a_log_that_is_not_required_warns_once_and_lets_things_happen(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "audit").write_text("in the way", encoding="utf-8")
    log = open_log(tmp_path)
    await log.record(event())
    await log.record(event())
    assert len(caplog.records) == 1
