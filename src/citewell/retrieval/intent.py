"""What a question wants, by rules alone, and so which way to search for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from citewell.core.requests import Mode
from citewell.retrieval import cues
from citewell.text.folding import fold_word, normalize_text
from citewell.text.stopwords import STOP_WORDS
from citewell.text.versions import Mention, Version, find_versions

Intent = Literal["comparison", "release_date", "temporal", "exact", "conceptual", "general"]

DEEPER: Final = 4
"""How many times more candidates a question gets whose answer may stand far down in both lists."""

FEW_WORDS: Final = 3
"""Words beside a version, key or name of an error up to which the question is about that alone."""

FEWER_WORDS: Final = 1
"""The same for a quotation: people mark many a word in a sentence that is about something else."""

_QUOTED: Final = re.compile(r"`[^`\n]{2,200}`|\"[^\"\n]{3,200}\"|“[^”\n]{3,200}”")
_KEY: Final = re.compile(
    r"(?<![\w@/.-])(?:[a-z][\w-]*(?:\.[a-z][\w-]*){2,}|[a-z][a-z0-9]*(?:\.[a-z0-9]+)*\.[a-z0-9]+_\w+|[a-z0-9]+_\w+\.\w+)(?![\w(/-])"
    r"|\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b"
    r"|(?<![\w-])--[a-z][\w-]+"
)
_IDENTIFIER: Final = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]*)+|(?:[A-Z][a-z0-9]+){2,}")
_SIDES: Final = re.compile(
    r"\b(?:between|compare[ds]?)\s+(?P<a>.+?)\s+(?:and|with|to|against)\s+(?P<b>.+?)(?:[?.!,;]|$)"
    r"|(?P<c>\S+(?: \S+)?)\s+(?:versus|vs\.?)\s+(?P<d>\S+(?: \S+)?)",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[^\W_]+")
_MEANINGLESS: Final = STOP_WORDS["en"] | STOP_WORDS["tr"] | STOP_WORDS["zh"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How to search: the ``intent``, the ``mode`` it wants, and why.

    ``versions`` are those the question names, ``sides`` what it compares where these are no versions. A pool of candidates is
    ``depth`` times the usual one.
    """

    intent: Intent
    mode: Mode
    reason: str
    versions: tuple[Version, ...] = ()
    sides: tuple[str, ...] = ()
    depth: int = 1


@dataclass(frozen=True, slots=True)
class _Question:
    """A question as it was typed, its folded words, and the versions in it."""

    typed: str
    folded: str
    mentions: Sequence[Mention]

    def says(self, patterns: Sequence[re.Pattern[str]]) -> str:
        """Return the words that one of ``patterns`` finds, empty where none does."""
        found = (pattern.search(self.folded) for pattern in patterns)
        return next((match[0].strip() for match in found if match), "")

    @property
    def versions(self) -> tuple[Version, ...]:
        """The different versions, in order."""
        return tuple(dict.fromkeys(mention.version for mention in self.mentions))


def plan_search(query: str) -> Plan:
    """Return what ``query`` wants; the rules are tried in the order of the contract, and the first that fits decides."""
    typed = normalize_text(query)
    question = _Question(typed, _fold(typed), find_versions(typed))
    for rule in _RULES:
        plan = rule(question)
        if plan is not None:
            return plan
    return Plan(intent="general", mode="hybrid", reason="no rule fits the question", versions=question.versions)


def _fold(text: str) -> str:
    return fold_word(text).replace("’", "'")


def _comparison(question: _Question) -> Plan | None:
    cue = question.says(cues.COMPARISON)
    versions = question.versions
    if not cue and len(versions) < 2:
        return None
    reason = f"it says {cue!r}" if cue else f"it names {len(versions)} versions"
    sides = () if len(versions) > 1 else _sides(question.typed)
    return Plan(intent="comparison", mode="hybrid", reason=reason, versions=versions, sides=sides, depth=DEEPER)


def _sides(text: str) -> tuple[str, ...]:
    match = _SIDES.search(text)
    return tuple(side.strip(" ?.!,;:'\"`") for side in match.groups() if side) if match else ()


def _release_date(question: _Question) -> Plan | None:
    cue = question.says(cues.RELEASE_DATE)
    if not cue or not question.mentions:
        return None
    reason = f"it names a version and says {cue!r}"
    return Plan(intent="release_date", mode="bm25", reason=reason, versions=question.versions, depth=DEEPER)


def _temporal(question: _Question) -> Plan | None:
    cue = question.says(cues.TEMPORAL)
    if not cue:
        return None
    return Plan(intent="temporal", mode="bm25", reason=f"it says {cue!r}", versions=question.versions, depth=DEEPER)


def _exact(question: _Question) -> Plan | None:
    if any(pattern.search(question.typed) for pattern in cues.ERROR):
        return Plan(intent="exact", mode="bm25", reason="it quotes an error", versions=question.versions)
    named, quoted = _named_spans(question), [match.span() for match in _QUOTED.finditer(question.typed)]
    found = sorted(named + quoted)
    few = 0 if question.says(cues.CONCEPTUAL) else FEW_WORDS if named else FEWER_WORDS
    if not found or _words_beside(question.typed, found) > few:
        return None
    start, end = found[0]
    return Plan(intent="exact", mode="bm25", reason=f"it asks for {question.typed[start:end]!r}", versions=question.versions)


def _named_spans(question: _Question) -> list[tuple[int, int]]:
    """Return where keys, names of errors and versions stand, and the whole question where it is one identifier."""
    spans = [match.span() for pattern in (_KEY, cues.ERROR_NAME) for match in pattern.finditer(question.typed)]
    if _IDENTIFIER.fullmatch(question.typed.strip()):
        spans.append((0, len(question.typed)))
    return spans + [(m.start, m.end) for m in question.mentions if len(m.version.numbers) > 1]


def _words_beside(text: str, spans: Sequence[tuple[int, int]]) -> int:
    """Count the words of ``text`` outside ``spans`` that mean something; a run of Chinese counts as a word for two signs."""
    rest = list(text)
    for start, end in spans:
        rest[start:end] = " " * (end - start)
    words = [fold_word(word) for word in _WORD.findall("".join(rest))]
    return sum(len(word) // 2 if word > "\u2e80" else 1 for word in words if word not in _MEANINGLESS and len(word) > 1)


def _conceptual(question: _Question) -> Plan | None:
    cue = question.says(cues.CONCEPTUAL)
    if not cue:
        return None
    return Plan(intent="conceptual", mode="hybrid", reason=f"it says {cue!r}", versions=question.versions)


_RULES: Final[Sequence[Callable[[_Question], Plan | None]]] = (_comparison, _release_date, _temporal, _exact, _conceptual)
