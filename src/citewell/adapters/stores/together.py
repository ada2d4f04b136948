"""Several questions at the same time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import anyio

T = TypeVar("T")


async def together(asked: Sequence[Callable[[], Awaitable[T]]]) -> list[T]:
    """Return what all of ``asked`` return, in their order, asked at the same time; the first failure is raised."""
    answers: dict[int, T] = {}

    async def ask(place: int, call: Callable[[], Awaitable[T]]) -> None:
        answers[place] = await call()

    try:
        async with anyio.create_task_group() as tasks:
            for place, call in enumerate(asked):
                tasks.start_soon(ask, place, call)
    except ExceptionGroup as group:
        raise group.exceptions[0] from None
    return [answers[place] for place in range(len(asked))]
