"""Rules of filters and of listing documents. Part of the conformance suite."""

# ruff: noqa: D102 (the name of a test is its sentence)

from __future__ import annotations

import pytest

from citewell.core.ports import DocumentPage, Remove, Store
from citewell.core.requests import NO_FILTERS, Filters
from citewell.testing.store_samples import ANYONE, embed, find, ids, near, row, sample

HOSTILE = (
    '"', "'", "\\", "%", "_", "*", "?", "x' OR '1'='1", 'x" or acl != "', '"] or true or kind in ["', "a,b", "{$ne: 1}",
    "\x00", "\n", "🎈", "١", "I", "ı", "null", "true", "", " ", "open ", "x" * 5_000,
)  # fmt: skip
"""Values that mean something to one query language or another."""


async def both_legs(store: Store, filters: Filters) -> str:
    """Return the ids of the chunks that both legs find for ``tea``, in order; that they find the same is checked."""
    lexical, dense = await find(store, "tea", filters=filters), await near(store, row(1, 0), filters=filters)
    assert sorted(ids(lexical)) == sorted(ids(dense))
    return "".join(sorted(ids(lexical)))


def narrowed(**fields: str) -> Filters:
    """Return the filter that asks for one value of each of ``fields``."""
    return Filters(fields=tuple((name, (value,)) for name, value in fields.items()))


class FilterRules:
    """What filters promise, in both legs."""

    @pytest.mark.parametrize(
        ("filters", "expected"),
        [
            (Filters(), "abc"),
            (Filters(collections=("code",)), "c"),
            (Filters(sources=("wiki", "nowhere")), "b"),
            (Filters(paths=("guide/*.md",)), "a"),
            (Filters(paths=("guide/**", "lib/**/*.py")), "ac"),
            (Filters(paths=("*.md",)), ""),
            (Filters(languages=("tr", "en")), "abc"),
            (Filters(languages=("tr",)), "b"),
            (Filters(kinds=("python",)), "c"),
            (Filters(versions=("2.0",)), "b"),
            (Filters(collections=("docs",), languages=("en",)), "a"),
            (Filters(collections=("code",), languages=("tr",)), ""),
        ],
    )
    async def test_a_filter_admits_what_matches_every_field(self, store: Store, filters: Filters, expected: str) -> None:
        await store.apply(
            [
                sample("guide/one.md", "tea x", ids=["a"]),
                sample("pages/two.md", "tea y", ids=["b"], source="wiki", language="tr", version="2.0"),
                sample("lib/deep/three.py", "tea z", ids=["c"], kind="python", collection="code"),
            ]
        )
        await embed(store, {"tea x": row(1, 0), "tea y": row(0, 1), "tea z": row(1, 2)})
        assert await both_legs(store, filters) == expected
        listed = await store.documents(visible=ANYONE, filters=filters, offset=0, limit=9)
        assert listed.total == len(listed.items) == len(expected)


class FieldRules:
    """What filters by the fields of chunks and documents promise, in both legs."""

    @pytest.fixture
    async def changelog(self, store: Store) -> Store:
        """Lend a store with a changelog whose sections (a, b, c) have fields of their own, and with an issue (d)."""
        labels = {"issue_state": "open", "issue_labels": "bug, help wanted", "issue_number": "17"}
        releases = [{"version": "1.1", "release_date": "2023-01-02"}, {"version": "1.10", "doc_type": "notes"}, {}]
        fields = {"doc_type": "release", "release_date": "2020-12-31"}
        texts = ["tea a", "tea b", "tea c"]
        await store.apply(
            [
                sample("log", *texts, ids=["a", "b", "c"], version="9", metadata=fields, own=releases),
                sample("17.json", "tea d", ids=["d"], metadata=labels),
            ]
        )
        await embed(store, {f"tea {name}": row(2, place) for place, name in enumerate("acbd", start=3)})
        return store

    @pytest.mark.parametrize(
        ("filters", "expected"),
        [
            (narrowed(doc_type="release"), "ac"),
            (narrowed(doc_type="notes"), "b"),
            (narrowed(doc_type="release", release_date="2020-12-31"), "c"),
            (narrowed(release_date="2023-01-02"), "a"),
            (narrowed(issue_labels="bug"), "d"),
            (narrowed(issue_labels="help wanted"), "d"),
            (narrowed(issue_labels="bug, help wanted"), "d"),
            (narrowed(issue_labels="help"), ""),
            (narrowed(issue_labels="Bug"), ""),
            (narrowed(issue_number="1"), ""),
            (narrowed(version="1.1"), "a"),
            (narrowed(version="9"), "c"),
            (narrowed(resource_kind="Pod"), ""),
            (Filters(fields=(("doc_type", ("notes", "release")), ("version", ("1.10", "9")))), "bc"),
            (Filters(fields=(("doc_type", ()),)), "abcd"),
            (Filters(versions=("1.1",)), "a"),
            (Filters(versions=("1.10", "9")), "bc"),
            (Filters(versions=("1",)), ""),
            (Filters(versions=("9",), fields=(("doc_type", ("release",)),)), "c"),
            (Filters(paths=("l*",), fields=(("doc_type", ("notes",)),)), "b"),
            (Filters(paths=("l*",), versions=("1.1",)), "a"),
            (Filters(paths=("*.json",), versions=("1.1",)), ""),
        ],
    )
    async def test_a_chunk_has_its_own_field_or_else_its_documents(
        self, changelog: Store, filters: Filters, expected: str
    ) -> None:
        assert await both_legs(changelog, filters) == expected

    @pytest.mark.parametrize("value", HOSTILE)
    async def test_a_value_is_compared_and_never_interpreted(self, changelog: Store, value: str) -> None:
        await changelog.apply([sample("hidden", "tea", ids=["h"], acl=["group:staff"], metadata={"issue_state": value})])
        for filters in (narrowed(issue_state=value), Filters(versions=(value,)), Filters(kinds=(value,), sources=(value,))):
            assert (await find(changelog, "tea", filters=filters)).hits == ()
            assert (await near(changelog, row(1, 0), filters=filters)).hits == ()
            assert await changelog.documents(visible=ANYONE, filters=filters, offset=0, limit=9) == DocumentPage((), 0)

    @pytest.mark.parametrize("value", [value for value in HOSTILE if value])
    async def test_a_value_is_found_as_it_was_written(self, changelog: Store, value: str) -> None:
        await changelog.apply([sample("x", "tea e", ids=["e"], own=[{"issue_state": value}])])
        await embed(changelog, {"tea e": row(2, 1)})
        assert await both_legs(changelog, narrowed(issue_state=value)) == "e"

    async def test_a_replaced_document_is_found_by_its_new_fields_alone(self, changelog: Store) -> None:
        await changelog.apply([sample("17.json", "tea d", ids=["d"], metadata={"issue_state": "closed"})])
        assert await both_legs(changelog, narrowed(issue_state="open")) == ""
        assert await both_legs(changelog, narrowed(issue_state="closed")) == "d"


class ListingRules:
    """What listing documents promises."""

    async def test_documents_come_by_source_and_path_a_page_at_a_time(self, store: Store) -> None:
        await store.apply([sample(path, "tea") for path in ("b", "é", "a/z", "B")])
        await store.apply([sample("a", "tea", source="attic"), sample("0", "tea", source="wiki")])
        whole = await store.documents(visible=ANYONE, filters=NO_FILTERS, offset=0, limit=10)
        assert [(info.source, info.path) for info in whole.items] == [
            ("attic", "a"), ("handbook", "B"), ("handbook", "a/z"), ("handbook", "b"), ("handbook", "é"), ("wiki", "0"),
        ]  # fmt: skip
        page = await store.documents(visible=ANYONE, filters=NO_FILTERS, offset=2, limit=3)
        assert (page.items, page.total) == (whole.items[2:5], 6)
        assert await store.documents(visible=ANYONE, filters=NO_FILTERS, offset=99, limit=3) == DocumentPage((), 6)

    async def test_hidden_documents_are_neither_listed_nor_counted(self, store: Store) -> None:
        await store.apply([sample("a", "tea", acl=["group:staff"]), sample("b", "tea"), sample("c", "tea", acl=[])])
        mine = await store.documents(visible=ANYONE, filters=NO_FILTERS, offset=0, limit=10)
        assert ([info.path for info in mine.items], mine.total) == (["b"], 1)
        theirs = await store.documents(visible=frozenset({"group:staff"}), filters=NO_FILTERS, offset=0, limit=10)
        assert ([info.path for info in theirs.items], theirs.total) == (["a"], 1)
        assert await store.documents(visible=frozenset(), filters=NO_FILTERS, offset=0, limit=10) == DocumentPage((), 0)

    async def test_a_list_is_narrowed_by_what_documents_are_alone(self, store: Store) -> None:
        await store.apply(
            [
                sample("a", "tea", metadata={"issue_state": "open"}, version="1.0"),
                sample("b", "tea", metadata={"issue_state": "closed"}, own=[{"issue_state": "open", "version": "1.0"}]),
            ]
        )
        for filters in (narrowed(issue_state="open"), Filters(versions=("1.0",)), narrowed(version="1.0")):
            listed = await store.documents(visible=ANYONE, filters=filters, offset=0, limit=10)
            assert ([info.path for info in listed.items], listed.total) == (["a"], 1)

    async def test_changes_show_in_the_list_at_once(self, store: Store) -> None:
        await store.apply([sample("a", "tea"), sample("b", "pot", title="Old")])
        await store.documents(visible=ANYONE, filters=NO_FILTERS, offset=0, limit=10)
        await store.apply([Remove(source="handbook", path="a"), sample("b", "pot", title="New")])
        listed = await store.documents(visible=ANYONE, filters=NO_FILTERS, offset=0, limit=10)
        assert [info.title for info in listed.items] == ["New"]
