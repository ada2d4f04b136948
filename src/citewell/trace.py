"""What happened during one call: named stages and how long each took."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass(slots=True)
class Trace:
    """The stages of one call in the order they ended, with milliseconds of wall time."""

    stages: list[tuple[str, float]] = field(default_factory=list[tuple[str, float]])


_current: ContextVar[Trace | None] = ContextVar("citewell_trace", default=None)


@contextmanager
def start_trace() -> Iterator[Trace]:
    """Collect the stages of everything that runs inside, tasks and worker threads included; an outer trace gets them, too."""
    outer = _current.get()
    trace = Trace()
    token = _current.set(trace)
    try:
        yield trace
    finally:
        _current.reset(token)
        if outer is not None:
            outer.stages += trace.stages


@contextmanager
def stage(name: str) -> Iterator[None]:
    """Time the block as the stage ``name`` of the current trace; do nothing where there is none."""
    trace = _current.get()
    began = time.perf_counter()
    try:
        yield
    finally:
        if trace is not None:
            trace.stages.append((name, (time.perf_counter() - began) * 1000))
