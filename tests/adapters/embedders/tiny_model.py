"""Builds a folder with a complete, tiny sentence-transformers model in ONNX."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

WIDTH = 8
SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
TABLE = np.random.default_rng(7).normal(size=(4 + 0x250, WIDTH)).astype(np.float32)


def write_model(path: Path, inputs: tuple[str, ...] = ("input_ids", "attention_mask"), rows: int = len(TABLE)) -> None:
    """Write a graph that looks every token up in the first ``rows`` of ``TABLE``; other inputs are there to be fed only."""
    declared = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in inputs]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", WIDTH])
    lookup = helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])
    graph = helper.make_graph([lookup], "tiny", declared, [output], [numpy_helper.from_array(TABLE[:rows], "table")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    checker.check_model(model)
    path.write_bytes(model.SerializeToString())


def write_tokenizer(path: Path, specials: bool = True) -> None:
    """Write a tokenizer whose tokens are characters, with ``specials`` between [CLS] and [SEP]."""
    letters = [chr(code) for code in range(0x21, 0x250)]
    vocabulary = {token: place for place, token in enumerate([*SPECIALS, *letters])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Whitespace(), pre_tokenizers.Split("", "isolated")])
    if specials:
        ends = [("[CLS]", 2), ("[SEP]", 3)]
        tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
    tokenizer.save(str(path))


def write_folder(folder: Path, settings: Mapping[str, Any] | None = None, **model: Any) -> Path:
    """Write model, tokenizer and the JSON files ``settings``, by path, into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    write_model(folder / "model.onnx", **model)
    write_tokenizer(folder / "tokenizer.json")
    for name, content in (settings or {}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(json.dumps(content), "utf-8")
    return folder
