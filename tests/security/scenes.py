"""Scenes at random: what became of files and rules, who asks in the end, and what."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Literal, TypeVar

from hypothesis import strategies as st
from phrases import PAGES, Page

from citewell.core.access import ANONYMOUS, LOCAL_USER, AccessPolicy, AccessRule, Acl, Principal, group_tokens, may_read
from citewell.core.requests import AskRequest, ReadRequest, SearchRequest

Key = tuple[str, str]
"""A file: its source and its path."""

Question = SearchRequest | AskRequest | ReadRequest | Literal["sources"]

Asking = Callable[[Sequence[str]], st.SearchStrategy[Question]]
"""Draws questions, some of them about the documents that are named."""

COLLECTIONS = {"handbook": "docs", "wiki": "docs", "library": "code"}
"""The sources, and where their documents go; the documents of ``wiki`` are called by the stems of their files."""

PATHS = tuple(f"{folder}/{n}{ending}" for folder in ("open", "board", "team") for n in range(3) for ending in (".md", ".py"))
GLOBS = ("board/**", "team/*.md", "**/1.*", "**/*.py", "team/2.md", "open/1*")
GROUPS = ("staff", "board", "backend", "public")


@dataclass(frozen=True)
class Edit:
    """A file is written, deleted (no page), or cannot be read any more (``failing``)."""

    key: Key
    page: Page | None
    failing: bool = False


@dataclass(frozen=True)
class Pin:
    """A document is given readers of its own, or (None) follows the rules again."""

    key: Key
    acl: Acl | None


@dataclass(frozen=True)
class Round:
    """What happens between two syncs, the sync under ``policy``, and what is pinned after it."""

    policy: AccessPolicy
    edits: tuple[Edit, ...]
    pins: tuple[Pin, ...]
    embed: bool


@dataclass(frozen=True)
class Scene:
    """A history, and what is asked after it. ``policy`` holds in the end, be there another sync or not."""

    rounds: tuple[Round, ...]
    policy: AccessPolicy
    asker: str
    claimed: frozenset[str]
    questions: tuple[Question, ...]
    candidates: int

    @property
    def keys(self) -> frozenset[Key]:
        """Every file there ever was."""
        return frozenset(edit.key for turn in self.rounds for edit in turn.edits)

    def principal(self, via: str) -> Principal:
        """Return who asks."""
        if self.asker == ANONYMOUS:
            return self.policy.anonymous(via=via)
        scopes = frozenset[Literal["read"]]({"read"})
        return self.policy.principal(self.asker, via=via, scopes=scopes, claimed=self.claimed)

    def readable(self, visible: frozenset[str]) -> frozenset[Key]:
        """Return the files whose documents who holds ``visible`` may read in the end, by the rules alone."""
        pinned = self._pinned()
        return frozenset(key for key in self.keys if may_read(pinned.get(key, self.policy.acl(key[1])), visible))

    def as_local(self) -> Scene:
        """Return the scene as the command line has it: the local user asks, and the rules alone decide."""
        rounds = tuple(replace(turn, pins=()) for turn in self.rounds)
        return replace(self, rounds=rounds, asker=LOCAL_USER, claimed=frozenset())

    def _pinned(self) -> Mapping[Key, Acl]:
        present: set[Key] = set()
        pinned: dict[Key, Acl] = {}
        for turn in self.rounds:
            for edit in turn.edits:
                if edit.page is not None and not edit.failing:
                    present.add(edit.key)
                elif edit.page is None:
                    present.discard(edit.key)
                    pinned.pop(edit.key, None)
            for pin in turn.pins:
                pinned.pop(pin.key, None)
                if pin.acl is not None and pin.key in present:
                    pinned[pin.key] = pin.acl
        return pinned


def document_id(key: Key) -> str:
    """Return what the document of ``key`` is called."""
    return PurePosixPath(key[1]).stem if key[0] == "wiki" else key[1]


def canary(key: Key) -> str:
    """Return the word that only the document of ``key`` says, and that nobody asks for."""
    digest = hashlib.sha256("/".join(key).encode()).hexdigest()[:10]
    return "zq" + digest.translate(str.maketrans("0123456789", "ghijklmnop"))


Drawn = TypeVar("Drawn")


def mostly(usual: st.SearchStrategy[Drawn], other: st.SearchStrategy[Drawn], *, of: int = 4) -> st.SearchStrategy[Drawn]:
    """Draw ``other`` once ``of`` times, else ``usual``."""
    return st.integers(1, of).flatmap(lambda n: other if n == of else usual)


by_path = st.tuples(st.sampled_from(("handbook", "library")), st.sampled_from(PATHS))
keys = mostly(by_path, st.tuples(st.just("wiki"), st.sampled_from(PATHS)), of=5)
some_groups = st.lists(st.sampled_from(GROUPS), max_size=2, unique=True).map(tuple)
mostly_staff = mostly(st.just(("staff",)), some_groups, of=6)
acls = st.builds(lambda groups, own: group_tokens(groups) | own, some_groups, st.sampled_from((set(), {"user:ada"})))
rules = st.builds(AccessRule, paths=st.sampled_from(GLOBS), groups=mostly(st.just(("board",)), some_groups, of=2))
policies = st.builds(
    AccessPolicy,
    rules=st.lists(rules, min_size=1, max_size=3).map(tuple),
    default=mostly_staff,
    users=st.fixed_dictionaries(
        {"ada": mostly_staff, "local": mostly_staff, "*": mostly_staff}, optional={ANONYMOUS: some_groups}
    ),
    subgroups=st.dictionaries(st.sampled_from(("staff", "board")), some_groups, max_size=2),
)


def _without_namesakes(history: tuple[Round, ...]) -> tuple[Round, ...]:
    """Leave out the files of ``wiki`` whose id another had first.

    Of two files of one id and the same readers the first is kept. Under changing rules, which that is depends on who once
    had the same readers: SECURITY.md says so.
    """
    names = [edit.key for turn in history for edit in turn.edits]
    first = {document_id(key): key for key in reversed(names)}
    return tuple(
        replace(turn, edits=tuple(e for e in turn.edits if first[document_id(e.key)][1] == e.key[1])) for turn in history
    )


@st.composite
def scenes(draw: st.DrawFn, questions: Asking, *, most: int = 12, rounds: int = 3, asked: int = 5) -> Scene:
    """Draw a scene, with questions about its documents.

    Only where every round embeds may two documents be equal: equal passages share one vector, so that while vectors wait, a
    hidden document may already have brought the one of a visible document.
    """
    marked = not draw(st.booleans())
    pages = st.sampled_from(PAGES).map(lambda page: replace(page, marked=marked or page.marked))
    writing = st.builds(Edit, keys, pages)
    spoilt = st.one_of(st.builds(Edit, keys, st.none()), st.builds(Edit, by_path, pages, st.just(True)))
    later = mostly(writing, spoilt, of=2)
    pins = st.lists(st.builds(Pin, by_path, st.one_of(acls, st.none())), max_size=1).map(tuple)
    embed = st.booleans() if marked else st.just(True)
    first = st.builds(Round, policies, st.lists(writing, min_size=most // 2, max_size=most).map(tuple), pins, embed)
    next_ = st.builds(Round, policies, st.lists(later, max_size=3).map(tuple), pins, embed)
    history = (draw(first), *draw(st.lists(next_, max_size=rounds - 1)))
    policy = draw(st.one_of(policies, st.just(history[-1].policy)))
    if len({policy.stamp, *(turn.policy.stamp for turn in history)}) > 1:
        history = _without_namesakes(history)
    known = sorted({document_id(edit.key) for turn in history for edit in turn.edits})
    return Scene(
        rounds=history,
        policy=policy,
        asker=draw(mostly(st.sampled_from(("ada", "eve")), st.just(ANONYMOUS), of=8)),
        claimed=frozenset(draw(some_groups)),
        questions=tuple(draw(st.lists(questions(known), min_size=2, max_size=asked))),
        candidates=draw(st.sampled_from((50, 5, 2))),
    )
