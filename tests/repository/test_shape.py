"""The house keeps its shape: short files, short functions, telling names, one door."""

from __future__ import annotations

import ast
import inspect
import re
import statistics
from collections.abc import Iterator
from pathlib import Path

import pytest

from citewell.core.access import Principal
from citewell.service import KnowledgeService

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
EVERYTHING = SOURCES + sorted((ROOT / "tests").rglob("*.py")) + sorted((ROOT / "scripts").rglob("*.py"))
FORBIDDEN = {"utils", "util", "helpers", "helper", "manager", "misc", "common"}


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    assert function.end_lineno is not None
    return function.end_lineno - function.lineno + 1


@pytest.mark.parametrize("path", EVERYTHING, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_stays_under_300_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) < 300


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_function_is_longer_than_60_lines(path: Path) -> None:
    long = {function.name: length(function) for function in functions(path) if length(function) > 60}
    assert not long


def test_the_median_function_has_at_most_10_lines() -> None:
    assert statistics.median(length(function) for path in SOURCES for function in functions(path)) <= 10


def test_no_regular_expression_repeats_a_group_possessively() -> None:
    """Python before 3.11.5 and 3.12 matches such groups wrongly (gh-106052); single characters and classes it gets right."""
    possessive = re.compile(r"\)[*+?}]\+")
    strings = [
        node.value
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    assert not [text for text in strings if possessive.search(text)]


def test_every_module_is_named_for_what_it_holds() -> None:
    assert not {path.stem for path in SOURCES} & FORBIDDEN


def test_every_service_method_takes_a_principal_without_default() -> None:
    for name, method in inspect.getmembers(KnowledgeService, inspect.isfunction):
        if name.startswith("_") or name == "close":
            continue
        parameters = list(inspect.signature(method, eval_str=True).parameters.values())
        assert parameters[1].name == "principal", name
        assert parameters[1].annotation is Principal, name
        assert parameters[1].default is inspect.Parameter.empty, name
