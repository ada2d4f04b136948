"""Citations on their way to be checked, and what became of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotedCitation:
    """A citation to be checked: ``quote``, from the passage or document called ``passage``.

    Without that, ``path`` names the document, and without both ``id`` names the passage; else ``id`` is a label as ``c1``.
    """

    quote: str
    id: str = ""
    passage: str = ""
    path: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyRequest:
    """Citations to be checked, and the answer whose labels they are."""

    citations: tuple[QuotedCitation, ...]
    answer: str = ""


CitationVerdict = Literal["exact", "whitespace", "unquoted", "not_in_passage", "not_found"]
"""``whitespace``: word for word, but not blank for blank. ``unquoted``: the passage is there, and nothing is quoted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedCitation:
    """What became of one citation. ``passage`` is the id it was found by, empty for one that is absent or hidden."""

    citation: QuotedCitation
    passage: str
    verdict: CitationVerdict

    @property
    def ok(self) -> bool:
        """Whether nothing speaks against it."""
        return self.verdict in ("exact", "whitespace", "unquoted")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What became of every citation, in order. ``uncited`` are labels in the answer that no citation has."""

    citations: tuple[CheckedCitation, ...]
    uncited: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether every citation holds and every label has one."""
        return not self.uncited and all(checked.ok for checked in self.citations)
