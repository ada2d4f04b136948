"""How far the best passage can be trusted, as one number that means the same for every query."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from citewell.core.ports import Candidates

RIVALS: Final = 9
"""How many further candidates the best one is held against."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Coefficients of a logistic function: constants that ship with a model, never statistics of a corpus.

    ``lead`` weighs by how much the best cosine exceeds the mean of its rivals, ``share`` the part of the query's ceiling
    that the best BM25 score reaches, ``coverage`` the part of the query that occurs at all. ``background`` is the cosine of
    texts that have nothing to do with each other: it stands in for rivals that a small corpus lacks.
    """

    bias: float
    share: float
    coverage: float = 0.0
    lead: float = 0.0
    background: float = 0.0


WORDS_ONLY: Final = Calibration(bias=-3.56, share=23.1)
"""For models nobody calibrated: their cosines are not trusted. Fitted on the sets in one language."""

CALIBRATIONS: Final = {"bundled": Calibration(bias=-1.41, share=10.2, coverage=-2.4, lead=34.0, background=0.66)}
"""By the part of the model's name before the first ``/``.

Fitted on 1,065 questions of eight public sets (four languages, prose and code), each asked once of the whole corpus and once
of the corpus without the passage that answers it.
"""


def confidence(model: str, lexical: Candidates, dense: Candidates) -> float:
    """Return the probability, 0..1, that the best passage answers the query; 0 where nothing was found.

    It does not depend on k, and on no passage but the first ten of the visible ones.
    """
    if not lexical.hits and not dense.hits:
        return 0.0
    calibration = CALIBRATIONS.get(model.partition("/")[0], WORDS_ONLY) if dense.hits else WORDS_ONLY
    evidence = (
        calibration.bias
        + calibration.lead * _lead(dense, calibration.background)
        + calibration.share * _share(lexical)
        + calibration.coverage * (lexical.coverage or 0.0)
    )
    return 1 / (1 + math.exp(-evidence))


def _lead(dense: Candidates, background: float) -> float:
    if not dense.hits:
        return 0.0
    rivals = [hit.score for hit in dense.hits[1 : RIVALS + 1]]
    rivals += [background] * (RIVALS - len(rivals))
    return dense.hits[0].score - sum(rivals) / RIVALS


def _share(lexical: Candidates) -> float:
    return lexical.hits[0].score / lexical.ceiling if lexical.hits and lexical.ceiling else 0.0
