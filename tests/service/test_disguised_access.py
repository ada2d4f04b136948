"""Rules are asked about the real path, also where another is shown; while nobody knows the real one, nobody reads."""

from __future__ import annotations

import pytest
from house import BOARD, REDACTOR, STAFF, House

from citewell.core.access import AccessPolicy, AccessRule
from citewell.core.errors import DocumentNotFound
from citewell.core.requests import ReadRequest, SearchRequest
from citewell.testing.memory_source import MemorySource

pytestmark = pytest.mark.anyio

MAIL = "ada.byron@corp.com"
SHOWN = f"people/{REDACTOR.placeholder('EMAIL', MAIL)}.md"
FILE = {f"people/{MAIL}.md": b"# Ada\n\nThe zebra is paid in March.\n"}


def only_board(paths: str) -> AccessPolicy:
    return AccessPolicy(rules=(AccessRule(paths=paths, groups=("board",)),), default=("everyone",))


CLOSED, OPEN = only_board("people/ada.*"), only_board("nowhere/**")


async def readers(house: House, path: str = SHOWN) -> set[str]:
    """Return who reads the document, each found by the one rule that search and read share."""
    found = set()
    for name, who in (("staff", STAFF), ("board", BOARD)):
        try:
            await house.service.read(who, ReadRequest(id=path))
        except DocumentNotFound:
            assert not (await house.service.search(who, SearchRequest(query="zebra", mode="bm25"))).hits
        else:
            found.add(name)
    return found


@pytest.mark.parametrize(("policy", "expected"), [(CLOSED, {"board"}), (OPEN, {"staff", "board"})])
async def test_a_rule_about_the_real_path_decides(policy: AccessPolicy, expected: set[str]) -> None:
    house = House(MemorySource("handbook", dict(FILE)), policy=policy)
    report = await house.sync()
    assert [entry.path for entry in report.sources[0].entries] == [SHOWN]
    assert await readers(house) == expected


async def test_no_address_holds_the_real_path() -> None:
    house = House(MemorySource("handbook", dict(FILE), permalink="https://git.acme.dev/blob/{path}"), policy=OPEN)
    await house.sync()
    (hit,) = (await house.service.search(STAFF, SearchRequest(query="zebra", mode="bm25"))).hits
    assert "ada" not in hit.stored.info.permalink
    assert hit.stored.info.path == SHOWN


async def test_after_other_rules_nobody_reads_it_until_its_source_has_been_listed() -> None:
    house = House(MemorySource("handbook", dict(FILE)), policy=OPEN)
    await house.sync()
    house.policy, house.unreachable = CLOSED, True
    assert await readers(house) == set()
    await house.sync()
    assert await readers(house) == set()
    house.unreachable = False
    await house.sync()
    assert await readers(house) == {"board"}


async def test_a_source_that_cannot_be_listed_closes_it_only_under_other_rules() -> None:
    house = House(MemorySource("handbook", dict(FILE)), policy=CLOSED)
    await house.sync()
    house.unreachable = True
    await house.sync()
    assert await readers(house) == {"board"}
    house.policy = OPEN
    await house.sync()
    assert await readers(house) == set()


async def test_a_second_sync_changes_nothing() -> None:
    house = House(MemorySource("handbook", dict(FILE)), policy=CLOSED)
    await house.sync()
    report = await house.sync()
    assert [entry.outcome for entry in report.sources[0].entries] == ["unchanged"]
    assert await readers(house) == {"board"}


async def test_rules_that_change_during_a_sync_hold_when_it_ends() -> None:
    class Slow(MemorySource):
        def read(self, files):  # type: ignore[no-untyped-def]
            yield from super().read(files)
            house.policy = CLOSED

    files = FILE | {f"plain/{number}.md": b"# Plain\n\nNothing.\n" for number in range(70)}
    house = House(Slow("handbook", files), policy=OPEN)
    await house.sync()
    (state,) = await house.store.states()
    assert state.access == CLOSED.stamp
    assert await readers(house) == {"board"}


def twins() -> tuple[str, str]:
    """Return two addresses that have one placeholder: four digits are few."""
    known: dict[str, str] = {}
    for address in (f"reader{number}@corp.com" for number in range(3_000)):
        other = known.setdefault(REDACTOR.placeholder("EMAIL", address), address)
        if other != address:
            return other, address
    raise AssertionError("no two are equal")


async def test_a_file_that_takes_the_name_of_another_opens_nothing_of_it() -> None:
    closed, opened = twins()
    shown = f"people/{REDACTOR.placeholder('EMAIL', closed)}.md"
    source = MemorySource("handbook", {f"people/{closed}.md": b"# One\n\nThe zebra is paid in March.\n"})
    house = House(source, policy=only_board(f"people/{closed}.md"))
    await house.sync()
    assert await readers(house, shown) == {"board"}
    del source.files[f"people/{closed}.md"]
    source.files[f"people/{opened}.md"] = b"# Two\n\nSomething else.\n"
    source.failing[f"people/{opened}.md"] = "unreadable"
    await house.sync()
    await house.sync()
    assert await readers(house, shown) == set()
    source.failing.clear()
    await house.sync()
    assert (await house.service.read(STAFF, ReadRequest(id=shown))).text.startswith("# Two")
