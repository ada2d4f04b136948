"""Cuts text in any language, and code, into tokens. Linear in the length of the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from citewell.text.folding import fold_word, normalize_text

MAX_TOKEN: Final = 64
"""Longest token, in characters: what is longer is a key, a hash or noise, and is cut here on both sides of the index."""

TokenKind = Literal["word", "name", "exact"]


class Token(NamedTuple):
    """A piece of text that can be searched for.

    A ``word`` is in lower case and belongs to the language around it. A ``name`` is an identifier or a part of one, written
    in English by convention. ``exact`` is folded and compared as it stands: versions, dotted keys, pairs of characters.
    """

    text: str
    kind: TokenKind


_HAN = "\u3005-\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KANA = "\u3041-\u3096\u309d\u309e\u30a1-\u30fa\u30fc-\u30fe\u31f0-\u31ff"
_HANGUL = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7fb"
_UNSPACED = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u1049\u1050-\u109f\u1780-\u17d3"
_MARKS = "\u0300-\u036f\u0591-\u05bd\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0980-\u0dff"
_LETTER = rf"[^\W_{_HAN}{_KANA}{_HANGUL}{_UNSPACED}]"
_WORD = rf"{_LETTER}++(?:[{_MARKS}]++{_LETTER}*+)*+"
_RUNS: Final = re.compile(
    rf"(?P<word>{_WORD}(?:(?:_++|[.\-'’]){_WORD})*+)"
    rf"|(?P<cjk>[{_HAN}{_KANA}]++)|(?P<hangul>[{_HANGUL}]++)|(?P<unspaced>[{_UNSPACED}]++)"
)
_CLUSTER: Final = re.compile(
    r"[\u0e40-\u0e44\u0ec0-\u0ec4]?.[\u0e30-\u0e3a\u0e45\u0e47-\u0e4e\u0eb0-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3]*"
)
_HUMPS: Final = re.compile(r"[A-Z]++(?![a-z])|[A-Z]*?[A-Z]?[a-z]++|[0-9]++")
_VERSION: Final = re.compile(r"[vV]?(\d++(?:\.\d++)++)((?:[.\-]?[0-9A-Za-z]++)*+)")
_APOSTROPHES: Final = re.compile("['’]")


def tokenize(text: str) -> Iterator[Token]:
    """Yield the tokens of ``text`` in order; identifiers come whole and in parts, writing without spaces in pairs."""
    text = normalize_text(text)
    for match in _RUNS.finditer(text):
        run, kind = match.group(), match.lastgroup
        if kind != "word":
            yield from _pairs(_CLUSTER.findall(run) if kind == "unspaced" else run)
        elif run.isalpha() and (run.islower() or run[1:].islower() or len(run) == 1):
            yield Token(run.lower()[:MAX_TOKEN], "word")
            yield from _decorated(text, match.start(), match.end())
        else:
            yield from _compound(run)
            yield from _decorated(text, match.start(), match.end())


def _pairs(characters: str | list[str]) -> Iterator[Token]:
    """Yield overlapping pairs: they match any substring of two or more without a dictionary."""
    if len(characters) == 1:
        yield Token(fold_word(characters[0]), "exact")
    for first, second in zip(characters, characters[1:], strict=False):
        yield Token(fold_word(first + second), "exact")


def _decorated(text: str, start: int, end: int) -> Iterator[Token]:
    """Yield the names whose punctuation tells them from a plain word: ``__all__``, ``c++``, ``c#``."""
    if text[start - 2 : start] == "__" and text[end : end + 2] == "__":
        yield Token(f"__{fold_word(text[start:end])[:MAX_TOKEN]}__", "exact")
    elif end - start == 1 and (mark := text[end : end + 2]) and (mark == "++" or mark[0] == "#"):
        yield Token(text[start:end].lower() + mark.rstrip(), "exact")


def _compound(run: str) -> Iterator[Token]:
    """Yield the tokens of a run that is more than one lower-case word."""
    if run[-1].isdigit() and run.isdigit():
        yield Token(run[:MAX_TOKEN], "exact")
        return
    if (version := _VERSION.fullmatch(run)) and len(run) <= MAX_TOKEN:
        yield from _version(version)
        return
    for piece in _without_affixes(run):
        yield from _dotted(piece)


def _version(match: re.Match[str]) -> Iterator[Token]:
    """Yield a version without its ``v``, then its shorter forms down to major.minor: 1.10.0 is also a 1.10, never a 1.1."""
    release, rest = match.groups()
    whole = (release + rest).lower()
    yield Token(whole, "exact")
    numbers = release.split(".")
    for size in range(2, len(numbers) + 1):
        if (prefix := ".".join(numbers[:size])) != whole:
            yield Token(prefix, "exact")


def _without_affixes(run: str) -> Iterator[str]:
    """Yield the pieces of a run between apostrophes, without elided articles (l'eau) and attached endings (Allen'ın, it's)."""
    before, *after = _APOSTROPHES.split(run)
    if not after or len(before) > 2:
        yield before
    for piece in after:
        if len(before) <= 2 or len(piece) > 4 or not piece.islower():
            yield piece
        before = piece


def _dotted(piece: str) -> Iterator[Token]:
    """Yield a dotted key whole, then its components."""
    components = piece.split(".")
    if len(components) > 1 and len(piece) <= MAX_TOKEN:
        yield Token(fold_word(piece), "exact")
    for component in components:
        yield from _component(component, "name" if len(components) > 1 else "word")


def _component(component: str, kind: TokenKind) -> Iterator[Token]:
    """Yield an identifier without its separators, then its parts; a plain word as it is."""
    if "_" in component:
        kind = "name"
    parts = [part for piece in re.split(r"_+|-", component) for part in _humps(piece)]
    if len(parts) > 1 and "-" not in component:
        kind = "name"
    whole = component.replace("_", "").replace("-", "").lower()
    if len(parts) != 1 or parts[0] != whole:
        yield Token(whole[:MAX_TOKEN], kind)
    for part in parts:
        yield Token(part[:MAX_TOKEN], kind)


def _humps(piece: str) -> list[str]:
    """Return the words of ``piece`` in lower case: ``HTTPServer2`` gives http, server; digits within words stay whole."""
    lower = piece.lower()
    if piece.islower() and piece.isalpha() or not piece.isascii():
        return [lower]
    humps = [hump.lower() for hump in _HUMPS.findall(piece)]
    words = [hump for hump in humps if len(hump) > 2 and hump.isalpha()]
    if len(humps) == 1:
        return humps
    return [lower, *words] if any(hump.isdigit() for hump in humps) else humps
