"""Cuts a text into what can be quoted: sentences, list items, table rows, headings, code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

Span = tuple[int, int]

MAX_BLOCK_LINES: Final = 12
"""Longest fenced block that is one span; a longer one is quoted line by line."""

MAX_SPAN: Final = 1_000
"""Longest span in characters: what has no end before that is cut between words."""

_LINE: Final = re.compile(r"[^\n\r]*+(?:\r\n|\n|\r|\Z)")
_FENCE: Final = re.compile(r"[ \t>]*+(`{3,}+|~{3,}+)([^\n\r]*+)")
_ITEM: Final = re.compile(r"[ \t>]*+(?:[-*+•·‣]|\(?\d{1,3}[.)]|[A-Za-z]\))[ \t]")
_ALONE: Final = re.compile(
    r"[ \t>]*+(?:#{1,6}[ \t]|\||[=*_~+-]{3,}+[ \t]*+$|<[/!A-Za-z])"  # heading, table row, rule, markup
    r"|[ \t]*+(?:@\w|[})\]]|\$[ \t]|>>>[ \t]|#(?:include|define)\b"  # code by how it begins
    r"|(?:def|class|return|import|elif|func|fn|pub|const|let|var|public|private|protected|static|package)[ \t]"
    r"|from[ \t]\S++[ \t]import[ \t])"
    r"|[ \t]*+(?:-[ \t])?[\w.\-/\"]++:(?:[ \t]++\S++)?[ \t]*+$"  # a key with a value of one word
    r"|[^\n\r]*[{};\\][ \t]*+$"  # code by how it ends
)
_INDENTED: Final = re.compile(r"(?: {4}|\t)[ \t]*+\S")
_END: Final = re.compile(r"[。！？｡]++[」』”’）》〉】\"')\]]*+|[.!?؟۔।…]++[\"'”’»)\]*_`]*+(?=\s|\Z)")
_WORD_BREAK: Final = re.compile(r"[^\w.]")
_ABBREVIATIONS: Final = frozenset(
    """e.g i.e z.b d.h u.a p.ex cf vs approx resp bzw bkz vb örn fig figs eq sec vol ed eds dr mr mrs ms prof st jr sr inc ltd
    dept jan feb apr jun jul aug sep sept oct nov dec см стр рис т.е""".split()  # noqa: SIM905
)
_REACH: Final = 8
"""Characters before a full stop that tell an abbreviation."""


def sentence_spans(text: str) -> list[Span]:
    """Return the spans of ``text`` that can be quoted, in order and apart; together they hold all that is not blank.

    A span is a sentence, a list item with its marker (or its sentences), a table row, a heading, a fenced block of at most
    ``MAX_BLOCK_LINES`` lines, or a line of a longer block or of code. Linear in the length of the text.
    """
    return [span for block in _blocks(text) for span in _cut(text, *block)]


def _blocks(text: str) -> Iterator[Span]:
    """Yield spans with the blanks around them: fenced blocks whole or in lines, the sentences of everything else."""
    pending: list[Span] = []
    fence = ""
    for line in _lines(text):
        match = _FENCE.match(text, *line)
        if fence:
            pending.append(line)
            if match and match[1].startswith(fence) and not match[2].strip():
                yield from _fenced(pending)
                fence, pending = "", []
        elif match and "`" not in match[2]:
            yield from _sentences(text, pending)
            fence, pending = match[1], [line]
        elif _continues(text, line, pending):
            pending.append(line)
        else:
            yield from _sentences(text, pending)
            pending = [] if text[slice(*line)].isspace() else [line]
    yield from _fenced(pending) if fence else _sentences(text, pending)


def _lines(text: str) -> Iterator[Span]:
    """Yield the lines of ``text``, their ends included."""
    return (match.span() for match in _LINE.finditer(text) if match.end() > match.start())


def _fenced(lines: list[Span]) -> Iterator[Span]:
    if len(lines) <= MAX_BLOCK_LINES:
        yield lines[0][0], lines[-1][1]
    else:
        yield from lines


def _continues(text: str, line: Span, pending: list[Span]) -> bool:
    """Say whether ``line`` goes on with the paragraph or list item of the ``pending`` lines."""
    if not pending or text[slice(*line)].isspace() or _ITEM.match(text, *line) or _stands_alone(text, line):
        return False
    if _ITEM.match(text, *pending[0]):
        return True
    return not _stands_alone(text, pending[-1]) and not _INDENTED.match(text, *line)


def _stands_alone(text: str, line: Span) -> bool:
    start, end = line
    return _ALONE.match(text, start, start + len(text[start:end].rstrip("\r\n"))) is not None


def _sentences(text: str, lines: list[Span]) -> Iterator[Span]:
    """Yield the sentences of a paragraph, which is the ``lines`` together."""
    if not lines:
        return
    start, end = lines[0][0], lines[-1][1]
    item = _ITEM.match(text, start, end)
    position = item.end() if item else start
    for match in _END.finditer(text, position, end):
        if not _is_abbreviation(text[max(position, match.end() - _REACH) : match.end()]):
            yield start, match.end()
            start = match.end()
    yield start, end


def _is_abbreviation(tail: str) -> bool:
    """Say whether the full stop that ends ``tail`` belongs to an abbreviation, an initial or an ordinal."""
    if not tail.endswith("."):
        return False
    word = _WORD_BREAK.split(tail[:-1])[-1].lower()
    return len(word) == 1 or (len(word) == 2 and word.isdigit()) or word in _ABBREVIATIONS


def _cut(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the span without the blanks around it, in pieces where it is too long; nothing where it is blank."""
    start, end = _trimmed(text, start, end)
    while end - start > MAX_SPAN:
        blank = max(text.rfind(" ", start, start + MAX_SPAN), text.rfind("\n", start, start + MAX_SPAN))
        middle = blank if blank > start else start + MAX_SPAN
        yield _trimmed(text, start, middle)
        start, end = _trimmed(text, middle, end)
    if start < end:
        yield start, end


def _trimmed(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
