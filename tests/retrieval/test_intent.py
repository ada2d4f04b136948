"""Questions labelled by hand: one half was there while the rules were written, the other decides."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from citewell.retrieval.intent import plan_search
from citewell.text.versions import Version


class Labelled(NamedTuple):
    question: str
    intent: str
    language: str

    @property
    def kept_aside(self) -> bool:
        return int(hashlib.sha256(self.question.encode()).hexdigest(), 16) % 2 == 1


def labelled() -> list[Labelled]:
    by_intent = yaml.safe_load(Path(__file__).with_name("intent_questions.yaml").read_text(encoding="utf-8"))
    return [
        Labelled(question, intent, language)
        for intent, by_language in by_intent.items()
        for language, questions in by_language.items()
        for question in questions
    ]


def test_there_are_questions_of_every_intent_in_every_language_on_both_sides() -> None:
    questions = labelled()
    assert len(questions) >= 120
    assert len(set(questions)) == len(questions)
    assert all(sum(q.language == language for q in questions) >= 40 for language in ("en", "tr", "zh"))
    assert len({(q.intent, q.language, q.kept_aside) for q in questions}) == 6 * 3 * 2


@pytest.mark.parametrize("kept_aside", [False, True])
def test_the_intent_is_right_for_at_least_nineteen_questions_of_twenty(kept_aside: bool) -> None:
    questions = [q for q in labelled() if q.kept_aside == kept_aside]
    wrong = [(q, plan_search(q.question).intent) for q in questions if plan_search(q.question).intent != q.intent]
    assert len(wrong) <= 0.05 * len(questions), wrong


@pytest.mark.parametrize(
    ("intent", "mode"),
    [
        ("comparison", "hybrid"),
        ("release_date", "bm25"),
        ("temporal", "bm25"),
        ("exact", "bm25"),
        ("conceptual", "hybrid"),
        ("general", "hybrid"),
    ],
)
def test_every_intent_has_its_mode(intent: str, mode: str) -> None:
    plans = [plan_search(q.question) for q in labelled() if q.intent == intent]
    assert {plan.mode for plan in plans if plan.intent == intent} == {mode}


def test_rules_are_tried_in_order_and_the_first_that_fits_decides() -> None:
    assert plan_search("Compare the release dates: when were 1.9 and 1.10 released?").intent == "comparison"
    assert plan_search("When was 1.10, the latest, released?").intent == "release_date"
    assert plan_search("What is the latest release?").intent == "temporal"


def test_a_comparison_and_a_release_date_look_deeper() -> None:
    assert plan_search("1.9 vs 1.10").depth > 1
    assert plan_search("When was 1.10 released?").depth > 1
    assert plan_search("how does it work").depth == 1


def test_a_plan_names_the_versions_and_the_sides() -> None:
    assert plan_search("Compare 1.1 and 1.10").versions == (Version((1, 1)), Version((1, 10)))
    assert plan_search("difference between a Role and a ClusterRole").sides == ("a Role", "a ClusterRole")
    assert plan_search("Istio vs Linkerd?").sides == ("Istio", "Linkerd")


def test_capitals_width_and_dotted_letters_make_no_difference() -> None:
    assert plan_search("COMPARE １.９ AND １.１０").intent == "comparison"
    assert plan_search("EN SON SÜRÜM HANGİSİ").intent == plan_search("en son sürüm hangisi").intent == "temporal"


@given(st.text(max_size=300))
def test_every_question_has_a_plan_and_always_the_same(question: str) -> None:
    assert plan_search(question) == plan_search(question)
    assert plan_search(question).reason


@pytest.mark.parametrize(
    "question",
    [
        "What is the dependency chain between HTTPError and RequestException?",
        "Why is a ConnectionError raised when the proxy cannot be reached?",
        "Print the installed packages to `stdout`",
        "Where was the cotton gin invented and where is it used today?",
        "Which movement has the church supported?",
    ],
)
def test_a_sentence_that_only_mentions_a_name_is_searched_for_by_both_lists(question: str) -> None:
    assert plan_search(question).mode == "hybrid"
