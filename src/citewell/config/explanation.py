"""What is wrong with a configuration, in words: the file and line, the key, and what would be right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from citewell.config.keys import KeyPath, dotted
from citewell.config.layers import Layer
from citewell.config.masking import masked
from citewell.config.yamlfile import ConfigFile
from citewell.core.errors import ConfigurationError, UnknownKey

_NOT_TEXT = "must be a text; put it in quotes"

_PROBLEMS: Mapping[str, str] = {
    "missing": "is required",
    "string_type": _NOT_TEXT,
    "string_too_short": "must not be empty",
    "string_too_long": "must have at most {max_length} characters",
    "string_pattern_mismatch": "must be made of small letters, digits, _ and -",
    "literal_error": "must be {expected}",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "greater_than_equal": "must be {ge} or more",
    "less_than_equal": "must be {le} or less",
    "tuple_type": 'must be a list, as in ["one", "two"]',
    "mapping_type": "must be a section with keys of its own",
    "dict_type": "must be a section with keys of its own",
    "model_type": "must be a section with keys of its own",
    "value_error": "{error}",
}
_SHOWS_NO_VALUE = frozenset({"missing", "unknown_key", "undeclared", "repeated", "mapping_type", "model_type", "tuple_type"})


def explain(error: ValidationError, layer: Layer, file: ConfigFile | None) -> ConfigurationError:
    """Return ``error`` as one of ours, a line for each problem: UnknownKey when the first is a key that means nothing."""
    details = error.errors(include_url=False)
    lines = [_line(detail, layer, file) for detail in details]
    kind = UnknownKey if details[0]["type"] == "unknown_key" else ConfigurationError
    return kind("\n".join(dict.fromkeys(lines)))


def _line(detail: ErrorDetails, layer: Layer, file: ConfigFile | None) -> str:
    path = _path(detail)
    where = _where(path, layer, file)
    return f"{where}: {dotted(path)}: {_problem(detail)}" if path else f"{where}: {_problem(detail)}"


def _path(detail: ErrorDetails) -> KeyPath:
    """Return the key at fault. Pydantic adds a mark for keys and one for each alternative of a union."""
    place = detail["loc"]
    if place[-1:] == ("[key]",) or place[-2:-1] == ("default",):
        place = place[:-1]
    return (*place, *detail.get("ctx", {}).get("at", ()))


def _where(path: KeyPath, layer: Layer, file: ConfigFile | None) -> str:
    origin = layer.origin(path)
    if origin.layer in ("environment", "flag"):
        return origin.where
    if file is None:
        return "configuration"
    known = (file.lines[path[:length]] for length in range(len(path), 0, -1) if path[:length] in file.lines)
    line = next(known, None)
    return f"{file.path}:{line}" if line else str(file.path)


def _problem(detail: ErrorDetails) -> str:
    context: dict[str, Any] = dict(detail.get("ctx", {}))
    template = _PROBLEMS.get(detail["type"])
    problem = template.format(**context) if template else detail["msg"]
    if detail["type"] in _SHOWS_NO_VALUE or not isinstance(detail["input"], str | int | float):
        return problem
    return f"{problem}, not {_shown(detail['input'])}"


def _shown(value: str | int | float) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return repr(masked(value)[:80]) if isinstance(value, str) else str(value)
