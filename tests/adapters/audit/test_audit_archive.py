"""Every later change of the audit is found; questions can be erased, and only so."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_audit_log import KEY, archive, files, open_log

from citewell.adapters.audit.lines import NO_SALT, Line, parse_line
from citewell.adapters.audit.log_folder import LogFolder
from citewell.testing.auditlog_suite import event

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


def rewrite_head(lines: list[bytes], chance: random.Random) -> list[bytes]:
    return [lines[0].replace(b'"pid":', b'"pid":%d' % chance.randrange(1, 10)), *lines[1:]]


DAMAGES: list[Damage] = [
    flip,
    drop,
    swap,
    double,
    cut,
    cut_whole_lines,
    blank,
    reword,
    forget_question,
    append,
    rewrite_head,
]


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


def test_lines_that_change_places_between_files_are_found(tmp_path: Path) -> None:
    anyio.run(fill, tmp_path)
    for place in range(13):
        before = [file.read_bytes() for file in files(tmp_path)]
        one, other = (data.splitlines(keepends=True) for data in before)
        one[place], other[place] = other[place], one[place]
        for file, lines in zip(files(tmp_path), (one, other), strict=True):
            file.write_bytes(b"".join(lines))
        assert {finding.line for finding in archive(tmp_path).check().findings} == {place + 1}
        for file, data in zip(files(tmp_path), before, strict=True):
            file.write_bytes(data)


def test_a_file_that_is_gone_is_found(tmp_path: Path) -> None:
    anyio.run(fill, tmp_path)
    files(tmp_path)[0].unlink()
    (finding,) = archive(tmp_path).check().findings
    assert finding.problem == "the file is gone"


def test_another_key_fits_nothing(tmp_path: Path) -> None:
    anyio.run(fill, tmp_path)
    mine = archive(tmp_path)
    other = type(mine)(mine.folder, b"x" * 32, mine.anchors, mine.log)
    assert {finding.file for finding in other.check().findings} == {file.stem for file in files(tmp_path)}


@pytest.mark.parametrize("change", [lambda data: data.replace(b"12", b"11", 1), lambda data: data[:-9], lambda _: b"x"])
def test_an_anchor_that_was_changed_is_found(change: Callable[[bytes], bytes], tmp_path: Path) -> None:
    anyio.run(fill, tmp_path)
    anchor = tmp_path / "anchors" / files(tmp_path)[0].stem
    anchor.write_bytes(change(anchor.read_bytes()))
    (finding,) = archive(tmp_path).check().findings
    assert (finding.file, finding.line) == (anchor.name, 0)


@pytest.mark.parametrize("gone", [1, 2, 5])
def test_a_file_that_was_cut_short_is_not_gone_on_with_and_stays_found(gone: int, tmp_path: Path) -> None:
    anyio.run(fill, tmp_path, 1)
    (file,) = files(tmp_path)
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:-gone]))
    anyio.run(fill, tmp_path, 1)
    (finding,) = archive(tmp_path).check().findings
    assert (finding.file, finding.problem) == (file.stem, "lines are missing at the end")


def test_a_file_of_another_key_is_not_gone_on_with(tmp_path: Path) -> None:
    async def write(key: bytes) -> None:
        log = LogFolder(tmp_path / "audit", key, tmp_path / "anchors", required=False)
        await log.record(event())
        await log.close()

    for key in (b"x" * 32, KEY):
        anyio.run(write, key)
    old, new = files(tmp_path)
    assert {finding.file for finding in archive(tmp_path).check().findings} == {old.stem}
    assert new.read_bytes().count(b"\n") == 2


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


def test_first_and_last_are_told_by_the_time_and_not_by_the_file(tmp_path: Path) -> None:
    async def write() -> None:
        one, other = open_log(tmp_path), open_log(tmp_path)
        for log in (one, other, one):
            await log.record(event(shown=("a.md:0",)))
            await anyio.sleep(0.002)
        await one.close()
        await other.close()

    anyio.run(write)
    times = [seen["time"] for seen in archive(tmp_path).events("ada")]
    (sighting,) = archive(tmp_path).sightings("a.md")
    assert times == sorted(times)
    assert (sighting.times, sighting.first, sighting.last) == (3, times[0], times[-1])


@pytest.mark.parametrize(
    "fields",
    [
        {"target": "docs/a.md", "outcome": "denied"},
        {"query": '["docs/a.md:1"'},
        {"query": ',"shown":["docs/a.md:1"]'},
        {"groups": ("docs/a.md",), "shown": ("b.md:1",)},
        {"shown": ('x","docs/a.md:1',)},
        {"shown": ("docs/a.md:x",)},
    ],
)
def test_who_only_named_a_document_has_not_seen_it(fields: dict[str, object], tmp_path: Path) -> None:
    async def write() -> None:
        log = open_log(tmp_path)
        await log.record(event(**fields))
        await log.close()

    anyio.run(write)
    assert archive(tmp_path).sightings("docs/a.md") == []


def test_a_damaged_line_hides_nothing_of_the_others(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    anyio.run(fill, tmp_path, 1)
    (file,) = files(tmp_path)
    file.write_bytes(file.read_bytes().replace(b'{"record":{"seq":1,', b'{"record":[["seq":1,'))
    assert len(archive(tmp_path).events("user0")) == 3
    assert sum(seen.times for seen in archive(tmp_path).sightings("docs/0.md")) == 2
    assert len(caplog.records) == 1
