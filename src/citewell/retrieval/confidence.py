"""How far the best passage can be trusted, as one number that means the same for every query."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from citewell.core.ports import Candidates


@dataclass(frozen=True, slots=True)
class Calibration:
    """Where a model's cosine turns from unrelated to related (``midpoint``), and how sharply (``width``)."""

    midpoint: float
    width: float


GENERIC: Final = Calibration(midpoint=0.45, width=0.10)

CALIBRATIONS: Final[dict[str, Calibration]] = {}
"""By the part of the model's name before the first ``/``: constants of the model, never statistics of a corpus."""


def confidence(model: str, lexical: Candidates, dense: Candidates) -> float:
    """Return 0..1: the more certain of two witnesses, the best cosine and the best share of the query's words.

    Both are absolute, so the number does not depend on k, on the other candidates or on anything hidden.
    """
    return max(_dense_confidence(model, dense), _lexical_confidence(lexical))


def _dense_confidence(model: str, dense: Candidates) -> float:
    if not dense.hits:
        return 0.0
    calibration = CALIBRATIONS.get(model.partition("/")[0], GENERIC)
    return 1 / (1 + math.exp(-(dense.hits[0].score - calibration.midpoint) / calibration.width))


def _lexical_confidence(lexical: Candidates) -> float:
    if not lexical.hits or not lexical.ceiling:
        return 0.0
    return min(1.0, lexical.hits[0].score / lexical.ceiling)
