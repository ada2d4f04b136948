"""Local model folders, with a tiny model that is built here and run by the real onnxruntime."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_model import TABLE, write_folder, write_model, write_tokenizer

from citewell.adapters.embedders.onnx_folder import open_embedder
from citewell.core.errors import ConfigurationError, EmbeddingFailed
from citewell.core.ports import Embedder, Role
from citewell.testing.embedder_suite import EmbedderSuite

pytestmark = pytest.mark.anyio

CLS, SEP = 2, 3


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "tiny")


class TestFolderEmbedder(EmbedderSuite):
    @pytest.fixture
    def embedder(self, folder: Path) -> Embedder:
        return open_embedder(str(folder), {})


class TestFolderWithoutSpecialTokens(EmbedderSuite):
    @pytest.fixture
    def embedder(self, tmp_path: Path) -> Embedder:
        folder = write_folder(tmp_path / "bare")
        write_tokenizer(folder / "tokenizer.json", specials=False)
        return open_embedder(str(folder), {})


def token(letter: str) -> int:
    return ord(letter) - 0x21 + 4


def unit(vector: Any) -> Any:
    return vector / np.linalg.norm(vector)


async def embed(folder: Path, text: str, role: Role = "passage") -> Any:
    return (await open_embedder(str(folder), {}).embed([text], role))[0]


async def test_vectors_are_the_mean_of_the_tokens_where_the_folder_says_nothing(folder: Path) -> None:
    expected = unit(TABLE[[CLS, token("a"), token("b"), SEP]].mean(axis=0))
    assert np.allclose(await embed(folder, "ab"), expected, atol=1e-6)


POOLINGS = [
    ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, lambda rows: rows[0]),
    ({"pooling_mode_mean_tokens": True}, lambda rows: rows.mean(axis=0)),
    ({"pooling_mode_max_tokens": True, "pooling_mode_weightedmean_tokens": False}, lambda rows: rows.max(axis=0)),
    ({"pooling_mode": "cls"}, lambda rows: rows[0]),
]


@pytest.mark.parametrize(("config", "pool"), POOLINGS)
async def test_pooling_follows_the_folder(tmp_path: Path, config: dict[str, Any], pool: Any) -> None:
    folder = write_folder(tmp_path / "m", {"1_Pooling/config.json": {"word_embedding_dimension": 8, **config}})
    assert np.allclose(await embed(folder, "ab"), unit(pool(TABLE[[CLS, token("a"), token("b"), SEP]])), atol=1e-6)


async def test_the_pooling_folder_may_have_another_name(tmp_path: Path) -> None:
    modules = [
        {"type": "sentence_transformers.models.Transformer", "path": ""},
        {"type": "sentence_transformers.models.Pooling", "path": "pool"},
        {"type": "sentence_transformers.models.Normalize", "path": "2_Normalize"},
    ]
    folder = write_folder(tmp_path / "m", {"modules.json": modules, "pool/config.json": {"pooling_mode": "cls"}})
    assert np.allclose(await embed(folder, "ab"), unit(TABLE[CLS]), atol=1e-6)


async def test_queries_and_passages_get_the_prompts_of_the_folder(tmp_path: Path) -> None:
    prompts = {"query": "q: ", "document": "d: "}
    folder = write_folder(tmp_path / "m", {"config_sentence_transformers.json": {"prompts": prompts}})
    bare = write_folder(tmp_path / "bare")
    assert np.array_equal(await embed(folder, "ab", "query"), await embed(bare, "q: ab", "query"))
    assert np.array_equal(await embed(folder, "ab", "passage"), await embed(bare, "d: ab", "passage"))


@pytest.mark.parametrize(
    "settings",
    [{"sentence_bert_config.json": {"max_seq_length": 8}}, {"tokenizer_config.json": {"model_max_length": 8}}],
)
async def test_texts_beyond_the_window_are_embedded_piece_by_piece(tmp_path: Path, settings: dict[str, Any]) -> None:
    folder = write_folder(tmp_path / "m", settings)
    pieces = [[CLS, *map(token, letters), SEP] for letters in ("abcdef", "gh")]
    means = [TABLE[piece].mean(axis=0) for piece in pieces]
    assert np.allclose(await embed(folder, "abcdefgh"), unit(np.average(means, axis=0, weights=[8, 4])), atol=1e-6)


async def test_token_types_are_fed_to_graphs_that_want_them(tmp_path: Path) -> None:
    plain = write_folder(tmp_path / "plain")
    typed = write_folder(tmp_path / "typed", inputs=("input_ids", "attention_mask", "token_type_ids"))
    assert np.array_equal(await embed(plain, "ab"), await embed(typed, "ab"))


async def test_a_graph_with_other_inputs_fails_by_the_name_of_the_input(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "m", inputs=("input_ids", "pixel_values"))
    with pytest.raises(EmbeddingFailed, match="pixel_values"):
        await embed(folder, "ab")


async def test_the_model_may_lie_in_a_folder_named_onnx(folder: Path) -> None:
    expected = await embed(folder, "ab")
    (folder / "onnx").mkdir()
    (folder / "model.onnx").rename(folder / "onnx/model.onnx")
    assert np.array_equal(await embed(folder, "ab"), expected)


async def test_the_name_changes_with_the_model_and_not_with_its_place(folder: Path, tmp_path: Path) -> None:
    name = open_embedder(str(folder), {}).name
    copy = Path(shutil.copytree(folder, tmp_path / "elsewhere" / folder.name))
    assert open_embedder(str(copy), {}).name == name
    write_folder(copy, {"1_Pooling/config.json": {"pooling_mode": "cls"}})
    assert open_embedder(str(copy), {}).name != name


@pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json"])
async def test_a_missing_file_is_named(folder: Path, missing: str) -> None:
    (folder / missing).unlink()
    with pytest.raises(ConfigurationError, match=missing):
        open_embedder(str(folder), {})


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"modules.json": [{"type": "sentence_transformers.models.Dense", "path": "2_Dense"}]}, "Dense"),
    ({"modules.json": {}}, "must hold a JSON list"),
    ({"1_Pooling/config.json": {"pooling_mode_lasttoken": True}}, "pooling_mode_lasttoken"),
    (
        {"1_Pooling/config.json": {"pooling_mode_cls_token": True, "pooling_mode_max_tokens": True}},
        "one of mean, cls and max",
    ),
]


@pytest.mark.parametrize(("settings", "complaint"), REFUSED)
async def test_what_is_not_supported_is_refused(tmp_path: Path, settings: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ConfigurationError, match=complaint):
        open_embedder(str(write_folder(tmp_path / "m", settings)), {})


async def test_broken_json_is_refused_by_the_name_of_its_file(folder: Path) -> None:
    (folder / "modules.json").write_text("[", "utf-8")
    with pytest.raises(ConfigurationError, match=r"modules\.json' is not valid JSON"):
        open_embedder(str(folder), {})


@pytest.mark.parametrize("broken", ["model.onnx", "tokenizer.json"])
async def test_a_broken_model_fails_and_says_which(folder: Path, broken: str) -> None:
    (folder / broken).write_bytes(b"neither a model nor a tokenizer")
    with pytest.raises(EmbeddingFailed, match=r"model\.onnx"):
        await embed(folder, "ab")


async def test_a_graph_that_cannot_take_a_text_fails_and_says_which(folder: Path) -> None:
    write_model(folder / "model.onnx", rows=90)
    assert np.isfinite(await embed(folder, "a")).all()
    with pytest.raises(EmbeddingFailed, match=r"model\.onnx"):
        await embed(folder, "z")


@pytest.mark.parametrize("rest", ["", "/no/such/folder"])
async def test_a_folder_is_needed(rest: str) -> None:
    with pytest.raises(ConfigurationError, match="folder"):
        open_embedder(rest, {})
