"""Files of named arrays that are mapped into memory, and known to be whole before they are used.

Everything kept this way can be computed again, so a file that is missing, cut off or damaged is simply not there.
"""

from __future__ import annotations

import json
import mmap
import os
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_MAGIC: Final = b"citewell index 1\n"
_ALIGNMENT: Final = 64

Arrays = Mapping[str, NDArray[Any]]
Facts = dict[str, Any]


def write_archive(path: Path, arrays: Arrays, facts: Facts) -> None:
    """Write ``arrays`` and ``facts`` to ``path``, whole or not at all. Raises OSError."""
    layout: list[tuple[str, str, list[int], int, int]] = []
    offset, checksum = 0, 0
    for name, array in arrays.items():
        padding = -offset % _ALIGNMENT
        checksum = zlib.crc32(_bytes(array), zlib.crc32(bytes(padding), checksum))
        layout.append((name, array.dtype.str, list(array.shape), offset + padding, array.nbytes))
        offset += padding + array.nbytes
    header = json.dumps({"facts": facts, "layout": layout, "size": offset, "checksum": checksum}).encode()
    prefix = _MAGIC + len(header).to_bytes(8, "little") + zlib.crc32(header).to_bytes(4, "little") + header
    with replacing(path) as temporary, temporary.open("wb") as file:
        file.write(prefix + bytes(-len(prefix) % _ALIGNMENT))
        origin = file.tell()
        for (_, _, _, place, _), array in zip(layout, arrays.values(), strict=True):
            file.write(bytes(origin + place - file.tell()))
            file.write(_bytes(array))
        file.flush()
        os.fsync(file.fileno())


def read_archive(path: Path) -> tuple[dict[str, NDArray[Any]], Facts] | None:
    """Return the arrays of ``path``, mapped read-only, and its facts; None unless the file is there and whole."""
    try:
        with path.open("rb") as file:
            whole = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        return _parse(whole)
    except (OSError, ValueError, KeyError, TypeError):
        return None


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Lend a temporary path beside ``path``; what was written there takes its place, unless something goes wrong."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _parse(whole: memoryview) -> tuple[dict[str, NDArray[Any]], Facts] | None:
    start = len(_MAGIC) + 12
    length = int.from_bytes(whole[len(_MAGIC) : len(_MAGIC) + 8], "little")
    header = whole[start : start + length]
    if bytes(whole[: len(_MAGIC)]) != _MAGIC or zlib.crc32(header).to_bytes(4, "little") != whole[start - 4 : start]:
        return None
    described = json.loads(bytes(header))
    origin = start + length + -(start + length) % _ALIGNMENT
    data = whole[origin:]
    if len(data) != described["size"] or zlib.crc32(data) != described["checksum"]:
        return None
    arrays: dict[str, NDArray[Any]] = {}
    for name, dtype, shape, offset, size in described["layout"]:
        arrays[name] = np.frombuffer(data[offset : offset + size], dtype=dtype).reshape(shape)
    return arrays, described["facts"]


def _bytes(array: NDArray[Any]) -> memoryview:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
