"""Filters are data: whatever a value holds, both legs find what the oracle finds, and nothing else happens.

A few hundred cases a store in the suite; `make fuzz-filters` asks each store 20,000 and writes what came of it to
``FUZZ_FILTERS_JSON``.
"""

from __future__ import annotations

import json
import os
import random
import time
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path

import pytest
from fuzzed_cases import EVERYTHING, Case, Corpus
from running_engines import running

from citewell.core.fields import parts_of
from citewell.core.model import Chunk, DocumentInfo
from citewell.core.ports import Candidates, Store, StoreSetup
from citewell.core.requests import Filters
from citewell.registry import open_store
from citewell.testing import memory_store
from citewell.testing.memory_store import MemoryStore
from citewell.text.terms import TermVector, index_terms

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(0)]

CASES = int(os.environ.get("FUZZ_FILTERS", "150"))
RESULTS = os.environ.get("FUZZ_FILTERS_JSON")
SLOW = ("elasticsearch", "opensearch")
"""Real nodes, which take a while to start: in long runs only."""
LONG = not {"FUZZ_FILTERS", "TEST_ALL_ENGINES"}.isdisjoint(os.environ)
STORES = ("embedded", "noida", "milvus", "milvus-2.5", *(SLOW if LONG else ()))
CORPUS = Corpus.made()
HALF_PRECISION = 2e-3
"""Vectors may be kept in 16 bits; what is nearer to one another than that may change places."""


@contextmanager
def address(name: str, folder: Path) -> Iterator[str]:
    """Yield the address of an empty store of the kind ``name``."""
    options = f"prefix=f{uuid.uuid4().hex[:12]}_&timeout=60"
    if name == "embedded":
        yield f"embedded:{folder}"
    elif name.startswith("milvus"):
        pytest.importorskip("pymilvus")
        with running(name) as engine:
            yield f"milvus:{engine}?{options}"
    else:
        with running(name) as texts, running("qdrant") as vectors:
            yield f"elastic+qdrant:{texts},{vectors}?{options}"


async def three() -> int:
    return 3


@pytest.fixture(scope="module", params=STORES)
async def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Store]:
    async with AsyncExitStack() as stack:
        place = stack.enter_context(address(request.param, tmp_path_factory.mktemp("store")))
        store = open_store(place, StoreSetup(dimension=three))
        stack.push_async_callback(store.close)
        yield await CORPUS.fill(store)


@pytest.fixture
async def oracle() -> Store:
    """Lend the store that works everything out anew, but for the terms of chunks, which no question changes."""
    known: dict[str, TermVector] = {}

    def analyze(chunk: Chunk, info: DocumentInfo) -> TermVector:
        if chunk.id not in known:
            known[chunk.id] = index_terms(chunk, info)
        return known[chunk.id]

    return await CORPUS.fill(MemoryStore(analyze))


def agrees(found: Candidates, whole: Candidates, limit: int, *, scored: bool) -> bool:
    """Say whether ``found`` is the beginning of ``whole``: in the order of the store's own scores, or as ``scored`` there."""
    ours, known = found.hits, {hit.chunk: hit.score for hit in whole.hits}
    orderly = list(ours) == sorted({hit.chunk: hit for hit in ours}.values(), key=lambda hit: (-hit.score, hit.chunk))
    admissible = len(ours) == min(limit, len(known)) and all(hit.chunk in known for hit in ours)
    if not (orderly and admissible and found.pending == whole.pending):
        return False
    best = pytest.approx([hit.score for hit in whole.hits[: len(ours)]], abs=HALF_PRECISION)
    return not scored or ([hit.score for hit in ours] == best and [known[hit.chunk] for hit in ours] == best)


async def check(case: Case, store: Store, oracle: Store) -> bool:
    """Ask both; say whether there was anything to find."""
    expected, found = await case.asked(oracle, EVERYTHING), await case.asked(store, case.limit)
    exact = store.exact_isolation
    assert agrees(found.lexical, expected.lexical, case.limit, scored=exact), (found.lexical, expected.lexical)
    assert agrees(found.dense, expected.dense, case.limit, scored=True), (found.dense, expected.dense)
    assert found.listed == expected.listed
    return expected.anything


async def test_a_fuzzed_filter_finds_what_the_oracle_finds(
    store: Store, oracle: Store, record_property: Callable[[str, object], None], request: pytest.FixtureRequest
) -> None:
    dice, started, found = random.Random(CASES), time.monotonic(), 0
    for number in range(CASES):
        case = Case.drawn(dice, CORPUS)
        try:
            found += await check(case, store, oracle)
        except Exception as error:
            error.add_note(f"case {number}: {case}")
            raise
    assert found > CASES / 20, "hardly any filter admits anything"
    kind = request.node.callspec.params["store"]
    record_property("figures", f"fuzzed filters, {kind}: {CASES} cases, all as the oracle, {found} found something")
    if RESULTS:
        write(kind, {"cases": CASES, "errors": 0, "unlike_the_oracle": 0, "found_something": found}, started)


def write(kind: str, figures: dict[str, float], started: float) -> None:
    """Put the figures of one store among those of the others."""
    place = Path(RESULTS or "")
    known = json.loads(place.read_text()) if place.exists() else {}
    known[kind] = figures | {"seconds": round(time.monotonic() - started)}
    place.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n", encoding="utf-8")


def wildcards(held: str, wanted: str) -> bool:
    """Compare as does a store that knows wildcards."""
    return fnmatchcase(held, wanted)


def quotes(held: str, wanted: str) -> bool:
    """Compare as does a store whose query ends at a quotation mark."""
    return held == wanted.partition('"')[0]


@pytest.mark.parametrize("compare", [wildcards, quotes])
async def test_a_store_that_reads_more_into_a_value_would_be_noticed(
    oracle: Store, compare: Callable[[str, str], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = random.Random(1)
    cases = [Case.drawn(dice, CORPUS) for _ in range(150)]
    expected = [await case.asked(oracle, EVERYTHING) for case in cases]
    monkeypatch.setattr(memory_store, "matches_fields", partial(carelessly, compare))
    found = [await case.asked(oracle, EVERYTHING) for case in cases]
    alike = [agrees(f.dense, e.dense, EVERYTHING, scored=True) for f, e in zip(found, expected, strict=True)]
    assert not all(alike)


def carelessly(compare: Callable[[str, str], bool], field: Callable[[str], str | None], filters: Filters) -> bool:
    """Say whether every field is as wanted, compared with ``compare`` beside what is right."""
    wanted = (("version", filters.versions), *filters.fields)
    held = ((parts_of(field(name) or ""), values) for name, values in wanted if values)
    return all(any(part == value or compare(part, value) for part in parts for value in values) for parts, values in held)
