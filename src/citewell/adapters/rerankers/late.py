"""``late:``: late interaction over the token vectors of the default embedder's first model, multilingual-e5-small.

Each word of the query is held against the word of the passage that is most like it; the mean of these cosines is the score.
This is MaxSim (Khattab and Zaharia 2020, "ColBERT"), here with a model not trained for it. The token vectors of such a model
all point much the same way; without what they have in common, the differences decide.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

from anyio import to_thread

from citewell.adapters.embedders.bundled import E5_FILE
from citewell.adapters.embedders.e5_session import E5Model, shared_model
from citewell.adapters.embedders.weight_files import WeightFile, locate
from citewell.core.errors import ConfigurationError, EmbeddingFailed, VectorSearchFailed

if TYPE_CHECKING:
    from citewell.core.ports import Reranker, Vectors
    from citewell.core.ports.reranking import Scores

NEUTRAL_TEXTS = (
    "The committee will meet again on the first Monday of next month.",
    "Water the plants in the morning, before the sun is high, and only when the soil is dry.",
    "If the connection is lost, the client waits two seconds and tries again.",
    "She had lived in the same house for forty years and knew every step of its stairs.",
    "def read_lines(path): return [line.strip() for line in open(path)]",
    "Kütüphane hafta içi her gün saat dokuzda açılır, cumartesi günleri kapalıdır.",
    "Yağmur dinince çocuklar sokağa çıktı ve yeniden oyuna başladı.",
    "Ayarlar kaydedilmezse program bir sonraki açılışta eski değerleri kullanır.",
    "图书馆星期一到星期五早上九点开门，周末休息。",
    "他把信看了两遍，放回抽屉里，什么话也没有说。",
    "如果连接中断，客户端会等待两秒钟再重新尝试。",
    "这座桥建于一九三二年，后来经过两次大的维修。",
    "Der Zug nach Norden fährt heute zwanzig Minuten später ab.",
    "La réunion est reportée à jeudi, parce que la salle est occupée.",
    "El pueblo está rodeado de montañas y tiene un mercado los domingos.",
    "このページは先月更新されました。",
)
"""Texts of many kinds whose mean token vector stands for what all token vectors have in common: a constant of the model."""

BIAS = -9.84
SLOPE = 16.56
"""From likeness to the probability of an answer. Fitted once on 360 questions of six public sets (three languages, and across
two), each asked of the corpus with the passage that answers it and without; no command repeats the fit."""


def open_reranker(rest: str, secrets: Mapping[str, str]) -> Reranker:
    """Return the reranker; nothing is read before the first score. Raises ConfigurationError when ``rest`` is not empty."""
    if rest:
        raise ConfigurationError(f"'late:' takes nothing after the colon, but was given '{rest}'.")
    return LateReranker()


class LateReranker:
    """Reads one passage at a time, so that a score depends on no other and a call may end between two."""

    def __init__(self, file: WeightFile = E5_FILE) -> None:
        self._file = file
        self._lock = Lock()
        self._loaded: tuple[E5Model, Vectors] | None = None

    @property
    def name(self) -> str:
        """The model, and the way its vectors are compared."""
        return f"late/multilingual-e5-small.q4-int8@{self._file.sha256[:8]}/1"

    async def score(self, query: str, passages: Sequence[str]) -> Scores:
        """Return for each passage the probability that it answers, from the mean cosine of the query's words and those most
        like them in it. Raises VectorSearchFailed where the model's package is missing or is not the pinned one.
        """
        import numpy as np

        if not passages:
            return np.empty(0, np.float32)
        # Abandoned, a thread ends by itself: whoever has a budget does not wait for it.
        model, common = await to_thread.run_sync(self._load, abandon_on_cancel=True)
        wanted = await to_thread.run_sync(_centred_words, model, common, query, True, abandon_on_cancel=True)
        compare = partial(_compare, model, common, wanted)
        scores = [await to_thread.run_sync(compare, passage, abandon_on_cancel=True) for passage in passages]
        return np.array(scores, np.float32)

    def _load(self) -> tuple[E5Model, Vectors]:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load_model(self._file)
            return self._loaded


def _load_model(file: WeightFile) -> tuple[E5Model, Vectors]:
    import numpy as np

    try:
        model = shared_model(locate(file))
    except EmbeddingFailed as failure:
        raise VectorSearchFailed(failure.message, detail=failure.detail) from failure
    except ModuleNotFoundError as error:
        problem = f"'late:' needs the package {error.name}, which is missing: pip install {error.name}"
        raise VectorSearchFailed(problem) from error
    words = np.concatenate([model.word_vectors(text, "passage") for text in NEUTRAL_TEXTS])
    return model, words.mean(axis=0)


def _compare(model: E5Model, common: Vectors, wanted: Vectors, passage: str) -> float:
    found = _centred_words(model, common, passage, False)
    likeness = float((wanted @ found.T).max(axis=1).mean())
    return 1 / (1 + math.exp(-(BIAS + SLOPE * likeness)))


def _centred_words(model: E5Model, common: Vectors, text: str, asked: bool) -> Vectors:
    import numpy as np

    words = model.word_vectors(text, "query" if asked else "passage") - common
    words /= np.linalg.norm(words, axis=1, keepdims=True)
    return words
