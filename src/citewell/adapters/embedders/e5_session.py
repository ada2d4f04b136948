"""Runs multilingual-e5-small in int8 by onnxruntime: a graph without weights, fed from the 4-bit file."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from citewell.adapters.embedders.e5_tokenizer import WINDOW, E5Tokenizer
from citewell.adapters.embedders.e5_weights import dequantise, read_weights

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession, OrtValue

    from citewell.adapters.embedders.e5_weights import E5Weights
    from citewell.core.ports import Role, Vectors

GRAPH = "e5_small.onnx"
PREFIXES: dict[Role, str] = {"query": "query:", "passage": "passage:"}


class E5Model:
    """The loaded model. Thread-safe: nothing in it changes after loading."""

    dimension = 384

    def __init__(self, path: Path) -> None:
        weights = read_weights(path)
        self._tokenizer = E5Tokenizer(weights)
        self._words = weights.tensors["emb.word"]
        kind = weights.tensors["emb.type"][: weights.hidden]
        self._places = weights.tensors["emb.pos"].reshape(WINDOW, weights.hidden) + kind
        # onnxruntime reads these arrays in place and does not keep them alive.
        self._fed = graph_values(weights)
        self._session = open_session(self._fed)

    def embed(self, text: str, role: Role) -> Vectors:
        """Return the unit vector of ``text``, shape (384,); of several windows, of their mean weighted by their tokens.

        The mean of windows lies nearer to every query than a window does. Full windows and weights keep that effect small for
        texts just beyond one window, where halves of equal weight would make it largest.
        """
        import numpy as np

        windows = self._tokenizer.windows(PREFIXES[role], text)
        means = [self.token_vectors(window).mean(axis=0) for window in windows]
        mean: Vectors = np.average(means, axis=0, weights=np.array([len(window) for window in windows], np.float32))
        mean /= np.linalg.norm(mean)
        return mean

    def word_vectors(self, text: str, role: Role) -> Vectors:
        """Return the last layer at the tokens of ``text`` that hold a letter or digit, shape (tokens, 384), as unit rows.

        A text without any gives those of all its tokens.
        """
        import numpy as np

        head = self._tokenizer.head_length(PREFIXES[role])
        rows = []
        for window in self._tokenizer.windows(PREFIXES[role], text):
            words = [place for place in range(head, len(window) - 1) if self._tokenizer.is_word(window[place])]
            rows.append(self.token_vectors(window)[words or slice(None)])
        vectors: Vectors = np.concatenate(rows)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors

    def token_vectors(self, ids: list[int]) -> Vectors:
        """Return the last layer for one window of token ids, shape (len(ids), 384), not normalised."""
        embedded = dequantise(self._words[ids]) + self._places[: len(ids)]
        (hidden,) = self._session.run(["hidden"], {"embedded": embedded[None]})
        tokens: Vectors = hidden[0]
        return tokens


_loading = Lock()


def shared_model(path: Path) -> E5Model:
    """Return the model of the weights at ``path``: the same one for everybody in this process, loaded once."""
    with _loading:
        return _load(path)


@cache
def _load(path: Path) -> E5Model:
    return E5Model(path)


def graph_values(weights: E5Weights) -> dict[str, OrtValue]:
    """Return every initializer of the graph by its name."""
    import numpy as np
    from onnxruntime import OrtValue

    tensors = graph_tensors(weights)
    return {name: OrtValue.ortvalue_from_numpy(np.ascontiguousarray(tensor)) for name, tensor in tensors.items()}


def open_session(values: dict[str, OrtValue]) -> InferenceSession:
    """Return a session over the bundled graph with ``values`` as its initializers. They must live as long as it does."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    # Spinning threads gain nothing on short runs and take the cores from everybody else.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_external_initializers(list(values), list(values.values()))
    graph = files(__package__).joinpath(GRAPH).read_bytes()
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


def graph_tensors(weights: E5Weights) -> dict[str, NDArray[Any]]:
    """Return the arrays that the graph needs, by name. The three projections of attention are joined into one."""
    import numpy as np

    tensors = dict(weights.tensors)
    for layer in range(weights.layers):
        for part in ("w", "b"):
            parts = [tensors.pop(f"l{layer}.{name}.{part}") for name in "qkv"]
            tensors[f"l{layer}.qkv.{part}"] = np.concatenate(parts)
    fed: dict[str, NDArray[Any]] = {}
    for name, tensor in tensors.items():
        if name.startswith("l") and tensor.ndim > 1:
            fed[f"{name}.int8"], fed[f"{name}.scale"] = quantise_columns(dequantise(tensor))
        elif name not in ("emb.word", "emb.pos", "emb.type"):
            fed[name] = tensor
    return fed


def quantise_columns(matrix: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return ``matrix`` (outputs, inputs) as int8 of shape (inputs, outputs), and the scale of each output.

    Seven bits, because the kernels for processors without VNNI add two products in 16 bits, which eight would overflow.
    """
    import numpy as np

    scale = np.abs(matrix).max(axis=1) / 63
    return np.rint(matrix / scale[:, None]).astype(np.int8).T, scale
