"""From character offsets to line numbers and back."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from citewell.core.model import Lines


class LineIndex:
    """The lines of a text, numbered from 1, each ended by a line feed and nothing else.

    A line feed at the end of the text does not begin another line; an empty text has one empty line. A look-up takes
    logarithmic time.
    """

    def __init__(self, text: str) -> None:
        self._length = len(text)
        lengths = [len(line) + 1 for line in text.split("\n")]
        self._starts = [0, *accumulate(lengths[:-1])]
        if len(self._starts) > 1 and self._starts[-1] == self._length:
            self._starts.pop()

    @property
    def count(self) -> int:
        """The number of lines, at least 1."""
        return len(self._starts)

    def line_at(self, offset: int) -> int:
        """Return the number of the line that holds the character at ``offset``; outside the text, of its nearest."""
        return max(1, bisect_right(self._starts, offset))

    def start_of(self, line: int) -> int:
        """Return the offset at which ``line`` begins: 0 for anything below 1, the length of the text past its last line."""
        if line > self.count:
            return self._length
        return self._starts[max(line, 1) - 1]

    def lines(self, start: int, end: int) -> Lines:
        """Return the lines that the characters from ``start`` up to, but not including, ``end`` lie on."""
        first = self.line_at(start)
        return Lines(first, max(first, self.line_at(end - 1)))

    def span(self, start_line: int, end_line: int) -> tuple[int, int]:
        """Return the offsets of the text of these lines, both included, with the line feed that ends the last one."""
        start = self.start_of(start_line)
        return start, max(start, self.start_of(end_line + 1))
