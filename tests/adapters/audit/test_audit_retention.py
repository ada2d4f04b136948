"""What has outlived its time is deleted, by the day, and the audit says so."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from test_audit_log import KEY, archive, files

from citewell.adapters.audit.log_folder import LogFolder
from citewell.testing.auditlog_suite import event

pytestmark = pytest.mark.anyio

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Calendar:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def calendar() -> Calendar:
    return Calendar()


def open_log(folder: Path, calendar: Calendar, days: int | None = 7) -> LogFolder:
    return LogFolder(folder / "audit", KEY, folder / "anchors", required=False, retention_days=days, clock=calendar)


async def write(folder: Path, calendar: Calendar, who: str, days: int | None = 7) -> None:
    log = open_log(folder, calendar, days)
    await log.record(event(who=who))
    await log.close()


async def test_a_line_is_gone_a_day_after_its_time_at_the_latest(tmp_path: Path, calendar: Calendar) -> None:
    for day in range(20):
        calendar.now = NOON + timedelta(days=day)
        await write(tmp_path, calendar, f"user{day}")
    assert not archive(tmp_path).events("user11")
    assert archive(tmp_path).events("user13")
    assert archive(tmp_path).check().findings == ()


async def test_a_process_that_runs_for_days_begins_a_file_each_day(tmp_path: Path, calendar: Calendar) -> None:
    log = open_log(tmp_path, calendar)
    for day in range(10):
        calendar.now = NOON + timedelta(days=day)
        for _ in range(2):
            await log.record(event(who=f"user{day}"))
    await log.close()
    assert [file.stem[:8] for file in files(tmp_path)] == [f"2026030{day}" for day in range(3, 10)] + ["20260310"]
    assert archive(tmp_path).check().findings == ()


async def test_commands_of_one_day_share_a_file(tmp_path: Path, calendar: Calendar) -> None:
    for hour in range(5):
        calendar.now = NOON + timedelta(hours=hour)
        await write(tmp_path, calendar, "ada")
    assert len(files(tmp_path)) == 1


async def test_a_deletion_is_written_down(tmp_path: Path, calendar: Calendar) -> None:
    await write(tmp_path, calendar, "ada")
    (old,) = files(tmp_path)
    calendar.now = NOON + timedelta(days=8)
    await write(tmp_path, calendar, "bo")
    (kept,) = files(tmp_path)
    assert f'"action":"retention","target":"{old.stem}"' in kept.read_text(encoding="utf-8")


async def test_a_file_is_as_old_as_its_last_line_and_not_as_its_copy(tmp_path: Path, calendar: Calendar) -> None:
    await write(tmp_path, calendar, "ada")
    (old,) = files(tmp_path)
    os.utime(old)
    calendar.now = NOON + timedelta(days=8)
    await write(tmp_path, calendar, "bo")
    assert not old.exists()


async def test_a_torn_file_is_as_old_as_itself(tmp_path: Path, calendar: Calendar) -> None:
    await write(tmp_path, calendar, "ada")
    (old,) = files(tmp_path)
    old.write_bytes(old.read_bytes() + b"torn")
    os.utime(old, (NOON.timestamp(), NOON.timestamp()))
    calendar.now = NOON + timedelta(days=8)
    await write(tmp_path, calendar, "bo")
    assert not old.exists()
    assert archive(tmp_path).check().findings == ()


async def test_a_file_that_a_process_has_open_is_left_alone(tmp_path: Path, calendar: Calendar) -> None:
    idle = open_log(tmp_path, calendar, days=None)
    await idle.record(event(who="ada"))
    (old,) = files(tmp_path)
    calendar.now = NOON + timedelta(days=8)
    await write(tmp_path, calendar, "bo")
    await idle.record(event(who="ada"))
    await idle.close()
    assert old.exists()
    assert archive(tmp_path).check().findings == ()


async def test_a_deletion_that_was_broken_off_is_explained(tmp_path: Path, calendar: Calendar) -> None:
    await write(tmp_path, calendar, "ada")
    (old,) = files(tmp_path)
    anchor = tmp_path / "anchors" / old.stem
    kept = anchor.read_bytes()
    calendar.now = NOON + timedelta(days=8)
    await write(tmp_path, calendar, "bo")
    anchor.write_bytes(kept)
    assert archive(tmp_path).check().findings == ()


async def test_without_a_limit_everything_is_kept(tmp_path: Path, calendar: Calendar) -> None:
    await write(tmp_path, calendar, "ada", days=None)
    calendar.now = NOON + timedelta(days=4_000)
    await write(tmp_path, calendar, "bo", days=None)
    assert len(archive(tmp_path).events("ada")) == 1
