from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from citewell.core.model import Chunk, ChunkId, DocumentInfo, Lines, StoredChunk
from citewell.retrieval.fusion import Fused
from citewell.retrieval.intent import plan_search
from citewell.retrieval.rules import apply_rules

RELEASES = [
    ("1.1", "2020-07-31"),
    ("1.10.0", "2025-04-01"),
    ("1.11", "2025-12-15"),
    ("26.03", "2026-03-22"),
    ("26.3.1", "2026-03-22"),
]


def passage(name: str, text: str = "", **fields: str) -> StoredChunk:
    info = DocumentInfo(
        source="s", collection="docs", id=name, path=name, title="", language="en", kind="markdown", permalink="https://a.org"
    )
    chunk = Chunk(id=ChunkId(name), ordinal=0, start=0, end=len(text), text=text, lines=Lines(1, 1), metadata=fields)
    return StoredChunk(chunk, info)


def ranked(stored: Mapping[ChunkId, StoredChunk]) -> list[Fused]:
    """Candidates in the order given, each a little worse than the one before it."""
    return [Fused(name, 1 - place / 100, {}) for place, name in enumerate(stored)]


def order(question: str, *passages: StoredChunk) -> list[str]:
    stored = {passage.chunk.id: passage for passage in passages}
    return [hit.chunk for hit in apply_rules(plan_search(question), ranked(stored), stored).hits]


RELEASE_NOTES = [passage(version, version=version, release_date=day) for version, day in RELEASES]
OTHER = passage("other", "nothing of that kind")


def test_the_version_asked_for_comes_first_and_is_never_the_beginning_of_another() -> None:
    assert order("When was 1.10 released?", OTHER, *RELEASE_NOTES)[0] == "1.10.0"
    assert order("When was 1.1 released?", OTHER, *RELEASE_NOTES)[0] == "1.1"


def test_a_passage_that_mentions_the_version_comes_before_those_that_do_not() -> None:
    mention = passage("mention", "1.12 will come in June")
    assert order("When is 1.12 going to be released?", *RELEASE_NOTES, mention)[0] == "mention"


def test_the_newest_release_comes_first_and_on_one_day_the_better_score() -> None:
    assert order("latest release", OTHER, *RELEASE_NOTES) == ["26.03", "26.3.1", "1.11", "1.10.0", "1.1", "other"]


def test_both_versions_of_a_comparison_come_first_in_the_order_of_the_list() -> None:
    found = order("Compare 1.10 and 1.1", OTHER, *reversed(RELEASE_NOTES))
    assert found[:2] == ["1.10.0", "1.1"]


def test_both_things_of_a_comparison_come_first() -> None:
    assert order("Istio vs Linkerd", OTHER, passage("l", "linkerd mesh"), passage("i", "ISTIO mesh"))[:2] == ["l", "i"]


def test_passages_without_release_fields_stay_as_they_are() -> None:
    passages = [passage(name, "1.10 and 1.1") for name in "cab"]
    assert order("When was 1.10 released?", *passages) == order("the latest release", *passages) == ["c", "a", "b"]


@given(
    st.lists(st.sampled_from(range(len(RELEASES))), unique=True),
    st.sampled_from(["1.1 vs 1.11", "latest", "when was 26.03 released", "how"]),
)
def test_a_rule_loses_nothing_and_adds_nothing(places: list[int], question: str) -> None:
    passages = [OTHER, *(RELEASE_NOTES[place] for place in places)]
    assert sorted(order(question, *passages)) == sorted(passage.chunk.id for passage in passages)
