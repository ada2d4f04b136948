"""Whatever a page tells people to type can be typed: commands, targets of make, and configurations."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from command_tree import COMMANDS, split
from markdown_pages import HANDWRITTEN, ROOT, code_spans, fences, shown

from citewell.config import Config, load_config
from citewell.config.environment import PREFIX
from citewell.config.yamlfile import read_config_file
from citewell.surfaces.mcp.declarations import declared_tools

TARGETS = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
MENTION = re.compile(r"(?:.* -- )?citewell +(?P<words>.+)")


def console_lines(page: Path) -> Iterator[str]:
    for block in fences(page, "console", "bash", "sh"):
        yield from (line.removeprefix("$ ").removeprefix("> ") for line in block.splitlines())


def typed(page: Path) -> list[str]:
    return [line for line in console_lines(page) if line.startswith("citewell ")]


def in_json(page: Path) -> Iterator[list[str]]:
    for block in fences(page, "json"):
        for server in json.loads(block).get("mcpServers", {}).values():
            if "url" not in server:
                yield [server["command"], *server["args"]]


def parse(words: list[str]) -> None:
    """Parse ``words`` as citewell would, without running anything. Raises what it would complain of."""
    name, arguments = split(words)
    COMMANDS[name].make_context(name, arguments)


def test_the_parser_refuses_what_does_not_exist() -> None:
    with pytest.raises(Exception, match="--colection"):
        parse(["search", "words", "--colection", "docs"])


COMMAND_LINES = [pytest.param(line, id=f"{shown(page)}: {line}") for page in HANDWRITTEN for line in typed(page)]
CLIENTS = [pytest.param(words, id=shown(page)) for page in HANDWRITTEN for words in in_json(page)]


def test_the_pages_do_show_commands() -> None:
    assert {shlex.split(line.values[0])[1] for line in COMMAND_LINES} >= {"init", "sync", "search", "ask", "read"}


@pytest.mark.parametrize("line", COMMAND_LINES)
def test_a_command_that_is_shown_can_be_typed(line: str) -> None:
    parse(shlex.split(line, comments=True)[1:])


@pytest.mark.parametrize("words", CLIENTS)
def test_a_command_for_a_client_can_be_run(words: list[str]) -> None:
    assert words[0] == "citewell"
    parse(words[1:])


@pytest.mark.parametrize("page", HANDWRITTEN, ids=shown)
def test_a_command_that_is_mentioned_exists_with_its_options(page: Path) -> None:
    for span in code_spans(page):
        mention = MENTION.fullmatch(span)
        if mention is None:
            continue
        alternatives = shlex.split(mention["words"].replace("|", " "))
        name, rest = split(alternatives)
        group = [whole for whole in COMMANDS if whole.startswith(f"{name} ")]
        assert name in COMMANDS or group, span
        if name not in COMMANDS:
            assert {f"{name} {word}" for word in rest if word.islower() and not word.startswith("-")} <= {*group}, span
            continue
        known = {option for parameter in COMMANDS[name].params for option in parameter.opts}
        assert {word for word in rest if word.startswith("-")} <= known, span


@pytest.mark.parametrize("page", HANDWRITTEN, ids=shown)
def test_an_option_that_is_mentioned_alone_exists(page: Path) -> None:
    known = {opt for command in COMMANDS.values() for parameter in command.params for opt in parameter.opts}
    mentioned = {span.split()[0] for span in code_spans(page) if re.match(r"--[a-z]", span)}
    assert mentioned <= known


@pytest.mark.parametrize("page", HANDWRITTEN, ids=shown)
def test_a_target_of_make_that_is_named_exists(page: Path) -> None:
    texts = [*console_lines(page), *code_spans(page)]
    named = {found[1] for text in texts if (found := re.match(r"make ([a-z][a-z-]*)", text))}
    assert named <= TARGETS


def configurations(page: Path) -> list[str]:
    blocks = fences(page, "yaml")
    return [block for block in blocks if set(yaml.safe_load(block)) & set(Config.known_keys())]


@pytest.mark.parametrize("page", [page for page in HANDWRITTEN if configurations(page)], ids=shown)
def test_a_configuration_that_is_shown_loads(page: Path, tmp_path: Path, clean_environment: None) -> None:
    for number, block in enumerate(configurations(page)):
        part = tmp_path / f"{number}.yaml"
        part.write_text(block, encoding="utf-8")
        data = {"collections": {"docs": {}, "code": {}}, **read_config_file(part).data}
        part.write_text(yaml.safe_dump(data), encoding="utf-8")
        assert declared_tools(load_config(part).declared_tools())


def test_the_configuration_of_this_repository_loads(clean_environment: None) -> None:
    assert load_config(ROOT / "citewell.yaml").sources


@pytest.fixture
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    for name in [name for name in os.environ if name.startswith(PREFIX)]:
        monkeypatch.delenv(name)
