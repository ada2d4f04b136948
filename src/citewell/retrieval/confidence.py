"""How far the best passage can be trusted, as one number that means the same for every query."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import Final

from citewell.core.ports import Candidates

RIVALS: Final = 9
"""How many further candidates the best one is held against."""

FIELD: Final = 50
"""How many candidates make up the field whose spread is the measure of a lead."""

LEAST_SPREAD: Final = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Coefficients of a logistic function: constants that ship with a model, never statistics of a corpus.

    ``lead`` weighs by how many standard deviations of the field the best cosine exceeds the mean of its rivals; ``share`` the
    part of the query's ceiling that the best BM25 score reaches, times the root of the number of its words, since no passage
    holds all of a long question; ``coverage`` the part of the query that occurs at all. ``background`` is the cosine of texts
    that have nothing to do with each other: it stands in for the rivals that a small corpus lacks.
    """

    bias: float
    share: float
    coverage: float = 0.0
    lead: float = 0.0
    background: float = 0.0


WORDS_ONLY: Final = Calibration(bias=-2.9, share=6.0)
"""For models nobody calibrated: their cosines are not trusted. Fitted on the sets in one language."""

CALIBRATIONS: Final = {"bundled": Calibration(bias=-1.31, share=3.72, coverage=-2.6, lead=0.38, background=0.66)}
"""By the part of the model's name before the first ``/``.

Fitted on 900 questions of eight public sets (four languages, prose and code), each asked once of the whole corpus and once of
the corpus without the passage that answers it.
"""


def confidence(model: str, words: int, lexical: Candidates, dense: Candidates) -> float:
    """Return the probability, 0..1, that the best passage answers a query of ``words`` words; 0 where nothing was found.

    It depends neither on k nor on any passage that is hidden.
    """
    if not lexical.hits and not dense.hits:
        return 0.0
    calibration = CALIBRATIONS.get(model.partition("/")[0], WORDS_ONLY) if dense.hits else WORDS_ONLY
    evidence = (
        calibration.bias
        + calibration.lead * _lead(dense, calibration.background)
        + calibration.share * _share(lexical) * math.sqrt(words)
        + calibration.coverage * (lexical.coverage or 0.0)
    )
    return 1 / (1 + math.exp(-evidence))


def _lead(dense: Candidates, background: float) -> float:
    if not dense.hits:
        return 0.0
    best, *others = [hit.score for hit in dense.hits[:FIELD]]
    others += [background] * (RIVALS - len(others))
    return (best - statistics.fmean(others[:RIVALS])) / max(statistics.pstdev(others), LEAST_SPREAD)


def _share(lexical: Candidates) -> float:
    return lexical.hits[0].score / lexical.ceiling if lexical.hits and lexical.ceiling else 0.0
