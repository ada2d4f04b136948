"""The one gate that vectors pass on their way out of an embedder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from citewell.core.errors import EmbeddingFailed, WrongDimension

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from citewell.core.ports import Vectors


def unit_rows(rows: NDArray[Any], count: int, dimension: int | None, origin: str) -> Vectors:
    """Return ``rows`` scaled to length 1 as float32, shape (count, dimension); any dimension will do when it is None.

    Raises EmbeddingFailed, naming ``origin`` and the first bad row, when a row is not finite, zero, or the same number
    throughout, or when the count is wrong; WrongDimension when the width is.
    """
    import numpy as np

    if rows.ndim != 2 or rows.shape[0] != count:
        raise EmbeddingFailed(f"{origin} returned vectors of shape {rows.shape} for {count} texts.")
    if dimension is not None and rows.shape[1] != dimension:
        raise WrongDimension(f"{origin} returned vectors of {rows.shape[1]} numbers instead of {dimension}.")
    exact: NDArray[np.float64] = rows.astype(np.float64)
    _refuse(~np.isfinite(exact).all(axis=1), f"{origin} returned a vector with NaN or infinity")
    peaks = np.abs(exact).max(axis=1, initial=0)
    _refuse(peaks == 0, f"{origin} returned a vector of zeros")
    _refuse((exact == exact[:, :1]).all(axis=1), f"{origin} returned a vector of one repeated number")
    exact /= peaks[:, None]  # squares of very large and very small numbers leave the range of float64
    unit: Vectors = (exact / np.linalg.norm(exact, axis=1, keepdims=True)).astype(np.float32)
    return unit


def _refuse(bad: Any, complaint: str) -> None:
    if bad.any():
        raise EmbeddingFailed(f"{complaint} (row {int(bad.argmax())} of {len(bad)}); it was not stored.")
