"""What was not tested for want of an engine, in one line an engine."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

NOT_THERE = re.compile(r"(?:Skipped: )?(?P<engine>[\w.-]+) is not there: (?P<why>.+)", re.DOTALL)


def left_out(reasons: Iterable[str]) -> list[str]:
    """Return a line for each engine that ``reasons`` of skipped tests name: how many tests were left out, and why."""
    counted = Counter(found.groups() for found in map(NOT_THERE.fullmatch, reasons) if found)
    return [
        f"engines: {count} {'test' if count == 1 else 'tests'} left out for want of {engine}: {why}"
        for (engine, why), count in sorted(counted.items())
    ]
