"""Code in any language that has a tree-sitter grammar, cut by symbol."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from itertools import count, pairwise
from typing import TYPE_CHECKING, Final

from citewell.core.errors import MissingExtra
from citewell.core.ports import Chunker, Outline
from citewell.ingest.chunkers.definitions import Statement, end_of_line, outline_code
from citewell.ingest.chunkers.grammars import ASSIGNMENTS, FUNCTION_VALUES, GRAMMARS, Grammar
from citewell.ingest.chunkers.prose import chunk_prose
from citewell.text.lines import LineIndex

if TYPE_CHECKING:
    from tree_sitter import Node, Point, Tree

MAX_SOURCE: Final = 1_000_000
MAX_SOURCE_LINE: Final = 20_000
"""Characters of a file, and of one line, beyond which it is data or minified, takes seconds to parse, and is cut as text."""

MAX_NAME: Final = 200
"""Characters of a name that are kept."""

_MAX_DEPTH: Final = 50
_READ_SIZE: Final = 65_536
_LEAST_STEPS: Final = 2_000
_BYTES_PER_STEP: Final = 16
"""The parser counts a step about every 65 bytes of ordinary code."""

_LONG_LINE = re.compile(rf"[^\n]{{{MAX_SOURCE_LINE + 1}}}")
_BODY = re.compile(r"block|body|_list\Z|compound|do_group|then|else|case|program|\Amodule\Z")
_GENERICS = re.compile(r"<.*|\[.*", re.DOTALL)


def symbol_chunker(kind: str) -> Chunker:
    """Return the chunker for ``kind``, a key of ``GRAMMARS``: one piece for each function, class, or method of a big class.

    Without the grammar's package, and for what is too long to be source code, it cuts as text.
    """

    def chunk_symbols(text: str, path: str, limit: int) -> Outline:
        if not is_source(text):
            return chunk_prose(text, path, limit)
        try:
            return outline_code(text, read_statements(text, kind, limit), limit)
        except (MissingExtra, ValueError):
            return chunk_prose(text, path, limit)

    return chunk_symbols


def is_source(text: str) -> bool:
    """Say whether ``text`` is short enough, as a whole and in its lines, to be source that somebody wrote."""
    return len(text) <= MAX_SOURCE and not _LONG_LINE.search(text)


def read_statements(text: str, kind: str, limit: int) -> tuple[Statement, ...]:
    """Return the outermost statements of ``text``.

    Raises MissingExtra without the grammar's package, ValueError for what it cannot parse with reasonable effort.
    """
    grammar = GRAMMARS[kind]
    source = text.encode("utf-8", "replace")
    return _Reader(text, source, grammar, limit).read(_parse(source, grammar).root_node, "", 0)


def _parse(source: bytes, grammar: Grammar) -> Tree:
    """Parse with an effort in proportion to the length: repairing what is no code at all would take minutes."""
    try:
        tree_sitter = importlib.import_module("tree_sitter")
        module = importlib.import_module(grammar.module)
    except ImportError as error:
        raise MissingExtra("Cutting code by symbol needs the extra citewell[code].") from error
    steps = count()
    most = _LEAST_STEPS + len(source) // _BYTES_PER_STEP
    parser = tree_sitter.Parser(tree_sitter.Language(getattr(module, grammar.entry)()))
    tree: Tree = parser.parse(
        lambda offset, point: source[offset : offset + _READ_SIZE],
        progress_callback=lambda offset, failed: next(steps) > most,
    )
    return tree


class _Reader:
    """Turns the nodes of a syntax tree into spans of the text."""

    def __init__(self, text: str, source: bytes, grammar: Grammar, limit: int) -> None:
        self._text = text
        self._source = source
        self._index = LineIndex(text)
        self._grammar = grammar
        self._limit = limit

    def read(self, parent: Node, prefix: str, depth: int) -> tuple[Statement, ...]:
        """Return the statements directly inside ``parent``; what lies too deep is not looked into."""
        if depth == _MAX_DEPTH:
            return ()
        return tuple(self._read_one(node, prefix, depth) for node in parent.named_children if not self._is_prefix(node))

    def _read_one(self, node: Node, prefix: str, depth: int) -> Statement:
        core = self._unwrap(node)
        grammar = self._grammar
        if core.type in grammar.functions and _is_definition(core):
            symbol = prefix + self._name(core, node)
            return Statement(start=self._start(node), end=self._end(node), symbol=symbol, breaks=self._breaks(node))
        body = core.child_by_field_name("body")
        if core.type in grammar.classes and body:
            symbol = prefix + self._name(core, node)
            return self._read_body(node, body, symbol, symbol + grammar.separator, depth)
        if core.type in grammar.namespaces and body:
            inside = prefix + self._name(core, node) + grammar.separator if core.child_by_field_name("name") else prefix
            return self._read_body(node, body, None, inside, depth)
        looked_into = core.type in grammar.blocks or core.type == "ERROR"
        members = self.read(body or core, prefix, depth + 1) if looked_into else ()
        breaks = ((), ()) if members else self._breaks(node)
        return Statement(start=self._start(node), end=self._end(node), members=members, breaks=breaks)

    def _read_body(self, node: Node, body: Node, symbol: str | None, prefix: str, depth: int) -> Statement:
        return Statement(
            start=self._start(node),
            end=self._end(node),
            symbol=symbol,
            body=self._body_start(body),
            members=self.read(body, prefix, depth + 1),
        )

    def _name(self, node: Node, outermost: Node) -> str:
        """Return what a definition is called: by its name, its declarator, or the type it implements."""
        if node.type == "impl_item":
            return _GENERICS.sub("", self._words(_field(node, "type")))
        named = _field(node, "name", "property", "left") or _declarator(node) or _declarator(outermost)
        name = self._words(named) or node.type.removesuffix("_declaration")
        receiver = _GENERICS.sub("", self._words(_field(node, "receiver"))).split()
        owner = receiver[-1].strip("(*)") + "." if receiver else ""
        return owner + name.strip("\"'")[:MAX_NAME]

    def _words(self, node: Node | None) -> str:
        """Return the source of ``node`` on one line; nothing for no node."""
        source = self._source[node.start_byte : node.end_byte] if node else b""
        return " ".join(source.decode("utf-8", "ignore").split())

    def _is_prefix(self, node: Node) -> bool:
        return "comment" in node.type or node.type in self._grammar.prefixes

    def _unwrap(self, node: Node) -> Node:
        """Return the one definition that ``node`` is wrapped around, else ``node``."""
        grammar = self._grammar
        wanted = grammar.functions | grammar.classes | grammar.namespaces | grammar.wrappers
        while node.type in grammar.wrappers:
            inner = [child for child in node.named_children if child.type in wanted]
            if len(inner) != 1:
                break
            node = inner[0]
        return node

    def _start(self, node: Node) -> int:
        return self._offset(node.start_point)

    def _end(self, node: Node) -> int:
        return self._offset(node.end_point)

    def _offset(self, point: Point) -> int:
        """Return the offset in characters of a row and a column in bytes."""
        start = self._index.start_of(point.row + 1)
        before = self._text[start : start + point.column]
        if before.isascii():
            return start + len(before)
        return start + len(before.encode("utf-8", "replace")[: point.column].decode("utf-8", "ignore"))

    def _body_start(self, body: Node) -> int:
        """Return the offset of the line after the head of a class: its brace, or its name and bases."""
        head = self._start(body)
        if not self._text.startswith("{", head):
            before = body.prev_named_sibling
            while before and self._is_prefix(before):
                before = before.prev_named_sibling
            head = self._end(before) if before else head
        return self._text.find("\n", head) + 1 or len(self._text)

    def _breaks(self, node: Node) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return where the statements of a long function begin, comments above them included."""
        if self._end(node) - self._start(node) <= self._limit:
            return ((), ())
        outer: list[int] = []
        inner: list[int] = []
        pending = [(node, outer)]
        while pending:
            parent, found = pending.pop()
            if is_body := bool(_BODY.search(parent.type)):
                found += self._begins(parent)
            below = inner if is_body else found
            pending += [(child, below) for child in parent.named_children if child.start_point.row < child.end_point.row]
        return tuple(outer), tuple(inner)

    def _begins(self, body: Node) -> Iterator[int]:
        """Yield the end of each statement but the last: the first one stays with the head of its block."""
        statements = [child for child in body.named_children if not self._is_prefix(child)]
        for before, after in pairwise(statements):
            yield end_of_line(self._text, self._end(before), self._start(after))


def _is_definition(node: Node) -> bool:
    """Say whether what may be an assignment makes a function or a class."""
    if node.type not in ASSIGNMENTS:
        return True
    value = node.child_by_field_name("value") or node.child_by_field_name("right")
    return value is not None and value.type in FUNCTION_VALUES


def _field(node: Node, *names: str) -> Node | None:
    return next(filter(None, map(node.child_by_field_name, names)), None)


def _declarator(node: Node) -> Node | None:
    """Return the innermost declarator of C: the name without pointers, references and parameters."""
    found = None
    inner = node.child_by_field_name("declarator")
    while inner is not None:
        found = inner
        is_reference = inner.type in {"reference_declarator", "parenthesized_declarator"}
        inner = inner.named_child(0) if is_reference else inner.child_by_field_name("declarator")
    return found
