"""Models that turn texts into vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

Role = Literal["query", "passage"]


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into unit vectors whose dot product is their similarity.

    ``name`` identifies the vector space: equal names mean comparable vectors. A vector depends on its text and role
    alone, to the last bit, whatever else is in the call.
    """

    @property
    def name(self) -> str:
        """The identity of the vector space."""
        ...

    @property
    def degraded(self) -> tuple[str, ...]:
        """Reasons in lower_snake why this embedder is weaker than configured; usually none."""
        ...

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """Return float32 unit rows in the order of ``texts``, shape (len(texts), dimension).

        Raises EmbeddingFailed; never returns NaN, zero or missing rows.
        """
        ...
