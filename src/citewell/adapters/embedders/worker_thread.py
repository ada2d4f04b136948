"""Runs a blocking model off the event loop, one text at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from anyio import to_thread

from citewell.adapters.embedders.vector_checks import unit_rows

if TYPE_CHECKING:
    from citewell.core.ports import Vectors


async def embed_each(embed: Callable[[str], Vectors], texts: Sequence[str], dimension: int, origin: str) -> Vectors:
    """Return a unit row for each text, shape (len(texts), dimension).

    One text a run makes a vector independent of its neighbours, which dynamic quantisation and padding would not, and lets a
    query or a cancellation in between the passages of a long call.
    """
    import numpy as np

    rows = [await to_thread.run_sync(embed, text) for text in texts]
    return unit_rows(
        np.array(rows, np.float32).reshape(len(texts), -1) if rows else np.empty((0, dimension)),
        len(texts),
        dimension,
        origin,
    )
