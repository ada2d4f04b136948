"""What every reranker must do, as tests: subclass ``RerankerSuite`` and say in the fixture ``reranker`` what to test.

    class TestMine(RerankerSuite):
        @pytest.fixture
        def reranker(self) -> Reranker:
            return MY_RERANKER  # loaded once, used by every test

Needs pytest, and anyio's plugin for it, which comes with citewell.
"""

from __future__ import annotations

import anyio
import numpy as np
import pytest

from citewell.core.ports import Reranker

QUERY = "How long does a request wait before it times out?"
PASSAGES = (
    "A request waits five seconds before it times out, unless the client was created with another timeout.",
    "Cats sleep for most of the day.",
    "如何为单个请求设置超时?",
    "Zaman aşımı tek bir istek için nasıl ayarlanır?",
    "def connect(host: str, port: int = 443) -> Connection: ...",
)
ODD_TEXTS = ("", "   ", "\n\t", "\0", "\ud800 lone", "😀👩‍👩‍👧‍👦", "\u200b\ufeff", "。，！", "x" * 2000, "字" * 3000)


@pytest.mark.anyio
class RerankerSuite:
    """The tests."""

    @pytest.fixture
    def reranker(self) -> Reranker:
        """Return the reranker under test. Subclasses must define it."""
        raise NotImplementedError

    async def test_it_is_a_reranker_with_a_name(self, reranker: Reranker) -> None:
        """The port's properties are there, and the name stays."""
        assert isinstance(reranker, Reranker)
        before = reranker.name
        await reranker.score(QUERY, PASSAGES)
        assert reranker.name == before == before.strip() != ""

    async def test_there_is_a_float32_score_for_each_passage(self, reranker: Reranker) -> None:
        """In their order, from 0 to 1."""
        scores = await reranker.score(QUERY, PASSAGES)
        assert scores.dtype == np.float32
        assert scores.shape == (len(PASSAGES),)
        assert ((scores >= 0) & (scores <= 1)).all()

    async def test_no_passages_have_no_scores(self, reranker: Reranker) -> None:
        """An empty call is answered."""
        assert (await reranker.score(QUERY, ())).shape == (0,)

    async def test_the_passage_that_answers_has_the_best_score(self, reranker: Reranker) -> None:
        """It is what a reranker is for."""
        assert (await reranker.score(QUERY, PASSAGES)).argmax() == 0

    async def test_a_score_depends_on_nothing_else_in_the_call(self, reranker: Reranker) -> None:
        """Alone, in another order, or beside a long text: the same, to the last bit."""
        together = await reranker.score(QUERY, PASSAGES)
        alone = [await reranker.score(QUERY, [passage]) for passage in PASSAGES]
        beside = await reranker.score(QUERY, ["word " * 3000, *reversed(PASSAGES)])
        assert np.concatenate(alone).tobytes() == together.tobytes() == beside[:0:-1].tobytes()

    async def test_calls_side_by_side_do_not_disturb_one_another(self, reranker: Reranker) -> None:
        """Many ask at once."""
        expected = await reranker.score(QUERY, PASSAGES)
        found: list[bytes] = []

        async def score_again() -> None:
            found.append((await reranker.score(QUERY, PASSAGES)).tobytes())

        async with anyio.create_task_group() as tasks:
            for _ in range(4):
                tasks.start_soon(score_again)
        assert found == [expected.tobytes()] * 4

    @pytest.mark.parametrize("odd", ODD_TEXTS, ids=range(len(ODD_TEXTS)))
    async def test_odd_texts_get_scores(self, reranker: Reranker, odd: str) -> None:
        """Blank, broken and unreadable texts, as a query and as a passage."""
        for scores in (await reranker.score(odd, [odd, *PASSAGES[:1]]), await reranker.score(QUERY, [odd])):
            assert ((scores >= 0) & (scores <= 1)).all()
