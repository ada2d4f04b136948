"""What the files of a sentence-transformers folder say about how its model is to be run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from citewell.core.errors import ConfigurationError

if TYPE_CHECKING:
    from citewell.core.ports import Role

Pooling = Literal["mean", "cls", "max"]

POOLINGS: dict[str, Pooling] = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_max_tokens": "max",
}
DEFAULT_WINDOW = 512
LARGEST_WINDOW = 32_768
"""Tokenizers without a limit say so by an astronomical number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderSettings:
    """Where the model and tokenizer are, and how to pool, prompt and split. ``window`` counts special tokens, too."""

    model: Path
    tokenizer: Path
    pooling: Pooling
    window: int
    prompts: Mapping[Role, str]


def read_settings(folder: Path) -> FolderSettings:
    """Return the settings of ``folder``. Files that are optional in the format are optional here.

    Raises ConfigurationError for a missing ``model.onnx`` or ``tokenizer.json``, and for modules other than the usual three.
    """
    if not folder.is_dir():
        raise ConfigurationError(f"The model folder '{folder}' does not exist.")
    return FolderSettings(
        model=_require(folder, "model.onnx", "onnx/model.onnx"),
        tokenizer=_require(folder, "tokenizer.json", "onnx/tokenizer.json"),
        pooling=_read_pooling(folder),
        window=_read_window(folder),
        prompts=_read_prompts(folder),
    )


def _require(folder: Path, *names: str) -> Path:
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise ConfigurationError(f"The model folder '{folder}' has no {' and no '.join(names)}.")


def _read_json(path: Path, otherwise: Any) -> Any:
    if not path.is_file():
        return otherwise
    try:
        content = json.loads(path.read_text("utf-8"))
    except ValueError as failure:
        raise ConfigurationError(f"'{path}' is not valid JSON.", detail=str(failure)) from failure
    if not isinstance(content, type(otherwise)):
        raise ConfigurationError(f"'{path}' must hold a JSON {'list' if isinstance(otherwise, list) else 'object'}.")
    return content


def _read_pooling(folder: Path) -> Pooling:
    modules = {str(module.get("type", "")).rpartition(".")[2]: module for module in _read_json(folder / "modules.json", [])}
    unknown = set(modules) - {"Transformer", "Pooling", "Normalize"}
    if unknown:
        raise ConfigurationError(f"'{folder / 'modules.json'}' names the module {min(unknown)}, which is not supported.")
    path = folder / modules.get("Pooling", {}).get("path", "1_Pooling") / "config.json"
    config = _read_json(path, {})
    named = [config["pooling_mode"]] if "pooling_mode" in config else [POOLINGS.get(key, key) for key in _switched_on(config)]
    if not config:
        return "mean"
    if len(named) != 1 or named[0] not in POOLINGS.values():
        raise ConfigurationError(f"'{path}' asks for the pooling {named}; supported is one of mean, cls and max.")
    return next(mode for mode in POOLINGS.values() if mode == named[0])


def _switched_on(config: Mapping[str, Any]) -> list[str]:
    return [key for key, value in config.items() if key.startswith("pooling_mode_") and value is True]


def _read_window(folder: Path) -> int:
    for name, key in (("sentence_bert_config.json", "max_seq_length"), ("tokenizer_config.json", "model_max_length")):
        window = _read_json(folder / name, {}).get(key)
        if isinstance(window, int | float) and 8 <= window <= LARGEST_WINDOW:
            return int(window)
    return DEFAULT_WINDOW


def _read_prompts(folder: Path) -> dict[Role, str]:
    config = _read_json(folder / "config_sentence_transformers.json", {})
    prompts = config.get("prompts") or {}
    default = prompts.get(config.get("default_prompt_name") or "", "")
    return {
        "query": prompts.get("query", default),
        "passage": prompts.get("passage", prompts.get("document", default)),
    }
