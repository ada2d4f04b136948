"""What a vector must be before a store takes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

from citewell.core.errors import EmbeddingFailed, WrongDimension
from citewell.core.model import PassageHash

if TYPE_CHECKING:
    from citewell.core.ports import Vectors

LEAST: Final = 1e-5
"""A vector whose components are all smaller than this is as good as zero."""

LARGEST: Final = 1e3
"""Unit vectors stay within 1; far beyond, half precision ends."""


def vet_vector(vector: Vectors, dimension: int | None) -> Vectors:
    """Return ``vector`` as a contiguous float32 row.

    A float64 query would make numpy convert a whole matrix for every search, silently; hence the conversion here.
    Raises WrongDimension, where ``dimension`` is known and differs, or EmbeddingFailed for what no model means to say.
    """
    row = np.ascontiguousarray(vector, dtype=np.float32)
    if row.ndim != 1 or row.size == 0 or (dimension is not None and row.size != dimension):
        raise WrongDimension(f"The vector has the shape {row.shape}; vectors of {dimension or 'one or more'} are kept.")
    if not np.isfinite(row).all():
        raise EmbeddingFailed("The embedding model answered with a vector that is not finite.")
    largest = float(np.abs(row).max())
    if largest < LEAST or largest > LARGEST:
        raise EmbeddingFailed("The embedding model answered with a vector that is zero or far too long.")
    if row.size > 1 and float(np.ptp(row)) == 0.0:
        raise EmbeddingFailed("The embedding model answered with a vector whose components are all the same.")
    return row


def vet_vectors(vectors: Mapping[PassageHash, Vectors], dimension: int | None) -> dict[PassageHash, Vectors]:
    """Return all of ``vectors`` vetted, every one of the same dimension. Raises as ``vet_vector`` does."""
    vetted: dict[PassageHash, Vectors] = {}
    for name, vector in vectors.items():
        vetted[name] = vet_vector(vector, dimension)
        dimension = vetted[name].size
    return vetted
