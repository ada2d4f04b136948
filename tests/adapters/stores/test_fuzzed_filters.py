"""Filters are data: whatever a value holds, both legs find what the oracle finds, and nothing else happens.

A few hundred cases a store in the suite; `make fuzz-filters` asks each store 20,000.
"""

from __future__ import annotations

import os
import random
import uuid
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from running_engines import running

from citewell.core.access import Tokens
from citewell.core.fields import FILTER_FIELDS
from citewell.core.model import passage_hash
from citewell.core.ports import DenseQuery, DocumentPage, LexicalQuery, Replace, Store, StoreSetup
from citewell.core.requests import Filters
from citewell.registry import open_store
from citewell.testing.memory_store import MemoryStore
from citewell.testing.store_samples import MODEL, row, sample
from citewell.text.terms import query_terms

if TYPE_CHECKING:
    from citewell.core.ports import Vectors

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(0)]

CASES = int(os.environ.get("FUZZ_FILTERS", "150"))
SLOW = ("elasticsearch", "opensearch")
"""Real nodes, which take a while to start: in long runs only."""
STORES = ("embedded", "noida", "milvus", "milvus-2.5", *(SLOW if "FUZZ_FILTERS" in os.environ else ()))
DOCUMENTS = 60
TOKENS = ("public", "group:a", "group:b", 'group:"b" or 1 == 1', "user:ü")
WORDS = ["tea", "pot", "lid", "cup", "moon", "salt", "çay", "茶壶", "timeout", "max_keepalive_connections", "v1.10.0"]
FRAGMENTS = (
    '"', "'", "\\", '\\"', "%", "_", "*", "?", "~1", "^2", "+", "-", "!", "(", ")", "[", "]", "{", "}", ":", "/", "&&", "||",
    "<", ">", " AND ", " OR ", " NOT ", " or 1 == 1", "' OR '1'='1", '" or acl != "', '"] or true or kind in ["', "[a TO b]",
    "_exists_:acl", "{$ne: 1}", '{"match_all": {}}', "${jndi:ldap://x}", "array_contains(acl, 'public')", "like '%'", "acl",
    "facets", "null", "true", "\x00", "\n", "\t", "\r\n", "\x1b[0m", "\u202e", "\u200b", "\ufeff", "\ufdd0", "\ud800", "🎈",
    "é", "e\u0301", "İ", "ı", "ß", "١", "春", "a,b", ", ", "..", "**", "a/**/b", "<script>", "; DROP TABLE x; --", "x" * 300,
    "1.1", "1.10", "2024-10-15", "open", "bug", "0", "-1", " ",
)  # fmt: skip


def value(dice: random.Random) -> str:
    """Return what somebody might send: up to a few fragments, sometimes very long."""
    text = "".join(dice.choice(FRAGMENTS) for _ in range(dice.choice((0, 1, 1, 2, 2, 3, 5))))
    return text * 200 if dice.random() < 0.02 else text


@dataclass(frozen=True)
class Corpus:
    """Documents with values of all kinds, and the vectors of their passages."""

    changes: list[Replace]
    vectors: Mapping[str, Vectors]
    values: list[str]

    @classmethod
    def made(cls) -> Corpus:
        dice = random.Random(2026)
        values = [value(dice) or "plain" for _ in range(80)]
        changes = []
        for number in range(DOCUMENTS):
            fields = dice.sample(FILTER_FIELDS, 3)
            own = [{dice.choice(FILTER_FIELDS): dice.choice(values)} if dice.random() < 0.3 else {} for _ in range(2)]
            texts = [" ".join(dice.choices(WORDS, k=4)) + f" {number} {part}" for part in range(2)]
            changes.append(
                sample(
                    f"{dice.choice(('a', 'b', 'ç'))}/{number}.md",
                    *texts,
                    acl=dice.sample(TOKENS, dice.choice((0, 1, 1, 2))),
                    ids=[f"{number}.{part}" for part in range(2)],
                    source=dice.choice(("wiki", "code")),
                    collection=dice.choice(("docs", "issues")),
                    language=dice.choice(("en", "tr", values[number])),
                    kind=dice.choice(("markdown", values[-number - 1])),
                    version=dice.choice(("1.1", "1.10", values[number])),
                    metadata={name: dice.choice(values) for name in fields},
                    own=own,
                )
            )
        passages = [chunk.passage(window, "") for change in changes for chunk in change.chunks for window in chunk.windows]
        return cls(changes, {text: row(dice.random() + 0.1, dice.random(), -dice.random()) for text in passages}, values)

    async def fill(self, store: Store) -> Store:
        async with store.writing():
            await store.apply(self.changes)
            await store.put_vectors(MODEL, {passage_hash(text): vector for text, vector in self.vectors.items()})
        return store


@dataclass(frozen=True)
class Case:
    """One question, narrowed by somebody who may see some of it."""

    words: str
    vector: Vectors
    visible: Tokens
    filters: Filters

    @classmethod
    def drawn(cls, dice: random.Random, values: list[str]) -> Case:
        def some(likely: Callable[[], str], chance: float) -> tuple[str, ...]:
            if dice.random() > chance:
                return ()
            return tuple(likely() if dice.random() < 0.7 else value(dice) for _ in range(dice.choice((1, 1, 2, 5))))

        known = lambda: dice.choice(values)  # noqa: E731
        fields = [(name, some(known, 1.0)) for name in dice.sample(FILTER_FIELDS, dice.choice((0, 0, 1, 1, 2)))]
        return cls(
            words=" ".join(dice.choices(WORDS, k=2)) + value(dice),
            vector=row(dice.random() + 0.1, dice.random(), -dice.random()),
            visible=frozenset(dice.sample(TOKENS, dice.choice((0, 1, 2, 3)))),
            filters=Filters(
                collections=some(lambda: dice.choice(("docs", "issues")), 0.2),
                sources=some(lambda: dice.choice(("wiki", "code")), 0.2),
                paths=some(lambda: dice.choice(("a/**", "**/1*.md", "ç/*")), 0.15),
                languages=some(known, 0.1),
                kinds=some(known, 0.1),
                versions=some(lambda: dice.choice(("1.1", "1.10", dice.choice(values))), 0.2),
                fields=tuple(fields),
            ),
        )

    async def asked(self, store: Store) -> tuple[set[str], set[str], DocumentPage]:
        """Return what both legs find and what a list shows."""
        terms = query_terms(self.words)
        query = LexicalQuery(self.words, terms.weights, terms.words)
        about = {"visible": self.visible, "filters": self.filters}
        lexical = await store.lexical(query, **about, limit=4 * DOCUMENTS)
        dense = await store.dense(DenseQuery(MODEL, self.vector), **about, limit=4 * DOCUMENTS)
        listed = await store.documents(**about, offset=0, limit=DOCUMENTS)
        return {hit.chunk for hit in lexical.hits}, {hit.chunk for hit in dense.hits}, listed


CORPUS = Corpus.made()


@contextmanager
def address(name: str, folder: Path) -> Iterator[str]:
    """Yield the address of an empty store of the kind ``name``."""
    prefix = f"f{uuid.uuid4().hex[:12]}_"
    if name == "embedded":
        yield f"embedded:{folder}"
        return
    pytest.importorskip("pymilvus" if name.startswith("milvus") else "qdrant_client")
    with running(name) as engine:
        yield (
            f"milvus:{engine}?prefix={prefix}&timeout=60"
            if name.startswith("milvus")
            else (f"elastic+qdrant:{engine},:memory:?prefix={prefix}&timeout=60")
        )


async def three() -> int:
    return 3


@pytest.fixture(scope="module", params=STORES)
async def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Store]:
    async with AsyncExitStack() as stack:
        place = stack.enter_context(address(request.param, tmp_path_factory.mktemp("store")))
        store = open_store(place, StoreSetup(dimension=three))
        stack.push_async_callback(store.close)
        yield await CORPUS.fill(store)


async def test_a_fuzzed_filter_finds_what_the_oracle_finds(
    store: Store, record_property: Callable[[str, object], None], request: pytest.FixtureRequest
) -> None:
    oracle = await CORPUS.fill(MemoryStore())
    dice, found = random.Random(CASES), 0
    for number in range(CASES):
        case = Case.drawn(dice, CORPUS.values)
        expected = await case.asked(oracle)
        assert await case.asked(store) == expected, f"case {number}: {case}"
        found += bool(expected[0] or expected[1])
    assert found > CASES / 20, "hardly any filter admits anything"
    kind = request.node.callspec.params["store"]
    record_property("figures", f"fuzzed filters, {kind}: {CASES} cases, 0 differences, {found} that found something")
