"""What a check found."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, order=True)
class Leak:
    """What ``principal`` was told, or what was left lying about, and should not have been; never the word itself."""

    surface: str
    principal: str
    action: str
    path: str


@dataclass(slots=True)
class Verdict:
    """``leaks`` must be empty; so must ``missed``: what a reader may read and was not told, without which no leak would show.

    ``asked`` counts the questions by surface. ``uncovered`` names canaries that could not be indexed, and why.
    """

    canaries: int = 0
    principals: tuple[str, ...] = ()
    asked: dict[str, int] = field(default_factory=dict[str, int])
    leaks: list[Leak] = field(default_factory=list[Leak])
    missed: list[Leak] = field(default_factory=list[Leak])
    uncovered: list[str] = field(default_factory=list[str])

    @property
    def passed(self) -> bool:
        """Whether nothing leaked, and something could have."""
        return not self.leaks and not self.missed and self.canaries > 0
