"""What fuzzed filters are tried on: documents with values of all kinds, and questions that try to be more than data."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from citewell.core.access import Tokens
from citewell.core.fields import FILTER_FIELDS
from citewell.core.model import passage_hash
from citewell.core.ports import Candidates, DenseQuery, DocumentPage, LexicalQuery, Replace, Store
from citewell.core.requests import Filters
from citewell.testing.store_samples import MODEL, row, sample
from citewell.text.terms import query_terms

if TYPE_CHECKING:
    from citewell.core.ports import Vectors

DOCUMENTS = 60
EVERYTHING = 4 * DOCUMENTS
TOKENS = ("public", "group:a", "group:b", 'group:"b" or 1 == 1', "user:ü")
WORDS = ["tea", "pot", "lid", "cup", "moon", "salt", "çay", "茶壶", "timeout", "max_keepalive_connections", "v1.10.0"]
SOURCES = ("wiki", "code", 'a"b or source != "')
COLLECTIONS = ("docs", "issues", "%_*'; --")
FOLDERS = ("a", "b", "ç", "a b", "[a TO b]", "**", "שלום", "x\\y", "\ud800")
GLOBS = (
    "a/**",
    "**/1*.md",
    "ç/*",
    "a b/?.md",
    "[[]a*",
    "[a TO b]/*",
    "\\**/*",
    "**",
    "*",
    "x\\y/*",
    "\ud800/**",
    "?/**/*",
    "",
)
FRAGMENTS = (
    '"', "'", "\\", '\\"', "%", "_", "*", "?", "~1", "^2", "+", "-", "!", "(", ")", "[", "]", "{", "}", ":", "/", "&&", "||",
    "<", ">", "=", "@", "#", " AND ", " OR ", " NOT ", " or 1 == 1", '" or 1==1', "' OR '1'='1", '" or acl != "',
    '"] or true or kind in ["', "[a TO b]", "{* TO *}", "_exists_:acl", "{$ne: 1}", '{"match_all": {}}', '{"terms": {}}',
    "${jndi:ldap://x}", "{{7*7}}", "array_contains(acl, 'public')", "json_contains(", "like '%'", "acl", "facets", "$meta",
    "null", "true", "\x00", "\n", "\t", "\r\n", "\x1b[0m", "\u202e", "\u200b", "\ufeff", "\ufdd0", "\ufdd1", "\uffff",
    "\ud800", "\udfff", "🎈", "👩‍👩‍👧", "é", "e\u0301", "İ", "ı", "ß", "١", "春", "שלום", "مرحبا", "a,b", ", ", "..", "**",
    "a/**/b", "<script>", "; DROP TABLE x; --", "x" * 300, "1.1", "1.10", "2024-10-15", "open", "bug", "0", "-1", "NaN", " ",
)  # fmt: skip


def value(dice: random.Random) -> str:
    """Return what somebody might send: up to a few fragments, sometimes ten thousand characters and more."""
    text = "".join(dice.choice(FRAGMENTS) for _ in range(dice.choice((0, 1, 1, 2, 2, 3, 5))))
    return text * (10_000 // len(text) + 1) if text and dice.random() < 0.02 else text


def nearly(dice: random.Random, text: str) -> str:
    """Return ``text``, or what an engine might take for it if it read more into it than there is."""
    changes = (*[text] * 12, text + "*", "*", text[:-1], text.upper(), text.strip(), text + " ", f'"{text}"', text * 2)
    return dice.choice(changes)


def direction(dice: random.Random) -> Vectors:
    """Return a unit vector."""
    vector = np.array([dice.random() + 0.1, dice.random(), -dice.random()])
    return row(*(vector / np.linalg.norm(vector)))


@dataclass(frozen=True)
class Corpus:
    """Documents, the values in them, and the vectors of most of their passages."""

    changes: list[Replace]
    vectors: Mapping[str, Vectors]
    values: list[str]

    @classmethod
    def made(cls) -> Corpus:
        """Return the same corpus in every process."""
        dice = random.Random(2026)
        values = [value(dice) or "plain" for _ in range(80)]
        changes = [_document(dice, number, values) for number in range(DOCUMENTS)]
        passages = [chunk.passage(window, "") for change in changes for chunk in change.chunks for window in chunk.windows]
        return cls(changes, {text: direction(dice) for text in passages[:-3]}, values)

    async def fill(self, store: Store) -> Store:
        """Return ``store``, filled."""
        async with store.writing():
            await store.apply(self.changes)
            await store.put_vectors(MODEL, {passage_hash(text): vector for text, vector in self.vectors.items()})
        return store


def _document(dice: random.Random, number: int, values: list[str]) -> Replace:
    own = [{dice.choice(FILTER_FIELDS): dice.choice(values)} if dice.random() < 0.3 else {} for _ in range(2)]
    texts = [" ".join(dice.choices(WORDS, k=4)) + f" {number} {part}" for part in range(2)]
    return sample(
        f"{dice.choice(FOLDERS)}/{number}.md",
        *texts,
        acl=dice.sample(TOKENS, dice.choice((0, 1, 1, 2))),
        ids=[f"{number}.{part}" for part in range(2)],
        source=dice.choice(SOURCES),
        collection=dice.choice(COLLECTIONS),
        language=dice.choice(("en", "tr", values[number])),
        kind=dice.choice(("markdown", values[-number - 1])),
        version=dice.choice(("1.1", "1.10", values[number])),
        metadata={name: dice.choice(values) for name in dice.sample(FILTER_FIELDS, 3)},
        own=own,
    )


@dataclass(frozen=True)
class Found:
    """What both legs find and what a list shows."""

    lexical: Candidates
    dense: Candidates
    listed: DocumentPage

    @property
    def anything(self) -> bool:
        """Whether a leg found something."""
        return bool(self.lexical.hits or self.dense.hits)


@dataclass(frozen=True)
class Case:
    """One question, narrowed by somebody who may see some of it."""

    words: str
    vector: Vectors
    visible: Tokens
    filters: Filters
    limit: int
    offset: int

    @classmethod
    def drawn(cls, dice: random.Random, corpus: Corpus) -> Case:
        """Return another case at each throw of ``dice``."""
        return cls(
            words=" ".join(dice.choices(WORDS, k=2)) + dice.choice(("", " ")) + value(dice),
            vector=direction(dice),
            visible=frozenset(dice.sample(TOKENS, dice.choice((0, 1, 2, 3, 4, 5)))),
            filters=_filters(dice, corpus),
            limit=dice.choice((EVERYTHING, EVERYTHING, EVERYTHING, 1, 5)),
            offset=dice.choice((0, 0, 3)),
        )

    async def asked(self, store: Store, limit: int) -> Found:
        """Return what ``store`` answers."""
        terms = query_terms(self.words)
        query = LexicalQuery(self.words, terms.weights, terms.words)
        about = {"visible": self.visible, "filters": self.filters}
        return Found(
            await store.lexical(query, **about, limit=limit),
            await store.dense(DenseQuery(MODEL, self.vector), **about, limit=limit),
            await store.documents(**about, offset=self.offset, limit=DOCUMENTS),
        )


def _filters(dice: random.Random, corpus: Corpus) -> Filters:
    """Return filters that are, mostly, what some document says of itself, or nearly so."""
    info = dice.choice(corpus.changes).document.info

    def some(likely: Callable[[], str | None], chance: float) -> tuple[str, ...]:
        if dice.random() > chance:
            return ()
        count = dice.choice((1, 1, 2, 5, 9))
        return tuple(nearly(dice, likely() or "") if dice.random() < 0.7 else value(dice) for _ in range(count))

    def field(name: str) -> tuple[str, tuple[str, ...]]:
        return name, some(lambda: dice.choice((info.field(name), info.field(name), dice.choice(corpus.values))), 1.0)

    names = dice.choice(((), (), (), dice.choices(FILTER_FIELDS, k=2), dice.choices(list(info.metadata), k=1)))
    return Filters(
        collections=some(lambda: info.collection, 0.2),
        sources=some(lambda: info.source, 0.2),
        paths=some(lambda: dice.choice(GLOBS), 0.2),
        languages=some(lambda: info.language, 0.15),
        kinds=some(lambda: info.kind, 0.15),
        versions=some(lambda: info.version, 0.2),
        fields=tuple(map(field, names)),
    )
