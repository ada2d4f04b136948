"""``onnx:DIR``: any local folder with a sentence-transformers model exported to ONNX. Nothing is downloaded."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from anyio import to_thread

from citewell.adapters.embedders.folder_settings import FolderSettings, read_settings
from citewell.adapters.embedders.text_repair import repair_text
from citewell.adapters.embedders.worker_thread import embed_each
from citewell.core.errors import CitewellError, ConfigurationError, EmbeddingFailed

if TYPE_CHECKING:
    from tokenizers import Encoding

    from citewell.core.ports import Embedder, Role, Vectors

INPUTS = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
"""The inputs that a graph may have, and the attribute of an encoding that feeds each."""
BLANK = "."
"""Embedded in place of a text without tokens."""


def open_embedder(rest: str, secrets: Mapping[str, str]) -> Embedder:
    """Return an embedder over the folder ``rest``. The model itself is loaded when the first text is embedded.

    Raises ConfigurationError, naming the file, when one is missing or asks for something that is not supported.
    """
    if not rest:
        raise ConfigurationError("'onnx:' needs a folder, as in 'onnx:./model'.")
    return FolderEmbedder(Path(rest))


class FolderEmbedder:
    """A model of a folder: tokenizer, ONNX graph, pooling, prompts."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._settings = read_settings(folder)
        self._lock = Lock()
        self._name = ""
        self._model: FolderModel | None = None

    @property
    def name(self) -> str:
        """The folder's name and a hash of everything that decides about its vectors. The first call reads the files."""
        with self._lock:
            self._name = self._name or f"onnx/{self._folder.resolve().name}@{_fingerprint(self._settings)}"
            return self._name

    @property
    def degraded(self) -> tuple[str, ...]:
        """Nothing: a folder that cannot be used is refused."""
        return ()

    async def embed(self, texts: Sequence[str], role: Role) -> Vectors:
        """Return unit rows. Texts beyond the model's window are embedded piece by piece and averaged.

        Raises EmbeddingFailed when the model cannot be loaded or run.
        """
        model = await to_thread.run_sync(self._load)
        prompt = self._settings.prompts[role]
        with _failures_named(self._settings.model):
            return await embed_each(partial(model.embed, prompt), texts, model.dimension, f"The model in {self._folder.name}")

    def _load(self) -> FolderModel:
        with self._lock:
            if self._model is None:
                with _failures_named(self._settings.model):
                    self._model = FolderModel(self._settings)
            return self._model


class FolderModel:
    """The loaded model. Thread-safe: nothing in it changes after loading."""

    def __init__(self, settings: FolderSettings) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(str(settings.model), options, providers=["CPUExecutionProvider"])
        self._inputs = [argument.name for argument in self._session.get_inputs()]
        unknown = [name for name in self._inputs if name not in INPUTS]
        if unknown:
            raise EmbeddingFailed(f"{settings.model} wants the input '{unknown[0]}', which a text encoder does not have.")
        self._output = self._session.get_outputs()[0].name
        self._pooling = settings.pooling
        self._tokenizer = Tokenizer.from_file(str(settings.tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(settings.window)
        self.dimension = len(self.embed("", "dimension"))

    def embed(self, prompt: str, text: str) -> Vectors:
        """Return the pooled vector of ``text``, not normalised: the mean of its pieces, weighted by their tokens."""
        import numpy as np

        first = self._tokenizer.encode(prompt + repair_text(text))
        if not first.ids:  # a blank text, and a tokenizer without special tokens
            first = self._tokenizer.encode(BLANK)
        pieces = [first, *first.overflowing]
        vectors = [self._run(piece) for piece in pieces]
        mean: Vectors = np.average(vectors, axis=0, weights=[len(piece.ids) for piece in pieces])
        return mean

    def _run(self, piece: Encoding) -> Vectors:
        import numpy as np

        feeds = {name: np.array([getattr(piece, INPUTS[name])], np.int64) for name in self._inputs}
        (output,) = self._session.run([self._output], feeds)
        tokens: Vectors = output[0]
        if tokens.ndim == 1:  # the graph pools by itself
            return tokens
        pooled: dict[str, Vectors] = {"mean": tokens.mean(axis=0), "cls": tokens[0], "max": tokens.max(axis=0)}
        return pooled[self._pooling]


@contextmanager
def _failures_named(model: Path) -> Iterator[None]:
    try:
        yield
    except CitewellError:
        raise
    except Exception as failure:  # neither onnxruntime nor tokenizers has an error class of its own
        raise EmbeddingFailed(f"The model '{model}' or its tokenizer cannot be used.", detail=str(failure)) from failure


def _fingerprint(settings: FolderSettings) -> str:
    digest = hashlib.sha256(repr((settings.pooling, settings.window, sorted(settings.prompts.items()))).encode())
    for path in (settings.model, settings.tokenizer):
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:12]
