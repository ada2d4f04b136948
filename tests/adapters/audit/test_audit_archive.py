"""Every later change of the audit is found; questions can be erased, and only so."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_audit_log import archive, event, files, open_log

from citewell.adapters.audit.lines import NO_SALT, Line, parse_line

Damage = Callable[[list[bytes], random.Random], list[bytes]]


async def fill(folder: Path, writers: int = 2, lines: int = 12) -> None:
    logs = [open_log(folder) for _ in range(writers)]
    for number in range(lines):
        for log in logs:
            await log.record(event(who=f"user{number % 3}", query=f"question {number}", shown=(f"docs/{number % 4}.md:0",)))
    for log in logs:
        await log.close()


def flip(lines: list[bytes], chance: random.Random) -> list[bytes]:
    data = bytearray(b"".join(lines))
    place = chance.randrange(len(data))
    data[place] ^= 1 << chance.randrange(8)
    return [bytes(data)]


def drop(lines: list[bytes], chance: random.Random) -> list[bytes]:
    place = chance.randrange(len(lines))
    return lines[:place] + lines[place + 1 :]


def swap(lines: list[bytes], chance: random.Random) -> list[bytes]:
    one, other = chance.sample(range(len(lines)), 2)
    lines[one], lines[other] = lines[other], lines[one]
    return lines


def double(lines: list[bytes], chance: random.Random) -> list[bytes]:
    place = chance.randrange(len(lines))
    return [*lines[: place + 1], *lines[place:]]


def cut(lines: list[bytes], chance: random.Random) -> list[bytes]:
    data = b"".join(lines)
    return [data[: chance.randrange(len(data))]]


def cut_whole_lines(lines: list[bytes], chance: random.Random) -> list[bytes]:
    return lines[: chance.randrange(len(lines))]


def blank(lines: list[bytes], chance: random.Random) -> list[bytes]:
    place = chance.randrange(1, len(lines))
    line = parse_line(lines[place])
    lines[place] = Line(line.record, line.mac, b" " * len(line.query or b""), NO_SALT).dump()
    return lines


def reword(lines: list[bytes], chance: random.Random) -> list[bytes]:
    place = chance.randrange(1, len(lines))
    lines[place] = lines[place].replace(b"question", b"suspicion")
    return lines


def forget_question(lines: list[bytes], chance: random.Random) -> list[bytes]:
    place = chance.randrange(1, len(lines))
    line = parse_line(lines[place])
    lines[place] = Line(line.record, line.mac).dump()
    return lines


def append(lines: list[bytes], chance: random.Random) -> list[bytes]:
    line = parse_line(lines[-1])
    return [*lines, Line(line.record.replace(b'"seq":12', b'"seq":13'), line.mac, line.query, line.salt).dump()]


DAMAGES: list[Damage] = [flip, drop, swap, double, cut, cut_whole_lines, blank, reword, forget_question, append]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_fifty_edits_of_each_kind_are_all_found(damage: Damage, tmp_path: Path) -> None:
    anyio.run(fill, tmp_path)
    whole = archive(tmp_path).check()
    assert (whole.lines, whole.findings, whole.unanchored) == (26, (), ())
    for seed in range(50):
        chance = random.Random(seed)
        file = chance.choice(files(tmp_path))
        before = file.read_bytes()
        file.write_bytes(b"".join(damage(before.splitlines(keepends=True), chance)))
        assert file.read_bytes() != before
        assert archive(tmp_path).check().findings, f"{damage.__name__} {seed}"
        file.write_bytes(before)
    assert archive(tmp_path).check().findings == ()


def test_a_file_in_the_place_of_another_is_found(tmp_path: Path) -> None:
    anyio.run(fill, tmp_path)
    one, other = files(tmp_path)
    one.write_bytes(other.read_bytes())
    assert archive(tmp_path).check().findings


def test_a_file_that_is_gone_is_found(tmp_path: Path) -> None:
    anyio.run(fill, tmp_path)
    files(tmp_path)[0].unlink()
    (finding,) = archive(tmp_path).check().findings
    assert finding.problem == "the file is gone"


def test_another_key_fits_nothing(tmp_path: Path) -> None:
    anyio.run(fill, tmp_path)
    mine = archive(tmp_path)
    other = type(mine)(mine.folder, b"x" * 32, mine.anchors, mine.log)
    assert len(other.check().findings) == 2


def test_without_an_anchor_the_check_says_what_it_cannot_tell(tmp_path: Path) -> None:
    anyio.run(fill, tmp_path)
    name = files(tmp_path)[0].stem
    (tmp_path / "anchors" / name).unlink()
    assert archive(tmp_path).check().unanchored == (name,)


def test_who_saw_a_document_is_told_by_person_and_surface(tmp_path: Path) -> None:
    anyio.run(fill, tmp_path)
    found = archive(tmp_path).sightings("docs/1.md")
    assert [(sighting.who, sighting.times) for sighting in found] == [("user0", 2), ("user1", 2), ("user2", 2)]
    assert archive(tmp_path).sightings("docs/1") == []


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(min_size=1, max_size=20))
def test_a_document_is_found_by_its_exact_id(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    folder = tmp_path_factory.mktemp("audit")

    async def write() -> None:
        log = open_log(folder)
        await log.record(event(shown=(f"{name}:3",)))
        await log.record(event(who="bo", shown=(f"{name}x:3", f"x{name}:1")))
        await log.close()

    anyio.run(write)
    assert [sighting.who for sighting in archive(folder).sightings(name)] == ["ada"]


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
