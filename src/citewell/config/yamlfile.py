"""Reading ``citewell.yaml``: plain data, the line of every key, and an error that says where the text is wrong."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml

from citewell.config.keys import KeyPath
from citewell.core.errors import ConfigurationError

MAX_BYTES: Final = 1 << 20

_BARE_SCHEME = re.compile(r"^(\s*[\w-]+:\s+)([A-Za-z][\w+.-]*:)(\s*(?:#.*)?)$")


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """The contents of a configuration file. ``lines`` counts from 1."""

    path: Path
    data: dict[str, Any]
    lines: dict[KeyPath, int] = field(default_factory=dict[KeyPath, int])


class _Loader(yaml.SafeLoader):
    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Refuse aliases: a handful of them expands to gigabytes, and no configuration needs one."""
        if self.check_event(yaml.AliasEvent):
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise yaml.MarkedYAMLError(problem="YAML aliases are not supported", problem_mark=mark)
        return super().compose_node(parent, index)


def read_config_file(path: Path) -> ConfigFile:
    """Return what the file at ``path`` says.

    Raises ConfigurationError when it cannot be read, is larger than MAX_BYTES, is not YAML, repeats a key or is not a
    mapping.
    """
    text = _read_text(path)
    try:
        loader, root = _compose(text)
        if root is None:
            return ConfigFile(path, {})
        lines: dict[KeyPath, int] = {}
        data = _construct(loader, root, (), lines)
    except yaml.YAMLError as error:
        raise _syntax_error(path, error) from error
    except ValueError as error:
        raise ConfigurationError(f"{path}: a value cannot be read: {error}") from error
    except RecursionError as error:
        raise ConfigurationError(f"{path}: lists and sections are nested too deeply") from error
    if not isinstance(data, dict):
        raise ConfigurationError(f"{path}: expected sections such as `sources:`, found {type(data).__name__}")
    return ConfigFile(path, data, lines)


def _read_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read: {error.strerror or error}") from error
    if len(raw) > MAX_BYTES:
        raise ConfigurationError(f"{path}: larger than {MAX_BYTES:,} bytes; this is not a configuration file")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: not UTF-8 text (byte {error.start}); save it as UTF-8") from error


def _compose(text: str) -> tuple[_Loader, yaml.Node | None]:
    """Parse ``text``; a bare ``embedder: bundled:``, which YAML takes for a key without a value, is read as a text."""
    try:
        loader = _Loader(text)
        return loader, loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        quoted = _quote_bare_scheme(text, error)
        if quoted is None:
            raise
    return _compose(quoted)


def _quote_bare_scheme(text: str, error: yaml.MarkedYAMLError) -> str | None:
    if error.problem != "mapping values are not allowed here" or error.problem_mark is None:
        return None
    lines = text.split("\n")
    line = lines[error.problem_mark.line].rstrip("\r")
    match = _BARE_SCHEME.match(line)
    if match is None:
        return None
    lines[error.problem_mark.line] = f'{match[1]}"{match[2]}"{match[3]}'
    return "\n".join(lines)


def _construct(loader: _Loader, node: yaml.Node, path: KeyPath, lines: dict[KeyPath, int]) -> Any:
    lines.setdefault(path, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        return _construct_mapping(loader, node, path, lines)
    if isinstance(node, yaml.SequenceNode):
        return [_construct(loader, item, (*path, position), lines) for position, item in enumerate(node.value)]
    return loader.construct_object(node)


def _construct_mapping(loader: _Loader, node: yaml.MappingNode, path: KeyPath, lines: dict[KeyPath, int]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for key_node, value_node in node.value:
        if not isinstance(key_node, yaml.ScalarNode):
            raise yaml.MarkedYAMLError(problem="a key must be a word", problem_mark=key_node.start_mark)
        key = str(key_node.value)
        if key in data:
            raise yaml.MarkedYAMLError(problem=f"the key {key!r} appears twice", problem_mark=key_node.start_mark)
        lines[(*path, key)] = key_node.start_mark.line + 1
        data[key] = _construct(loader, value_node, (*path, key), lines)
    return data


def _syntax_error(path: Path, error: yaml.YAMLError) -> ConfigurationError:
    mark = error.problem_mark if isinstance(error, yaml.MarkedYAMLError) else None
    where = f"{path}:{mark.line + 1}" if mark else str(path)
    problem = (error.problem if isinstance(error, yaml.MarkedYAMLError) else None) or str(error).splitlines()[0]
    hint = ""
    if mark and _starts_with_star(mark):
        hint = '; put quotes around a text that begins with * or &, as in "**/*.md"'
    return ConfigurationError(f"{where}: {problem}{hint}")


def _starts_with_star(mark: yaml.Mark) -> bool:
    before = (mark.buffer or "")[: mark.pointer + 1].rsplit("\n", 1)[-1]
    return bool(re.search(r"(^|[\s\[,:{-])[*&][^\s]*$", before))
