"""What happens to a ranking after the search, by the intent of the question. Only candidates themselves are looked at.

Each rule is a permutation of its candidates that does not depend on k: the head of a long list is the short list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from citewell.core.model import ChunkId, StoredChunk
from citewell.retrieval.fusion import Fused
from citewell.retrieval.intent import Plan
from citewell.text.folding import fold_word, normalize_text
from citewell.text.versions import Version, find_versions, parse_version

RULED: Final = frozenset({"comparison", "release_date", "temporal"})
"""Intents with a rule."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """The candidates in their new order, and what was done, ``said`` in words: empty where no rule took effect."""

    hits: list[Fused]
    said: str = ""


def apply_rules(plan: Plan, fused: Sequence[Fused], stored: Mapping[ChunkId, StoredChunk]) -> Ruled:
    """Return ``fused`` as the intent of ``plan`` wants it; candidates that are not in ``stored`` keep to the end."""
    known = [hit for hit in fused if hit.chunk in stored]
    unknown = [hit for hit in fused if hit.chunk not in stored]
    match plan.intent:
        case "comparison":
            ruled = _show_sides(plan, known, stored)
        case "release_date":
            ruled = _prefer_version(plan, known, stored)
        case "temporal":
            ruled = _sort_by_date(known, stored)
        case _:
            ruled = Ruled(known)
    return Ruled(ruled.hits + unknown, ruled.said)


def _show_sides(plan: Plan, hits: list[Fused], stored: Mapping[ChunkId, StoredChunk]) -> Ruled:
    """Put the best passage of each side first, in the order of the list."""
    best: list[Fused] = []
    for side in plan.versions if len(plan.versions) > 1 else plan.sides:
        chosen = min(hits, key=lambda hit: _distance(side, stored[hit.chunk]), default=None)
        if chosen is not None and _distance(side, stored[chosen.chunk]) < ABSENT and chosen not in best:
            best.append(chosen)
    if not best:
        return Ruled(hits)
    first = [hit for hit in hits if hit in best]
    return Ruled(first + [hit for hit in hits if hit not in best], f"{len(first)} sides shown first")


ABSENT: Final = 4


def _distance(side: Version | str, stored: StoredChunk) -> int:
    """Return how far a passage is from ``side``: 0 it is of that very version, up to `ABSENT`, it does not mention it."""
    if isinstance(side, str):
        return 2 if _fold(side) in _fold(f"{stored.section}\n{stored.chunk.text}") else ABSENT
    own = parse_version(stored.version or "")
    if own is not None and own == side:
        return 0
    if own is not None and side.covers(own):
        return 1
    mentioned = [mention.version for mention in find_versions(f"{stored.section}\n{stored.chunk.text}")]
    if side in mentioned:
        return 2
    return 3 if any(side.covers(version) for version in mentioned) else ABSENT


def _fold(text: str) -> str:
    return fold_word(normalize_text(text))


def _prefer_version(plan: Plan, hits: list[Fused], stored: Mapping[ChunkId, StoredChunk]) -> Ruled:
    """Put passages of the version asked for before those that mention it, and these before the others.

    Of passages that are of that version, those that tell a date come first.
    """
    if not any(_has_release_fields(stored[hit.chunk]) for hit in hits):
        return Ruled(hits)

    def place(hit: Fused) -> tuple[int, bool]:
        chunk = stored[hit.chunk]
        distance = min(_distance(version, chunk) for version in plan.versions)
        return distance, chunk.field("release_date") is None

    return Ruled(sorted(hits, key=place), "passages of that version first")


def _sort_by_date(hits: list[Fused], stored: Mapping[ChunkId, StoredChunk]) -> Ruled:
    """Put dated passages first, newest first, on one day the better score first; the others keep their order."""
    days = {hit.chunk: _release_day(stored[hit.chunk]) for hit in hits}
    dated = [(hit, day) for hit in hits if (day := days[hit.chunk]) is not None]
    if not dated:
        return Ruled(hits)
    dated.sort(key=lambda pair: (-pair[1].toordinal(), -pair[0].score, pair[0].chunk))
    return Ruled([hit for hit, _ in dated] + [hit for hit in hits if days[hit.chunk] is None], "newest release first")


def _has_release_fields(stored: StoredChunk) -> bool:
    return stored.version is not None or stored.field("release_date") is not None


def _release_day(stored: StoredChunk) -> date | None:
    try:
        return date.fromisoformat(stored.field("release_date") or "")
    except ValueError:
        return None
