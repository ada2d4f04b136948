"""Versions in running text: found as whole tokens and compared by their numbers, so that 1.1, 1.10 and 1.11 differ."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import total_ordering
from typing import Final

from citewell.text.folding import normalize_text

_VERSION: Final = re.compile(
    r"(?<![0-9A-Za-z_.$€£¥])(?<!\d[-/:])"
    r"(?P<v>[vV])?(?P<numbers>\d{1,4}(?:\.\d{1,4}){0,3})"
    r"(?:[-.]?(?P<stage>alpha|beta|rc|dev|a|b|pre)[-.]?(?P<number>\d{1,4})?)?"
    r"(?:\.[xX*])?"
    r"(?![0-9A-Za-z_%°€]|\.\d|[-/]\d)",
    re.IGNORECASE,
)
_MEASURE: Final = re.compile(
    r"\s?(?:%|percent|s|ms|sec|secs|seconds?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|times|x"
    r"|[kmgt]i?b|[kmgt]?hz|cores?|cpus?|million|billion|points?|saniye|dakika|saat|gün|yüzde|kat|秒|分钟|小时|天|倍|元|度|万|亿)"
    r"(?!\w)|\s?(?:秒|分钟|小时|天|倍|元|度|万|亿|个)",
    re.IGNORECASE,
)
_STAGES: Final = {"dev": 0, "a": 1, "alpha": 1, "pre": 1, "b": 2, "beta": 2, "rc": 3}
_RELEASED: Final = (9, 0)


@total_ordering
@dataclass(frozen=True, slots=True)
class Version:
    """A version: its ``numbers``, and where it stands before its release: ``(stage, number)``.

    Equal versions may be written differently: 1.10 is 1.10.0, and 26.03 is 26.3.
    """

    numbers: tuple[int, ...]
    stage: tuple[int, int] = _RELEASED

    @property
    def _key(self) -> tuple[tuple[int, ...], tuple[int, int]]:
        numbers = self.numbers
        while len(numbers) > 1 and numbers[-1] == 0:
            numbers = numbers[:-1]
        return numbers, self.stage

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __lt__(self, other: Version) -> bool:
        return self._key < other._key

    def covers(self, other: Version) -> bool:
        """Say whether ``other`` is this version or belongs to its series: 1.10 covers 1.10.2 and 1.10.0, but never 1.1.

        A single number is no series: 1 covers nothing but itself.
        """
        if self == other:
            return True
        series = len(self.numbers) > 1 and self.stage == _RELEASED
        return series and other.numbers[: len(self.numbers)] == self.numbers


@dataclass(frozen=True, slots=True)
class Mention:
    """A version as it stands in a text, from ``start`` to ``end``."""

    version: Version
    start: int
    end: int


def parse_version(text: str) -> Version | None:
    """Return the version that ``text`` is as a whole, with or without a ``v``; None where it is none."""
    mentions = find_versions(text.strip())
    whole = len(mentions) == 1 and (mentions[0].start, mentions[0].end) == (0, len(text.strip()))
    return mentions[0].version if whole else None


def find_versions(text: str) -> list[Mention]:
    """Return the versions that ``text`` mentions, in order.

    Two numbers or more, or one after a ``v``. Dates, addresses of machines, ratios, times, and numbers with a unit are none.
    """
    normal = normalize_text(text)
    source = normal if len(normal) == len(text) else text
    return [_mention(match) for match in _VERSION.finditer(source) if _is_version(match, source)]


def _is_version(match: re.Match[str], text: str) -> bool:
    numbers = match["numbers"].split(".")
    if len(numbers) == 4 or (len(numbers) == 1 and not match["v"]):
        return False
    if len(numbers) == 3 and len(numbers[0]) == 4 and 1 <= int(numbers[1]) <= 12 and 1 <= int(numbers[2]) <= 31:
        return False
    return bool(match["v"]) or len(numbers) > 2 or not _MEASURE.match(text, match.end())


def _mention(match: re.Match[str]) -> Mention:
    numbers = tuple(int(number) for number in match["numbers"].split("."))
    stage = match["stage"]
    place = _RELEASED if stage is None else (_STAGES[stage.lower()], int(match["number"] or 0))
    return Mention(Version(numbers, place), match.start(), match.end())
