"""The two legs against independent implementations: bm25s, and brute force over float32."""

from __future__ import annotations

import gc
from collections import Counter
from pathlib import Path

import bm25s
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from citewell.adapters.stores.bm25 import K1, B
from citewell.adapters.stores.embedded import EmbeddedStore
from citewell.adapters.stores.postings import pack_terms, unpack_terms
from citewell.adapters.stores.vectors import RANGE, VectorSegment, coarse_query, coarse_scale, exact_scores, slack
from citewell.core.ports import LexicalQuery, Store
from citewell.core.requests import NO_FILTERS, Filters
from citewell.testing.store_samples import MODEL, count_words, near, row, sample
from citewell.text.terms import TermVector

pytestmark = pytest.mark.anyio

EVERYBODY = frozenset({"group:all", "group:tenth", "group:hundredth"})


def open_store(folder: Path) -> Store:
    return EmbeddedStore(folder, analyze=count_words, version="words")


async def test_scores_are_those_of_bm25s(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    corpus = [[f"w{n}" for n in rng.zipf(1.3, rng.integers(3, 60)) % 500] for _ in range(300)]
    oracle = bm25s.BM25(method="lucene", k1=K1, b=B)
    oracle.index(corpus, show_progress=False)
    store = open_store(tmp_path)
    await store.apply([sample(f"{n:03}", " ".join(words), ids=[f"{n:03}"]) for n, words in enumerate(corpus)])
    for query in (["w1"], ["w7", "w3"], ["w1", "w2", "w30", "w400"]):
        asked = LexicalQuery("", dict.fromkeys(query, 1.0))
        found = await store.lexical(asked, visible=frozenset({"public"}), filters=NO_FILTERS, limit=300)
        expected = oracle.get_scores(query)
        got = np.zeros(len(corpus))
        got[[int(hit.chunk) for hit in found.hits]] = [hit.score for hit in found.hits]
        assert got == pytest.approx(expected, rel=1e-5, abs=1e-6)
    await store.close()


def clusters(count: int, dimension: int, seed: int = 5) -> NDArray[np.float32]:
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((max(count // 40, 1), dimension))
    vectors = centres[rng.integers(0, len(centres), count)] + 0.7 * rng.standard_normal((count, dimension))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def group(number: int) -> list[str]:
    """Of a hundred documents, one is open to a hundredth, ten to a tenth, and all to all."""
    return ["group:all"] + ["group:tenth"] * (number % 10 == 0) + ["group:hundredth"] * (number % 100 == 0)


async def test_the_nearest_chunks_are_found_whatever_is_hidden(tmp_path: Path) -> None:
    vectors = clusters(4000, 64)
    store = open_store(tmp_path)
    changes = [sample(f"{n}", f"text {n}", ids=[f"{n:04}"], acl=group(n), kind=str(n % 3)) for n in range(len(vectors))]
    await store.apply(changes)
    waiting = await store.pending(MODEL, 10_000)
    await store.put_vectors(MODEL, {p.hash: vectors[int(p.text.split()[1])] for p in waiting})
    stored = vectors.astype(np.float16).astype(np.float32)
    for query in vectors[::400]:
        for name, step in (("all", 1), ("tenth", 10), ("hundredth", 100)):
            for filters, every in ((NO_FILTERS, 1), (Filters(kinds=("0",)), 3)):
                rows = np.array([n for n in range(0, len(vectors), step) if n % every == 0])
                scores = exact_scores(stored.astype(np.float16), rows, query)
                order = np.lexsort((rows, -scores))[:50]
                found = await near(store, query, visible=frozenset({f"group:{name}"}), filters=filters, limit=50)
                assert [int(hit.chunk) for hit in found.hits] == rows[order].tolist()
                assert [hit.score for hit in found.hits] == scores[order].tolist()
    await store.close()


async def test_vectors_that_codes_say_too_little_about_are_found_too(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    await store.apply([sample(f"{n}", f"text {n}", ids=[f"{n:04}"]) for n in range(1500)])
    vectors = clusters(1500, 100)
    vectors[::2] = np.eye(100, dtype=np.float32)[np.arange(750) % 100]
    vectors[4] = 3 * vectors[4]
    waiting = await store.pending(MODEL, 10_000)
    await store.put_vectors(MODEL, {p.hash: vectors[int(p.text.split()[1])] for p in waiting})
    found = await near(store, np.eye(100, dtype=np.float32)[2], limit=8)
    assert [int(hit.chunk) for hit in found.hits] == [4, *range(204, 1500, 200)][:8]
    assert found.hits[0].score == 3.0
    await store.close()


@settings(deadline=None)
@given(st.lists(st.integers(0, 99), min_size=1, max_size=40), st.integers(0, 3), st.sampled_from([1, 3, 8, 65, 384, 896]))
def test_a_score_does_not_depend_on_the_other_rows(rows: list[int], seed: int, dimension: int) -> None:
    matrix = clusters(100, dimension, seed).astype(np.float16)
    query = clusters(1, dimension, seed + 1)[0]
    every = exact_scores(matrix, np.arange(100), query)
    assert exact_scores(matrix, np.array(rows), query).tobytes() == every[rows].tobytes()


@settings(deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([2, 3, 8, 64, 100, 384, 896]))
def test_codes_never_mistake_the_order_of_scores_that_differ_by_more_than_the_slack(seed: int, dimension: int) -> None:
    vectors = clusters(400, dimension, seed)
    segment = VectorSegment.of(np.arange(400), vectors.astype(np.float16))
    query = clusters(1, dimension, seed + 1)[0]
    slots, coarse = segment.propose(query, np.ones(400, dtype=np.bool_), 400)
    error = coarse - exact_scores(segment.matrix, slots, query)
    assert np.ptp(np.delete(error, np.flatnonzero(np.isin(slots, segment.wide)))) <= slack(query)


def test_a_segment_without_vectors_proposes_nothing() -> None:
    segment = VectorSegment.of(np.arange(0), np.empty((0, 8), dtype=np.float16))
    slots, scores = segment.propose(clusters(1, 8)[0], np.ones(0, dtype=np.bool_), 5)
    assert (len(slots), len(scores)) == (0, 0)


def test_codes_outlive_the_arrays_they_came_in() -> None:
    vectors = clusters(3000, 64).astype(np.float16)
    segment = VectorSegment.from_arrays(VectorSegment.of(np.arange(3000), vectors).arrays())
    before = segment.propose(vectors[7].astype(np.float32), np.ones(3000, dtype=np.bool_), 5)
    del vectors
    gc.collect()
    clutter = [np.zeros((3000, 64), dtype=np.uint8) for _ in range(20)]
    after = segment.propose(segment.matrix[7].astype(np.float32), np.ones(3000, dtype=np.bool_), 5)
    assert len(clutter) == 20
    assert before[0].tolist() == after[0].tolist()


def test_components_beyond_the_range_make_a_row_wide() -> None:
    edge = RANGE / np.sqrt(100)
    vectors = np.zeros((3, 100), dtype=np.float16)
    vectors[0, 0], vectors[1, 0], vectors[2, :] = edge * 0.99, edge * 1.02, 0.11
    assert VectorSegment.of(np.arange(3), vectors).wide.tolist() == [1, 2]
    assert coarse_scale(100) * edge == pytest.approx(127)


def test_a_query_becomes_whole_steps() -> None:
    codes, step = coarse_query(row(0.5, -0.25, 0.1))
    assert codes.tolist() == [127, -64, 25]
    assert codes * step == pytest.approx([0.5, -0.25, 0.1], abs=step / 2)


counts = st.dictionaries(st.text(max_size=5), st.sampled_from([0.5, 1.0, 3.0, 7.25]), max_size=6)


@given(st.lists(counts, max_size=4))
def test_packed_terms_come_back(chunks: list[dict[str, float]]) -> None:
    vectors = [TermVector(frequencies, sum(frequencies.values())) for frequencies in chunks]
    postings, lengths = unpack_terms(pack_terms(vectors))
    assert lengths.tolist() == [vector.length for vector in vectors]
    found: list[Counter[str]] = [Counter() for _ in chunks]
    for term in {term for frequencies in chunks for term in frequencies}:
        for place, frequency in zip(*postings.find(term.encode()), strict=True):
            found[place][term] = float(frequency)
    assert found == chunks
