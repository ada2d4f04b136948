"""An instruction before every query, for any embedder."""

from __future__ import annotations

import numpy as np
import pytest

from citewell.adapters.embedders.hashed import HashEmbedder
from citewell.adapters.embedders.instructed import InstructedEmbedder
from citewell.core.ports import Embedder
from citewell.testing.embedder_suite import EmbedderSuite

pytestmark = pytest.mark.anyio

PLAIN = HashEmbedder()
INSTRUCTED = InstructedEmbedder(PLAIN, "为这个句子生成表示以用于检索相关文章：")


class TestInstructedEmbedder(EmbedderSuite):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return INSTRUCTED


async def test_a_query_is_read_behind_the_instruction() -> None:
    query = await INSTRUCTED.embed(["春天"], "query")
    assert np.array_equal(query, await PLAIN.embed(["为这个句子生成表示以用于检索相关文章：春天"], "query"))


async def test_passages_and_the_name_of_their_space_stay_as_they_are() -> None:
    assert np.array_equal(await INSTRUCTED.embed(["春天"], "passage"), await PLAIN.embed(["春天"], "passage"))
    assert INSTRUCTED.name == PLAIN.name
