"""``hash:``: a deterministic embedder without a model, for tests and trials: texts that share words are similar."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING
from zlib import crc32

from citewell.adapters.embedders.vector_checks import unit_rows
from citewell.core.errors import ConfigurationError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from citewell.core.ports import Embedder, Role, Vectors

DIMENSION = 256


def open_embedder(rest: str, secrets: Mapping[str, str]) -> Embedder:
    """Return the hashing embedder. Raises ConfigurationError when ``rest`` is not empty."""
    if rest:
        raise ConfigurationError(f"'hash:' takes nothing after the colon, but was given '{rest}'.")
    return HashEmbedder()


class HashEmbedder:
    """Sums a pseudo-random sparse vector for each word and each run of two to four characters within a word.

    This is feature hashing with signs (Weinberger et al., 2009): the expected dot product of two texts is that of their
    feature counts. Queries and passages share one space without prefixes.
    """

    @property
    def name(self) -> str:
        """Always ``hash/256-1``."""
        return f"hash/{DIMENSION}-1"

    @property
    def degraded(self) -> tuple[str, ...]:
        """Nothing: it is as good as it gets."""
        return ()

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """Return unit rows of 256 numbers; the same on every machine and in every process."""
        import numpy as np

        rows = np.array([_sum_features(text) for text in texts]).reshape(len(texts), DIMENSION)
        return unit_rows(rows, len(texts), DIMENSION, "The hashing embedder")


def _sum_features(text: str) -> NDArray[np.float64]:
    import numpy as np

    hashes = np.array([crc32(feature.encode("utf-8", "surrogatepass")) for feature in _features(text)], np.uint32)
    places = np.concatenate([hashes & 0xFF, hashes >> 16 & 0xFF])
    signs = np.concatenate([hashes >> 8 & 1, hashes >> 24 & 1]) * 2.0 - 1
    # The sums are whole numbers, so the ramp of fractions is neither cancelled nor noticed; it alone stands for blank texts.
    ramp = np.arange(1, DIMENSION + 1) / (1000 * DIMENSION)
    total: NDArray[np.float64] = np.bincount(places, signs, DIMENSION) + ramp
    return total


def _features(text: str) -> Iterator[str]:
    for word in unicodedata.normalize("NFKC", text).casefold().replace("\0", " ").split():
        yield from (word, f"={word}", f"#{word}")  # a whole word counts as much as three of its parts
        padded = f"<{word}>"
        for size in (2, 3, 4):
            yield from (padded[start : start + size] for start in range(len(padded) - size + 1))
