"""Code, cut by definition: what the chunkers of all programming languages share."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from citewell.core.ports import Outline
from citewell.ingest.chunkers.division import PROSE, Unit, at, pieces

_Role = Literal["definition", "header", "run"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A statement at the top of a file or of a class, with everything inside it.

    ``symbol`` is the qualified name of what it defines, if anything. ``members`` are the statements inside, where definitions
    are looked for; what comes before the offset ``body`` is the head of a class and not part of them. ``breaks`` are offsets
    at which a long one may be cut, best first: the first tuple separates the statements of its body, the second those at any
    depth.
    """

    start: int
    end: int
    symbol: str | None = None
    body: int = 0
    members: tuple[Statement, ...] = ()
    breaks: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())


def outline_code(text: str, statements: Sequence[Statement], limit: int, title: str | None = None) -> Outline:
    """Return one piece for each definition, and one for each run of other statements.

    A class that is too long becomes a header (its decorators, docstring and fields) and its members. Comments and blank
    lines belong to the statement after them. A piece that is too long is cut between statements.
    """
    parts = list(_units(text, 0, len(text), statements, None, limit))
    every = list(_visit(statements))
    begins = sorted({unit.start for unit, _ in parts})
    top = {*begins, *_after_long_remarks(begins, every, limit)}
    body = top | {offset for statement in every for offset in statement.breaks[0]}
    inner = body | {offset for statement in every for offset in statement.breaks[1]}
    levels = [at(top), at(body), at(inner), *PROSE]
    return Outline(pieces=pieces(text, _join_runs(parts), limit, levels), title=title)


def _units(
    text: str, start: int, end: int, statements: Sequence[Statement], owner: str | None, limit: int
) -> Iterator[tuple[Unit, _Role]]:
    """Yield spans that together fill ``start`` to ``end``; what defines nothing has the symbol of its owner."""
    for statement, after in zip(statements, [*statements, None][1:], strict=True):
        stop = end if after is None else end_of_line(text, statement.end, after.start)
        symbol = statement.symbol or owner
        whole = statement.symbol is not None and statement.end - statement.start <= limit
        if statement.members and not whole:
            body = max(start, min(statement.body, statement.members[0].start))
            yield Unit(start, body, symbol=symbol), "header" if statement.symbol else "run"
            yield from _units(text, body, stop, statement.members, symbol, limit)
        else:
            yield Unit(start, stop, symbol=symbol), "definition" if statement.symbol else "run"
        start = stop
    yield Unit(start, end, symbol=owner), "run"


def end_of_line(text: str, end: int, following: int) -> int:
    """Return where the line of ``end`` ends, so that a remark beside a statement stays with it."""
    newline = text.find("\n", end, following)
    return end if newline < 0 else newline + 1


def _join_runs(units: Iterable[tuple[Unit, _Role]]) -> Iterator[Unit]:
    """Join each run of other statements to the run or header before it that has the same owner."""
    last, last_role = Unit(0, 0), "definition"
    for unit, role in units:
        if unit.start == unit.end:
            continue
        if role == "run" and last_role != "definition" and last.symbol == unit.symbol:
            last = replace(last, end=unit.end)
        else:
            yield last
            last, last_role = unit, role
    yield last


def _after_long_remarks(begins: Sequence[int], statements: Iterable[Statement], limit: int) -> Iterator[int]:
    """Yield where statements begin after remarks so long that they are better cut off than kept with them."""
    for statement in statements:
        before = begins[bisect_right(begins, statement.start) - 1]
        if statement.start - before > limit // 2:
            yield statement.start


def _visit(statements: Sequence[Statement]) -> Iterator[Statement]:
    for statement in statements:
        yield statement
        yield from _visit(statement.members)
