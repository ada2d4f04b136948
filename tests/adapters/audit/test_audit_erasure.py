"""Questions can be erased from the audit, and only so: the chain stays whole, and says that it was done."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import anyio
import pytest
from test_audit_archive import fill
from test_audit_log import archive, files, open_log

from citewell.core.errors import AuditFailed
from citewell.testing.auditlog_suite import event


def test_questions_are_erased_while_another_process_writes(tmp_path: Path) -> None:
    async def run() -> None:
        log = open_log(tmp_path)
        await log.record(event(query="where is my payslip"))
        await log.record(event(who="bo", query="and mine"))
        assert archive(tmp_path).erase("ada") == 1
        await log.record(event(query="asked later"))
        await log.close()

    anyio.run(run)
    data = b"".join(file.read_bytes() for file in files(tmp_path))
    assert b"payslip" not in data
    assert b"and mine" in data
    assert [seen.get("query") for seen in archive(tmp_path).events("ada") if seen["action"] == "search"] == [
        None,
        "asked later",
    ]
    assert archive(tmp_path).check().findings == ()


def test_a_person_is_erased_once(tmp_path: Path) -> None:
    anyio.run(fill, tmp_path)
    assert archive(tmp_path).erase("user1") == 8
    assert archive(tmp_path).erase("user1") == 0
    assert archive(tmp_path).check().findings == ()


def test_what_is_erased_leaves_who_saw_what(tmp_path: Path) -> None:
    anyio.run(fill, tmp_path)
    before = archive(tmp_path).sightings("docs/1.md")
    archive(tmp_path).erase("user1")
    assert archive(tmp_path).sightings("docs/1.md") == before
    assert [seen["query"] for seen in archive(tmp_path).events("user1")] == [None] * 8


def test_a_thousand_questions_are_erased_at_once(tmp_path: Path) -> None:
    async def write() -> None:
        log = open_log(tmp_path)
        for number in range(1_200):
            await log.record(event(query=f"secret {number}"))
        await log.close()

    anyio.run(write)
    assert archive(tmp_path).erase("ada") == 1_200
    assert b"secret" not in b"".join(file.read_bytes() for file in files(tmp_path))
    assert archive(tmp_path).check().findings == ()


def test_an_erasure_that_is_broken_off_leaves_a_whole_chain_and_can_be_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    anyio.run(fill, tmp_path, 1)
    real, left = os.pwrite, [2]

    def pwrite(descriptor: int, data: bytes, offset: int) -> int:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.EIO, "broken")
        return real(descriptor, data, offset)

    monkeypatch.setattr(os, "pwrite", pwrite)
    with pytest.raises(AuditFailed):
        archive(tmp_path).erase("user1")
    monkeypatch.undo()
    assert archive(tmp_path).check().findings == ()
    assert archive(tmp_path).erase("user1") == 3
    assert archive(tmp_path).check().findings == ()


def test_an_erasure_explains_no_other_question(tmp_path: Path) -> None:
    anyio.run(fill, tmp_path, 1)
    archive(tmp_path).erase("user1")
    (file,) = files(tmp_path)
    data = file.read_bytes()
    number = data.index(b"question 0")
    salt = data.index(b'"salt":"', number) + 8
    blanked = data[:number] + b" " * 10 + data[number + 10 : salt] + b"0" * 32 + data[salt + 32 :]
    file.write_bytes(blanked)
    (finding,) = archive(tmp_path).check().findings
    assert finding.problem == "the question was blanked, and no erasure says so"
