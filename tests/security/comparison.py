"""Two worlds compared: whoever may not read some documents is told the same where they are and where they never were."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from scenes import Key, Scene, canary

PARTS = 3
"""Into how many tests the examples of a surface are divided, so that several processes can share them."""

EXAMPLES = -(-int(os.environ.get("FUZZ_EXAMPLES", "300")) // PARTS)
"""How many examples each part has."""


class Difference(AssertionError):
    """Something told the two worlds apart."""


class Leak(AssertionError):
    """What only hidden documents say was said."""


@dataclass
class Telling:
    """All that a world told the asker, and what it left elsewhere: in logs and in the audit."""

    answers: list[str] = field(default_factory=list[str])
    aside: list[str] = field(default_factory=list[str])


Surface = Callable[[Scene, frozenset[Key]], Telling]
"""Plays a scene with some of its files and asks everything that is asked in it."""


@dataclass
class Tally:
    """What was compared so far."""

    name: str
    began: float = field(default_factory=time.perf_counter)
    examples: int = 0
    telling: int = 0
    answers: int = 0

    def __str__(self) -> str:
        seconds = time.perf_counter() - self.began
        return (
            f"{self.name}: {self.examples:,} examples ({self.telling:,} with documents on both sides),"
            f" {self.answers:,} answers, 0 differences, 0 leaks, {seconds:.0f} s"
        )


def compare(scene: Scene, visible: frozenset[str], surface: Surface, tally: Tally) -> None:
    """Raise Difference or Leak where ``surface`` gives away anything beyond what ``visible`` admits."""
    readable = scene.readable(visible)
    whole, without = surface(scene, scene.keys), surface(scene, readable)
    _check_canaries(whole, scene.keys - readable)
    for number, (one, other) in enumerate(zip(whole.answers, without.answers, strict=False)):
        if one != other:
            raise Difference(f"Answer {number}:\n with: {one}\n without: {other}")
    if len(whole.answers) != len(without.answers):
        raise Difference(f"{len(whole.answers)} answers instead of {len(without.answers)}")
    tally.examples += 1
    tally.telling += bool(readable and scene.keys - readable)
    tally.answers += len(whole.answers)


def _check_canaries(telling: Telling, hidden: frozenset[Key]) -> None:
    everything = "\n".join(telling.answers + telling.aside)
    for key in hidden:
        if canary(key) in everything:
            raise Leak(f"The canary of {key} was let out.")


@contextmanager
def overheard() -> Iterator[list[str]]:
    """Everything that is logged meanwhile, at every level, tracebacks included."""
    lines: list[str] = []
    logger = logging.getLogger("citewell")
    handler = _Ear(lines)
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        yield lines
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


class _Ear(logging.Handler):
    def __init__(self, lines: list[str]) -> None:
        super().__init__(logging.NOTSET)
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.append(self.format(record))
