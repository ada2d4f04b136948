"""The walls of the house: who may import whom, and that every port has a double and a suite that every adapter passes."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from citewell.core import ports
from citewell.ingest import chunkers
from citewell.registry import ADAPTERS

ROOT = Path(__file__).resolve().parents[2]
TESTS = sorted((ROOT / "tests").rglob("test_*.py"))
DOUBLES = {
    "Store": "citewell.testing.memory_store:MemoryStore",
    "Source": "citewell.testing.memory_source:MemorySource",
    "EditableSource": "citewell.testing.memory_source:MemorySource",
    "Embedder": "citewell.adapters.embedders.hashed:HashEmbedder",
    "Reranker": "citewell.testing.overlap_reranker:OverlapReranker",
    "Detector": "citewell.testing.keyword_detector:KeywordDetector",
    "Authenticator": "citewell.testing.fixed_authenticator:FixedAuthenticator",
    "TokenStore": "citewell.testing.memory_tokens:MemoryTokens",
    "AuditLog": "citewell.testing.memory_audit:MemoryAudit",
    "AuditArchive": "citewell.testing.memory_archive:MemoryArchive",
}
"""A chunker is a pure function: a test takes a real one."""
ADAPTER_TARGETS = [
    pytest.param(kind, target, id=f"{kind}-{scheme}")
    for kind, of_kind in ADAPTERS.items()
    for scheme, target in of_kind.items()
]


def load(target: str) -> object:
    module, _, name = target.partition(":")
    return getattr(importlib.import_module(module), name)


def outermost_ports() -> set[str]:
    """Return the names of the protocols that are no part of another one."""
    protocols = {
        name: kind
        for name in ports.__all__
        if inspect.isclass(kind := getattr(ports, name, None)) and getattr(kind, "_is_protocol", False)
    }
    parts = {part for kind in protocols.values() for part in kind.__mro__[1:]}
    return {name for name, kind in protocols.items() if kind not in parts}


def imported(tree: ast.AST) -> set[str]:
    """Return every module that ``tree`` may mean by its imports."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def suite_runs(suite: str) -> Iterator[ast.AST]:
    """Yield the test files that have a subclass of ``suite``, or of a stricter one that is made of it."""
    for path in TESTS:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
        bases = [base.id for node in classes for base in node.bases if isinstance(base, ast.Name)]
        if any(base.endswith(suite) for base in bases):
            yield tree


def test_every_import_contract_is_kept() -> None:
    command = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    check = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=False, cwd=ROOT)
    assert check.returncode == 0, check.stdout + check.stderr
    assert "0 broken" in check.stdout


def test_every_port_has_a_double_or_is_a_pure_function() -> None:
    assert outermost_ports() == {*DOUBLES, "Chunker"}


@pytest.mark.parametrize("port", DOUBLES)
def test_a_port_has_a_suite_and_its_double_passes_it(port: str) -> None:
    suite = load(f"citewell.testing.{port.lower()}_suite:{port}Suite")
    assert any(name.startswith("test_") for name, _ in inspect.getmembers(suite, inspect.isfunction))
    assert load(DOUBLES[port])
    assert any(DOUBLES[port].partition(":")[0] in imported(tree) for tree in suite_runs(f"{port}Suite"))


@pytest.mark.parametrize(("kind", "target"), ADAPTER_TARGETS)
def test_an_adapter_can_be_opened_and_passes_the_suite_of_its_port(kind: str, target: str) -> None:
    assert callable(load(target))
    assert any(target.partition(":")[0] in imported(tree) for tree in suite_runs(f"{kind.capitalize()}Suite"))


def chunker_modules() -> Iterator[str]:
    for module in pkgutil.iter_modules(chunkers.__path__, f"{chunkers.__name__}."):
        names = vars(importlib.import_module(module.name))
        if any(
            name.startswith("chunk_") or name.endswith("_chunker") for name, value in names.items() if own(value, module.name)
        ):
            yield module.name


def own(value: object, module: str) -> bool:
    return inspect.isfunction(value) and value.__module__ == module


@pytest.mark.parametrize("module", list(chunker_modules()))
def test_a_chunker_passes_the_contract_of_outlines(module: str) -> None:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in TESTS]
    assert any({module, "outline_contract.assert_outline"} <= imported(tree) for tree in trees)
