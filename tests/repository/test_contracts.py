"""`docs/contracts.md` maps each promise to its test: every test it names is there, and nothing offered is left out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest
from markdown_pages import ROOT, tokens

from citewell.config import load_config
from citewell.core.fields import FILTER_FIELDS
from citewell.surfaces.mcp.declarations import declared_tools, default_tools
from citewell.surfaces.mcp.results import output_schema
from citewell.surfaces.mcp.toolbox import Toolbox
from citewell.surfaces.rest.app import rest_app
from citewell.surfaces.statuses import STATUS

PAGE = ROOT / "docs" / "contracts.md"
EXAMPLES = sorted((ROOT / "examples").glob("*/citewell.yaml"))
NAMED = re.compile(r"[\w/]+\.py::test_\w+")


class Line(NamedTuple):
    promise: str
    tests: list[str]


def lines() -> Iterator[Line]:
    cells: list[str] = []
    for token, inline in zip(tokens(PAGE), tokens(PAGE)[1:], strict=False):
        if token.type == "tr_open":
            cells = []
        elif token.type == "td_open":
            cells.append(inline.content)
        elif token.type == "tr_close" and cells:
            yield Line(cells[0], NAMED.findall(cells[-1]))


LINES = list(lines())
PROMISED = {
    word for line in LINES for span in re.findall(r"`([^`]+)`", line.promise) for word in re.findall(r"[\w./{}]+", span)
}


@cache
def functions(path: str) -> set[str]:
    tree = ast.parse((ROOT / "tests" / path).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def fields(schema: Any) -> Iterator[str]:
    """Yield the names of the properties anywhere in ``schema``."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for part in schema.values():
            yield from fields(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from fields(part)


def offered() -> Iterator[tuple[Any, tuple[str, ...]]]:
    """Yield the tools of the product and of every example, with the collections they are offered over."""
    yield from ((tool, ("docs",)) for tool in default_tools())
    for path in EXAMPLES:
        config = load_config(path)
        yield from ((tool, tuple(config.collections)) for tool in declared_tools(config.declared_tools()))


def test_the_page_has_the_six_parts_of_the_contract() -> None:
    assert len(LINES) >= 100


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.promise[:60])
def test_every_line_names_a_test_that_exists(line: Line) -> None:
    assert line.tests
    assert not [name for name in line.tests if name.partition("::")[2] not in functions(name.partition("::")[0])]


def test_every_tool_with_its_parameters_stands_on_the_page() -> None:
    for tool, collections in offered():
        [listed] = Toolbox((tool,), collections).listing()
        assert {tool.name, *listed.input_schema["properties"]} <= PROMISED, tool.name


def test_every_field_of_every_result_stands_on_the_page() -> None:
    for tool, _ in offered():
        assert set(fields(output_schema(tool.kind, tool.result))) <= PROMISED, tool.name


def test_every_route_stands_on_the_page() -> None:
    paths = rest_app(lambda: None, version="0", k=8).openapi()["paths"]  # type: ignore[arg-type,return-value]
    assert {path for path in paths if not path.startswith("/v1")} <= PROMISED


def test_every_field_that_can_be_filtered_by_stands_on_the_page() -> None:
    assert set(FILTER_FIELDS) <= PROMISED


def test_every_code_of_an_error_stands_on_the_page() -> None:
    assert set(STATUS) <= PROMISED
