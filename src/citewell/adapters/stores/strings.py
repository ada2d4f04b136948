"""Many strings as two arrays, which can be mapped from a file without making an object of each."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def encode(text: str) -> bytes:
    """Return ``text`` as bytes that sort as its characters do; lone surrogates, as file names have them, survive."""
    return text.encode("utf-8", "surrogatepass")


def decode(data: bytes) -> str:
    """Return the text that ``encode`` made ``data`` from."""
    return data.decode("utf-8", "surrogatepass")


@dataclass(frozen=True)
class Strings:
    """Byte strings one after the other in ``data`` (uint8); string i lies between ``ends[i]`` and ``ends[i + 1]`` (int64)."""

    data: NDArray[np.uint8]
    ends: NDArray[np.int64]

    @classmethod
    def of(cls, strings: Sequence[bytes]) -> Strings:
        """Return ``strings`` in this form."""
        ends = np.zeros(len(strings) + 1, dtype=np.int64)
        np.cumsum([len(string) for string in strings], out=ends[1:])
        return cls(np.frombuffer(b"".join(strings), dtype=np.uint8), ends)

    def __len__(self) -> int:
        return len(self.ends) - 1

    def __getitem__(self, index: int) -> bytes:
        data, ends = self._views
        return bytes(data[ends[index] : ends[index + 1]])

    @cached_property
    def _views(self) -> tuple[memoryview, memoryview]:
        """The arrays as views, whose elements come several times quicker one by one."""
        return self.data.data, self.ends.data

    def pick(self, indices: Iterable[int]) -> list[bytes]:
        """Return the strings at ``indices``."""
        return [self[index] for index in indices]

    def all(self) -> list[bytes]:
        """Return every string."""
        data, ends = self.data.tobytes(), self.ends.tolist()
        return [data[start:end] for start, end in pairwise(ends)]

    def find(self, string: bytes) -> int | None:
        """Return the place of ``string`` among strings that are sorted, or None where it is absent."""
        place = bisect_left(range(len(self)), string, key=self.__getitem__)
        return place if place < len(self) and self[place] == string else None
