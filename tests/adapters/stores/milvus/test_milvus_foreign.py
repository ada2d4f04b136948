"""Serving collections that somebody else filled, and what of them is refused."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import pytest

pytest.importorskip("pymilvus")

from foreign_filling import fill

from citewell.core.errors import ConfigurationError, DocumentNotFound, StoreError, WrongDimension
from citewell.core.model import ChunkId
from citewell.core.ports import ForeignCollection, Store, StoreSetup
from citewell.core.requests import NO_FILTERS, Filters
from citewell.registry import open_store
from citewell.testing.store_filters import HOSTILE
from citewell.testing.store_samples import ANYONE, embed, find, ids, near, row, sample

pytestmark = pytest.mark.anyio

STAFF = frozenset({"group:staff"})
FIRST, SECOND, ISSUE = (
    f"foreign:releases:{name}" for name in ("releases/1.10.md:0", "releases/1.10.md:1", "issue-17:0")
)  # fmt: skip
Opener = Callable[..., Store]


async def two() -> int:
    return 2


@pytest.fixture
async def opened(milvus: str, prefix: str) -> AsyncIterator[Opener]:
    """Lend what opens a store that serves the collection ``releases``, filled by others, to the staff."""
    stores: list[Store] = []

    def open_one(**differently: object) -> Store:
        remote = f"{prefix}theirs"
        if differently.pop("filled", True):
            fill(milvus, remote, **differently)  # type: ignore[arg-type]
        foreign = (ForeignCollection(name="releases", remote=remote, acl=STAFF),)
        stores.append(open_store(f"milvus:{milvus}?prefix={prefix}&timeout=30", StoreSetup(foreign=foreign, dimension=two)))
        return stores[-1]

    yield open_one
    for store in stores:
        await store.close()


def narrowed(**fields: str) -> Filters:
    return Filters(fields=tuple((name, (value,)) for name, value in fields.items()))


async def test_it_is_searched_by_words_and_by_vectors(opened: Opener) -> None:
    store = opened()
    found = await find(store, "cups", visible=STAFF)
    assert (ids(found), found.absent) == ([SECOND], "")
    assert ids(await find(store, "boil", visible=STAFF, limit=1)) == [FIRST]
    assert ids(await near(store, row(1, 0), visible=STAFF)) == [FIRST, SECOND, ISSUE]


async def test_it_is_open_to_those_whom_the_configuration_names(opened: Opener) -> None:
    store = opened()
    assert ids(await find(store, "boil")) == ids(await near(store, row(1, 0))) == []
    assert await store.chunks([ChunkId(FIRST)], visible=ANYONE) == {}
    assert await store.sources(visible=ANYONE) == ()
    for call in (store.document, store.outline):
        with pytest.raises(DocumentNotFound):
            await call("issue-17", visible=ANYONE)


async def test_its_passages_carry_what_is_known_of_them(opened: Opener) -> None:
    store = opened()
    found = await store.chunks([ChunkId(ISSUE), ChunkId(SECOND)], visible=STAFF)
    release, issue = found[ChunkId(SECOND)], found[ChunkId(ISSUE)]
    assert (release.chunk.text, release.url, release.info.path) == (
        "cups are warmer",
        "https://example.org/releases/1.10",
        "releases/1.10.md",
    )
    assert "Release 1.10 > Changes" in release.section
    named = ("version", "release_date", "doc_type", "issue_number")
    assert [release.field(name) for name in named] == ["1.10", "2025-04-01", "release", None]
    named = ("repo_name", "issue_number", "issue_state", "issue_labels", "release_date")
    assert [issue.field(name) for name in named] == ["tea/kettle", "17", "open", "bug, help wanted", None]


async def test_its_documents_are_put_together_of_their_passages(opened: Opener) -> None:
    store = opened()
    assert (await store.document("releases/1.10.md", visible=STAFF)).text == "kettles boil faster\ncups are warmer"
    outline = await store.outline("releases/1.10.md", visible=STAFF)
    assert [stored.chunk.ordinal for stored in outline] == [0, 1]
    listed = await store.documents(visible=STAFF, filters=NO_FILTERS, offset=0, limit=9)
    assert ([info.id for info in listed.items], listed.total) == (["issue-17", "releases/1.10.md"], 2)
    (count,) = await store.sources(visible=STAFF)
    assert (count.state.name, count.documents, count.chunks) == ("releases", 2, 3)


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (narrowed(version="1.10"), {FIRST, SECOND}),
        (narrowed(version="1.1"), set()),
        (Filters(versions=("1.10",)), {FIRST, SECOND}),
        (narrowed(issue_labels="help wanted"), {ISSUE}),
        (narrowed(issue_number="17", issue_state="open"), {ISSUE}),
        (narrowed(release_date="2025-04-01"), {FIRST, SECOND}),
        (Filters(paths=("releases/**",)), {FIRST, SECOND}),
        (Filters(collections=("releases",)), {FIRST, SECOND, ISSUE}),
        (Filters(collections=("docs",)), set()),
    ],
)
async def test_it_is_narrowed_by_the_fields_that_it_has(opened: Opener, filters: Filters, expected: set[str]) -> None:
    store = opened()
    assert set(ids(await near(store, row(1, 0), visible=STAFF, filters=filters))) == expected
    assert set(ids(await find(store, "boil cups", visible=STAFF, filters=filters))) == expected


async def test_a_value_is_compared_and_never_interpreted(opened: Opener) -> None:
    store = opened()
    for value in HOSTILE:
        for filters in (narrowed(issue_state=value), narrowed(repo_name=value), Filters(versions=(value,))):
            assert (await near(store, row(1, 0), visible=STAFF, filters=filters)).hits == ()
        with pytest.raises(DocumentNotFound):
            await store.document(value, visible=STAFF)
        assert await store.chunks([ChunkId(f"foreign:releases:{value}:0")], visible=STAFF) == {}


async def test_without_bm25_it_is_searched_by_vectors_alone_and_says_why(opened: Opener) -> None:
    store = opened(bm25=False)
    for filters in (NO_FILTERS, Filters(collections=("releases",))):
        found = await find(store, "boil", visible=STAFF, filters=filters)
        assert (found.hits, found.absent) == ((), "the collection releases has no BM25 field")
    assert ids(await near(store, row(1, 0), visible=STAFF)) == [FIRST, SECOND, ISSUE]


async def test_fields_that_may_be_missing_are_missing(opened: Opener) -> None:
    store = opened(without=("version", "release_date", "title", "section_path", "citation_url", "file_path"))
    (stored,) = (await store.chunks([ChunkId(FIRST)], visible=STAFF)).values()
    assert (stored.field("version"), stored.info.path, stored.field("doc_type")) == (None, "releases/1.10.md", "release")
    assert (await near(store, row(1, 0), visible=STAFF, filters=narrowed(version="1.10"))).hits == ()


async def test_what_it_cannot_do_without_is_named(opened: Opener) -> None:
    store = opened(without=("document_id", "chunk_index"))
    for leg in (find(store, "boil", visible=STAFF), near(store, row(1, 0), visible=STAFF)):
        with pytest.raises(ConfigurationError, match="document_id, chunk_index"):
            await leg


async def test_one_that_is_not_there_is_named(opened: Opener) -> None:
    store = opened(filled=False)
    with pytest.raises(ConfigurationError, match="theirs"):
        await near(store, row(1, 0), visible=STAFF)


async def test_vectors_of_another_dimension_are_told_of(opened: Opener) -> None:
    store = opened()
    with pytest.raises(WrongDimension, match=r"theirs holds vectors of 2, the embedder gives 3"):
        await near(store, row(1, 0, 0), visible=STAFF)


async def test_nothing_is_written_to_it(opened: Opener) -> None:
    store = opened()
    with pytest.raises(StoreError, match="'releases' is filled by others"):
        await store.apply([sample("a", "tea", collection="releases")])


async def test_it_is_searched_together_with_our_own(opened: Opener) -> None:
    store = opened()
    await store.apply([sample("a", "boil the tea")])
    await embed(store, {"boil the tea": row(1, 0)})
    both = STAFF | ANYONE
    assert set(ids(await find(store, "boil", visible=both))) == {"handbook/a#0", FIRST, ISSUE}
    assert set(ids(await near(store, row(1, 0), visible=both))) == {"handbook/a#0", FIRST, SECOND, ISSUE}
    assert [count.state.name for count in await store.sources(visible=both)] == ["handbook", "releases"]
