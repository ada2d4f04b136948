"""The metadata block that a Markdown page may begin with: YAML between ``---``, or TOML between ``+++``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import yaml

from citewell.text.redaction import PLACEHOLDER

MAX_FRONT_MATTER: Final = 16_384
"""Characters; a longer block is not believed to be metadata."""

_YAML_BLOCK = re.compile(r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_TOML_BLOCK = re.compile(r"\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_PLACEHOLDER = re.compile(PLACEHOLDER)
_STAND_IN = re.compile(PLACEHOLDER.replace(r"\[", "⟦").replace(r"\]", "⟧"))
"""What redaction left would be read as the beginning of a list."""

_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """Metadata, and the offset at which the text after it begins."""

    end: int
    fields: Mapping[str, str]


NO_FRONT_MATTER: Final = FrontMatter(0, {})


def read_front_matter(text: str) -> FrontMatter:
    """Return the front matter of ``text``: its simple values as text, lists of them joined by commas.

    What is no mapping, cannot be parsed or is too long is no front matter, and stays part of the text. References in YAML
    are never expanded: only values that stand on their own are taken.
    """
    head = text[:MAX_FRONT_MATTER]
    if block := _YAML_BLOCK.match(head):
        values = _load_yaml(block[1])
    elif block := _TOML_BLOCK.match(head):
        values = _load_toml(block[1])
    else:
        return NO_FRONT_MATTER
    if not isinstance(values, dict):
        return NO_FRONT_MATTER
    found = ((_plain(key), _plain(value)) for key, value in values.items())
    return FrontMatter(block.end(), {key: value for key, value in found if value})


def _load_yaml(block: str) -> object:
    """Parse with a loader that knows nothing but strings, lists and mappings; a placeholder is no list of one."""
    try:
        return yaml.load(_PLACEHOLDER.sub(_stand_in, block), Loader=_LOADER)  # noqa: S506 - the base loader constructs no objects
    except (yaml.YAMLError, ValueError, RecursionError):
        return None


def _stand_in(placeholder: re.Match[str]) -> str:
    return f"⟦{placeholder[0][1:-1]}⟧"


def _load_toml(block: str) -> object:
    try:
        return tomllib.loads(block)
    except (ValueError, RecursionError):
        return None


def _plain(value: object) -> str:
    """Return a scalar, or a flat list of them, as text; empty for anything nested."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return ", ".join(filter(None, (_plain(item) for item in value if not isinstance(item, list))))
    return "" if isinstance(value, dict) else _STAND_IN.sub(lambda match: f"[{match[0][1:-1]}]", str(value).strip())
