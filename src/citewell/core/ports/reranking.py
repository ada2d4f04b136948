"""Models that read a query and a passage together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Scores = NDArray[np.float32]


@runtime_checkable
class Reranker(Protocol):
    """Says how well passages answer a query: more slowly than a search, and better.

    A score depends on the query and its passage alone, to the last bit, whatever else is in the call.
    """

    @property
    def name(self) -> str:
        """The identity of the model: equal names mean equal scores."""
        ...

    async def score(self, query: str, passages: Sequence[str]) -> Scores:
        """Return a float32 score, 0..1, for each of ``passages``, in their order: how likely it is that it answers the query.

        May be cancelled between two passages. Raises VectorSearchFailed.
        """
        ...
