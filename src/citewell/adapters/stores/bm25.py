"""The ranking function of every store whose statistics are ours: BM25 in Lucene's variant."""

from __future__ import annotations

import math
from typing import Final

K1: Final = 3.0
"""How slowly further occurrences of a term stop counting. High, because frequencies are sums of field weights up to 3."""

B: Final = 0.5
"""How much a long chunk is held against it, from 0 (not at all) to 1 (in proportion)."""


def inverse_document_frequency(chunks: int, containing: int) -> float:
    """Return the weight of a term that ``containing`` of ``chunks`` chunks have: ln(1 + (N - df + 0.5) / (df + 0.5)).

    Robertson and Zaragoza, *The Probabilistic Relevance Framework* (2009), with Lucene's ``1 +``, which keeps it positive.
    """
    return math.log(1 + (chunks - containing + 0.5) / (containing + 0.5))
