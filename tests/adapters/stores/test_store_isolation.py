"""Hidden means absent: whatever a reader sees of a store, he would see of one that never held anything else."""

from __future__ import annotations

import os
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import anyio
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from citewell.adapters.stores import embedded as embedded_module
from citewell.adapters.stores import snapshots
from citewell.adapters.stores.embedded import EmbeddedStore
from citewell.adapters.stores.visibility import Audience, find_audience
from citewell.core.access import Tokens, may_read
from citewell.core.errors import DocumentNotFound
from citewell.core.model import ChunkId, LedgerEntry
from citewell.core.ports import (
    Candidates,
    DenseQuery,
    LexicalQuery,
    Note,
    PinAccess,
    Ranked,
    Remove,
    Replace,
    SetAccess,
    Store,
)
from citewell.core.requests import NO_FILTERS, Filters
from citewell.testing.memory_store import MemoryStore
from citewell.testing.store_samples import MODEL, count_words, row, sample

WORDS = ["tea", "pot", "lid", "cup", "moon", "salt"]
TOKENS = ["public", "group:a", "group:b", "user:u"]
PATHS = ["a/one", "a/two", "b/three", "b/four", "five"]
SOURCES = ["wiki", "code"]

MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
"""Where waiting for the disk is not the point."""

FEW = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
QUICK = settings(FEW, max_examples=200, phases=[Phase.generate], report_multiple_bugs=False, derandomize=True)


def failure(change: Replace) -> LedgerEntry:
    return replace(change.entry, outcome="failed", reason="bad_encoding")


@dataclass(frozen=True)
class Case:
    """Documents in the order they are stored, and what is asked by whom.

    Some get an ACL of their own, some another by the rules, some go away, and of some the file fails later.
    """

    replaces: tuple[Replace, ...]
    reclosed: dict[int, frozenset[str]]
    pinned: dict[int, frozenset[str]]
    removed: frozenset[int]
    failed: frozenset[int]
    unembedded: int
    terms: dict[str, float]
    vector: tuple[float, float, float]
    visible: Tokens
    filters: Filters
    limit: int

    def documents(self) -> dict[tuple[str, str], Replace]:
        """What is in the store at the end."""
        final: dict[tuple[str, str], Replace] = {}
        own: dict[tuple[str, str], frozenset[str]] = {}
        for number, change in enumerate(self.replaces):
            key = (change.document.info.source, change.document.info.path)
            own |= {key: self.pinned[number]} if number in self.pinned else {}
            acl = own.get(key, self.reclosed.get(number, change.document.acl))
            final.pop(key, None)
            if number in self.removed:
                own.pop(key, None)
            else:
                entry = failure(change) if number in self.failed else change.entry
                final[key] = replace(change, document=replace(change.document, acl=acl), entry=entry)
        return final


texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
acls = st.sets(st.sampled_from(TOKENS), max_size=2).map(frozenset)
metadata = st.dictionaries(
    st.sampled_from(["version", "issue_labels"]), st.sampled_from(["", "1.1", "1.10, 1.1", "bug"]), max_size=2
)
wanted = st.lists(
    st.tuples(
        st.sampled_from(["version", "issue_labels", "doc_type"]),
        st.lists(st.sampled_from(["1.1", "1.10", "bug", ""]), max_size=2).map(tuple),
    ),
    max_size=2,
).map(tuple)
few = st.lists(st.sampled_from(PATHS), max_size=2).map(tuple)


@st.composite
def documents(draw: st.DrawFn) -> Replace:
    parts = draw(st.lists(texts, min_size=1, max_size=3))
    return sample(
        draw(st.sampled_from(PATHS)),
        *parts,
        metadata=draw(metadata),
        own=draw(st.lists(metadata, min_size=len(parts), max_size=len(parts))),
        source=draw(st.sampled_from(SOURCES)),
        acl=sorted(draw(acls)),
        windows=draw(st.integers(0, 2)),
        kind=draw(st.sampled_from(["md", "py"])),
        id=draw(st.sampled_from(["x", "y", "z"])),
    )


@st.composite
def cases(draw: st.DrawFn) -> Case:
    replaces = tuple(draw(st.lists(documents(), min_size=1, max_size=9)))
    numbers = st.integers(0, len(replaces) - 1)
    return Case(
        replaces=replaces,
        reclosed=draw(st.dictionaries(numbers, acls, max_size=2)),
        pinned=draw(st.dictionaries(numbers, acls, max_size=2)),
        failed=draw(st.frozensets(numbers, max_size=2)),
        removed=draw(st.frozensets(numbers, max_size=2)),
        unembedded=draw(st.sampled_from([1, 1, 3])),
        terms=draw(st.dictionaries(st.sampled_from(WORDS), st.sampled_from([0.25, 1.0, 1.5]), min_size=1, max_size=3)),
        vector=draw(st.sampled_from([(1.0, 0.0, 0.5), (0.0, -0.5, 0.5), (0.25, 0.75, 0.0)])),
        visible=draw(st.sets(st.sampled_from(TOKENS), max_size=3).map(frozenset)),
        filters=Filters(
            sources=draw(st.sampled_from([(), (), ("wiki",)])),
            paths=draw(st.sampled_from([(), (), ("a/*",)])),
            versions=draw(st.sampled_from([(), (), (), ("1.1",)])),
            fields=draw(wanted),
        ),
        limit=draw(st.integers(1, 6)),
    )


def vector_of(text: str, case: Case) -> np.ndarray | None:
    """A coarse vector, so that ties are common; some texts never get theirs."""
    if case.unembedded > 1 and len(text) % case.unembedded == 0:
        return None
    return row(len(text) % 3 - 1, text.count("t") / 2, 0.25 + text.count("o"))


async def embed_all(store: Store, case: Case) -> None:
    waiting = await store.pending(MODEL, 1000)
    found = {passage.hash: vector_of(passage.text, case) for passage in waiting}
    await store.put_vectors(MODEL, {name: vector for name, vector in found.items() if vector is not None})


async def fill(store: Store, case: Case) -> None:
    """Store everything by way of changes, asking in between so that the index is brought up to date step by step."""
    for number, change in enumerate(case.replaces):
        info = change.document.info
        await store.apply([change])
        if number % 3 == 0:
            await embed_all(store, case)
            await ask(store, case)
        if number in case.pinned:
            await store.apply([PinAccess(source=info.source, path=info.path, acl=case.pinned[number])])
        if number in case.failed:
            await store.apply([Note(source=info.source, entry=failure(change))])
        if number in case.reclosed:
            await store.apply([SetAccess(source=info.source, path=info.path, acl=case.reclosed[number])])
        if number in case.removed:
            await store.apply([Remove(source=info.source, path=info.path)])
    await embed_all(store, case)


async def fill_visible(store: Store, case: Case) -> None:
    """Store only what the reader may see, at once and in another order."""
    shown = [change for change in case.documents().values() if may_read(change.document.acl, case.visible)]
    await store.apply(shown[::-1])
    await embed_all(store, case)


async def ask(store: Store, case: Case) -> list[Candidates]:
    scope = {"visible": case.visible, "filters": case.filters, "limit": case.limit}
    lexical = await store.lexical(LexicalQuery("", case.terms), **scope)
    return [lexical, await store.dense(DenseQuery(MODEL, row(*case.vector)), **scope)]


async def browse(store: Store, case: Case) -> list[object]:
    """Everything else a reader can see."""
    page = await store.documents(visible=case.visible, filters=case.filters, offset=case.limit - 1, limit=case.limit)
    names = [ChunkId(chunk.id) for change in case.replaces for chunk in change.chunks]
    seen: list[object] = [await store.chunks(names, visible=case.visible), await store.sources(visible=case.visible)]
    seen += [page, await store.documents(visible=case.visible, filters=NO_FILTERS, offset=0, limit=99)]
    for name in ("x", "y", "z"):
        for call in (store.document, store.outline):
            try:
                seen.append(await call(name, visible=case.visible))
            except DocumentNotFound as error:
                seen.append(error.message)
    return seen


@asynccontextmanager
async def embedded() -> AsyncIterator[Store]:
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        store = EmbeddedStore(Path(folder), analyze=count_words, version="words")
        yield store
        await store.close()


async def compare_with_visible_only(case: Case) -> None:
    async with embedded() as full, embedded() as partial:
        await fill(full, case)
        await fill_visible(partial, case)
        assert await ask(full, case) == await ask(partial, case)
        assert await browse(full, case) == await browse(partial, case)


def rounded(candidates: Candidates) -> Candidates:
    hits = tuple(Ranked(hit.chunk, round(hit.score, 5)) for hit in candidates.hits)
    shares = {name: round(getattr(candidates, name) or 0.0, 5) for name in ("coverage", "ceiling")}
    return replace(candidates, hits=hits, **shares)


async def compare_with_oracle(case: Case) -> None:
    oracle = MemoryStore(analyze=count_words)
    async with embedded() as store:
        await fill(store, case)
        await fill(oracle, case)
        assert [rounded(found) for found in await ask(store, case)] == [rounded(found) for found in await ask(oracle, case)]
        assert await browse(store, case) == await browse(oracle, case)
        assert await store.states() == await oracle.states()
        assert await store.pending("new", 100) == await oracle.pending("new", 100)
        for source in SOURCES:
            assert await store.ledger(source) == await oracle.ledger(source)


@pytest.fixture(autouse=True)
def _keep_the_index_in_files_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded_module, "SAVE_AFTER", 3)


@FEW
@given(cases())
def test_a_hidden_document_leaves_no_trace(case: Case) -> None:
    anyio.run(compare_with_visible_only, case)


@FEW
@given(cases())
def test_the_embedded_store_answers_as_the_oracle_does(case: Case) -> None:
    anyio.run(compare_with_oracle, case)


def everybody(name: str) -> Callable[..., Audience]:
    """An audience that is right but for one field, which also looks at hidden documents."""

    def find(parts: snapshots.Parts, admitted: np.ndarray) -> Audience:
        leak = getattr(find_audience(parts, np.ones_like(admitted)), name)
        return replace(find_audience(parts, admitted), **{name: leak})

    return find


@pytest.mark.parametrize("name", ["size", "norms"])
def test_statistics_over_hidden_documents_would_be_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "find_audience", everybody(name))
    with pytest.raises(AssertionError):
        QUICK(given(cases())(lambda case: anyio.run(compare_with_visible_only, case)))()
