"""The deterministic double."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.adapters.embedders.hashed import open_embedder
from citewell.core.errors import ConfigurationError
from citewell.core.ports import Embedder
from citewell.testing.embedder_suite import EmbedderSuite

pytestmark = pytest.mark.anyio

HASH = open_embedder("", {})


class TestHashEmbedder(EmbedderSuite):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return HASH


async def test_texts_with_common_words_are_closer_than_texts_without() -> None:
    query = (await HASH.embed(["timeout of a request"], "query"))[0]
    near, inflected, far = await HASH.embed(["the request timeout", "requests timing out", "bread and butter"], "passage")
    assert query @ near > query @ inflected > query @ far


async def test_chinese_texts_are_compared_by_their_characters() -> None:
    query = (await HASH.embed(["请求超时设置"], "query"))[0]
    near, far = await HASH.embed(["如何设置请求超时", "猫整天睡觉"], "passage")
    assert query @ near > query @ far


async def test_a_vector_is_the_same_in_every_process_and_release() -> None:
    row = (await HASH.embed(["stable"], "query"))[0]
    assert int(abs(row).argmax()) == 195
    assert row[195] == pytest.approx(0.3087417)


@given(st.text())
async def test_any_text_has_a_unit_vector(text: str) -> None:
    row = (await HASH.embed([text], "passage"))[0]
    assert abs(float(row @ row) - 1) < 1e-5


def test_there_is_nothing_to_configure() -> None:
    with pytest.raises(ConfigurationError, match="nothing after the colon"):
        open_embedder("512", {})
