"""Questions at random: good ones and such as cannot be, about what there is, what is hidden and what never was."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st
from phrases import SENTENCES, WORDS
from scenes import GLOBS, Question, mostly

from citewell.core.requests import AskRequest, Filters, ReadRequest, SearchRequest

words = st.one_of(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join), st.sampled_from(SENTENCES))
texts = mostly(words, st.just("  "), of=20)
names = ("docs", "code", "nowhere")
collections = mostly(st.just(()), st.sampled_from(names).map(lambda name: (name,)), of=5)


def few(*values: str) -> st.SearchStrategy[tuple[str, ...]]:
    """Draw none, mostly, or one of ``values``."""
    return mostly(st.just(()), st.sampled_from(values).map(lambda value: (value,)), of=5)


filters = st.builds(
    Filters,
    collections=collections,
    sources=few("handbook", "wiki", "library", "elsewhere"),
    paths=few(*GLOBS),
    languages=few("en", "tr", "zh"),
    kinds=few("markdown", "python"),
    versions=few("2.0"),
)
searches = st.builds(
    SearchRequest,
    query=texts,
    k=mostly(st.sampled_from((8, 1, 2, 3, 50)), st.just(0), of=20),
    mode=st.sampled_from(("auto", "hybrid", "bm25", "dense")),
    filters=mostly(st.just(Filters()), filters, of=2),
    cursor=mostly(st.none(), st.just("bm90aGluZw"), of=20),
)
asks = st.builds(AskRequest, question=texts, filters=st.builds(Filters, collections=collections))
nowhere = st.sampled_from(("open/9.md", "9", "../board/0.md", "board/", "board/0.md:"))


def reads(known: Sequence[str]) -> st.SearchStrategy[ReadRequest]:
    """Draw attempts to read the documents ``known`` and their passages, and what was never there."""
    documents = mostly(st.sampled_from(known), nowhere, of=6)
    passages = st.builds("{}:{}".format, documents, st.integers(0, 4))
    return st.builds(
        ReadRequest,
        id=st.one_of(documents, passages),
        start_line=mostly(st.just(1), st.sampled_from((2, 5, 40, 0)), of=3),
        end_line=mostly(st.none(), st.sampled_from((3, 99)), of=3),
    )


def anything(known: Sequence[str]) -> st.SearchStrategy[Question]:
    """Draw a question, some about the documents ``known``."""
    return mostly(searches, st.one_of(asks, reads(known), reads(known), st.just("sources")), of=2)
