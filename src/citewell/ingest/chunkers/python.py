"""Python, cut by class and function along its syntax tree."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Final

from citewell.core.errors import MissingExtra
from citewell.core.ports import Outline
from citewell.ingest.chunkers.definitions import Statement, outline_code
from citewell.ingest.chunkers.symbols import is_source, read_statements
from citewell.text.lines import LineIndex

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Definition = _Function | ast.ClassDef

_MAX_DEPTH: Final = 50
_AT_MARGIN: Final = re.compile(r"^(?:@.*\n){0,20}(?:async[ \t]+def|def|class)[ \t]+(\w+)", re.MULTILINE)


def chunk_python(text: str, path: str, limit: int) -> Outline:
    """Return the definitions of a module; the title is the first line of its docstring.

    What Python itself cannot parse (another version's syntax, a broken file, nesting too deep) is read by tree-sitter, where
    that is installed, else cut before every line that begins a definition at the left margin.
    """
    try:
        module = _parse(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return outline_code(text, _recover(text, limit), limit)
    statements = _Reader(text, limit).read(module.body, "", 0)
    return outline_code(text, statements, limit, _title(module))


def _parse(text: str) -> ast.Module:
    """Parse without a word about the style of the source."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        return ast.parse(text.replace("\r", " "))


def _title(module: ast.Module) -> str | None:
    docstring = (ast.get_docstring(module) or "").strip()
    return docstring.split("\n")[0].strip() or None


def _recover(text: str, limit: int) -> Sequence[Statement]:
    """Return what can be told of the statements of a file that is not valid."""
    if is_source(text):
        with suppress(MissingExtra, ValueError):
            return read_statements(text, "python", limit)
    return list(_definitions_at_margin(text))


def _definitions_at_margin(text: str) -> Iterator[Statement]:
    """Yield what begins with ``def`` or ``class`` at the left margin, each reaching to the next."""
    found = list(_AT_MARGIN.finditer(text))
    bounds = [match.start() for match in found] + [len(text)]
    if bounds[0] > 0:
        yield Statement(start=0, end=bounds[0])
    for match, end in zip(found, bounds[1:], strict=True):
        yield Statement(start=match.start(), end=end, symbol=match[1])


class _Reader:
    """Turns the statements of a syntax tree into spans of the text."""

    def __init__(self, text: str, limit: int) -> None:
        self._index = LineIndex(text)
        self._text = text
        self._limit = limit

    def read(self, body: list[ast.stmt], prefix: str, depth: int) -> tuple[Statement, ...]:
        """Return the statements of ``body``; a chain of ``elif`` is followed only so far."""
        return tuple(self._read_one(node, prefix, depth) for node in body) if depth < _MAX_DEPTH else ()

    def _read_one(self, node: ast.stmt, prefix: str, depth: int) -> Statement:
        if isinstance(node, _Function):
            return self._read_function(node, prefix)
        start, end = self._span(node)
        symbol = prefix + node.name if isinstance(node, ast.ClassDef) else None
        inside = [child for block in _blocks(node) for child in block]
        if symbol is None and not any(isinstance(child, _Definition) or _blocks(child) for child in inside):
            return Statement(start=start, end=end)
        members = self.read(inside, f"{symbol}." if symbol else prefix, depth + 1)
        return Statement(start=start, end=end, symbol=symbol, body=self._body_start(node), members=members)

    def _read_function(self, node: _Function, prefix: str) -> Statement:
        start, end = self._span(node)
        breaks = self._breaks(node) if end - start > self._limit else ((), ())
        return Statement(start=start, end=end, symbol=prefix + node.name, breaks=breaks)

    def _span(self, node: ast.stmt) -> tuple[int, int]:
        """Return the whole lines of a statement, its decorators included."""
        decorated = isinstance(node, _Definition) and node.decorator_list
        return self._index.span(decorated[0].lineno if decorated else node.lineno, node.end_lineno or node.lineno)

    def _body_start(self, node: ast.stmt) -> int:
        """Return the offset of the line after the colon that ends the head of a compound statement."""
        head = [*node.bases, *(keyword.value for keyword in node.keywords)] if isinstance(node, ast.ClassDef) else []
        line = max([node.lineno, *(part.end_lineno or 0 for part in head)])
        colon = self._text.find(":", self._index.start_of(line))
        return self._text.find("\n", colon) + 1 or len(self._text)

    def _breaks(self, node: _Function) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return where the statements of a long function begin, comments above them included."""
        inner: list[int] = []
        pending = list(node.body)
        while pending:
            for block in _blocks(pending.pop()):
                inner += self._begins(block)
                pending += block
        return tuple(self._begins(node.body)), tuple(inner)

    def _begins(self, block: list[ast.stmt]) -> Iterator[int]:
        """Yield the line after each statement but the last: the first one stays with the head of its block."""
        return (self._index.start_of((before.end_lineno or before.lineno) + 1) for before in block[:-1])


def _blocks(node: ast.AST) -> list[list[ast.stmt]]:
    """Return the blocks of statements directly inside a compound statement, in order."""
    parts = chain(getattr(node, "handlers", ()), getattr(node, "cases", ()))
    blocks = [getattr(node, "body", []), *(part.body for part in parts)]
    blocks += [getattr(node, name, []) for name in ("orelse", "finalbody")]
    return [block for block in blocks if block]
