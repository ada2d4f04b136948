"""A detector of given words: the double of ``Detector``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from citewell.core.ports import Finding


@dataclass(frozen=True, slots=True)
class KeywordDetector:
    """Finds every occurrence of each of ``kinds``' words, as the kind that is given for it."""

    kinds: Mapping[str, str]

    @property
    def name(self) -> str:
        """The words and their kinds: others find other things."""
        return "keywords/" + ",".join(f"{word}={kind}" for word, kind in sorted(self.kinds.items()))

    def find(self, text: str) -> Iterator[Finding]:
        """Yield the words in ``text``, those of one word in order."""
        for word, kind in self.kinds.items():
            position = text.find(word)
            while position >= 0:
                yield Finding(position, position + len(word), kind)
                position = text.find(word, position + len(word))
