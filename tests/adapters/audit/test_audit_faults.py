"""Full disks, deleted files, killed processes and rotation in the middle of things: what is acknowledged stays written."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import anyio
import pytest
from test_audit_log import archive, files, open_log

from citewell.adapters.audit.checking import TORN
from citewell.core.errors import AuditFailed
from citewell.testing.auditlog_suite import event

pytestmark = pytest.mark.anyio


class FullDisk:
    """Takes ``left`` more bytes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, left: int) -> None:
        self.left = left
        self._write = os.write
        monkeypatch.setattr(os, "write", self.write)

    def write(self, descriptor: int, data: bytes) -> int:
        if not self.left:
            raise OSError(errno.ENOSPC, "full")
        written = self._write(descriptor, data[: self.left])
        self.left -= written
        return written


@pytest.mark.parametrize("left", [0, 30])
async def test_on_a_full_disk_required_calls_fail_and_later_ones_follow_what_was_whole(
    left: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = open_log(tmp_path, required=True)
    await log.record(event())
    with monkeypatch.context() as patch:
        FullDisk(patch, left)
        for _ in range(3):
            with pytest.raises(AuditFailed):
                await log.record(event(who="bo"))
    await log.record(event(who="cy"))
    await log.close()
    check = archive(tmp_path).check()
    assert (len(check.files), check.lines, check.findings, check.unanchored) == (1, 3, (), ())


@pytest.mark.parametrize("left", [0, 30])
async def test_a_file_that_cannot_be_begun_leaves_nothing(left: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = open_log(tmp_path, required=True)
    with monkeypatch.context() as patch:
        FullDisk(patch, left)
        with pytest.raises(AuditFailed):
            await log.record(event())
    assert files(tmp_path) == []
    assert list((tmp_path / "anchors").iterdir()) == []


async def test_nothing_is_written_into_a_file_that_somebody_deleted(tmp_path: Path) -> None:
    log = open_log(tmp_path)
    await log.record(event())
    (gone,) = files(tmp_path)
    gone.unlink()
    await log.record(event(who="bo"))
    await log.close()
    assert [seen["who"] for seen in archive(tmp_path).events("bo")] == ["bo"]
    assert [finding.file for finding in archive(tmp_path).check().findings] == [gone.stem]


async def test_files_are_changed_under_concurrent_calls_and_no_line_is_lost(tmp_path: Path) -> None:
    log = open_log(tmp_path, required=True, rotate_mb=1)

    async def call(who: str) -> None:
        for _ in range(60):
            await log.record(event(who=who, query="x" * 2_000))

    async with anyio.create_task_group() as tasks:
        for number in range(20):
            tasks.start_soon(call, f"user{number}")
    await log.close()
    check = archive(tmp_path).check()
    assert len(check.files) == 3
    assert (check.lines, check.findings) == (1_200 + 3, ())


async def test_a_line_waits_for_its_own_file_where_another_was_begun_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = open_log(tmp_path, required=True, rotate_mb=1)
    begun, synced = threading.Event(), []

    def fsync(descriptor: int) -> None:
        begun.wait(10)
        synced.append(os.fstat(descriptor).st_ino)

    monkeypatch.setattr(os, "fsync", fsync)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(log.record, event(query="x" * 1_000_000))
        await anyio.wait_all_tasks_blocked()
        log.append({"who": "bo"})
        begun.set()
    await log.close()
    assert synced == [files(tmp_path)[0].stat().st_ino]


def test_a_killed_process_loses_nothing_it_acknowledged(tmp_path: Path) -> None:
    script = (
        "import sys, anyio; from pathlib import Path; from citewell.adapters.audit.log_folder import LogFolder;"
        "from citewell.testing.auditlog_suite import event; folder = Path(sys.argv[1]);"
        "log = LogFolder(folder / 'audit', b'k' * 32, folder / 'anchors', required=True)\n"
        "async def run():\n"
        "    while True:\n"
        "        await log.record(event()); print('kept', flush=True)\n"
        "anyio.run(run)"
    )
    acknowledged = 0
    with subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        while acknowledged < 50:
            acknowledged += process.stdout.readline() == b"kept\n"
        process.send_signal(signal.SIGKILL)
        acknowledged += process.stdout.read().count(b"kept\n")
    anyio.run(open_log(tmp_path).record, event(who="bo"))
    assert len(archive(tmp_path).events("ada")) >= acknowledged
    assert {finding.problem for finding in archive(tmp_path).check().findings} <= {TORN}


async def test_where_no_anchor_can_be_written_the_check_says_what_it_cannot_tell(tmp_path: Path) -> None:
    (tmp_path / "anchors").write_text("a file where the folder should be", encoding="utf-8")
    log = open_log(tmp_path, required=True)
    await log.record(event())
    await log.close()
    (file,) = files(tmp_path)
    check = archive(tmp_path).check()
    assert (check.findings, check.unanchored) == ((), (file.stem,))


async def test_a_file_that_outran_its_anchor_counts_as_having_none(tmp_path: Path) -> None:
    log = open_log(tmp_path)
    await log.record(event())
    (file,) = files(tmp_path)
    anchor = tmp_path / "anchors" / file.stem
    old = anchor.read_bytes()
    await log.record(event())
    anchor.write_bytes(old)
    assert archive(tmp_path).check().unanchored == ()
    await log.record(event())
    await log.close()
    anchor.write_bytes(old)
    assert archive(tmp_path).check().unanchored == (file.stem,)
