"""Cuts text in any language, and code, into tokens. Linear in the length of the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from citewell.text.folding import fold_word, normalize_text
from citewell.text.korean import stem_korean

MAX_TOKEN: Final = 64
"""Longest token, in characters: what is longer is a key, a hash or noise, and is cut here on both sides of the index."""

TokenKind = Literal["word", "name", "exact", "fragment"]


class Token(NamedTuple):
    """A piece of text that can be searched for.

    A ``word`` is in lower case and belongs to the language around it. A ``name`` is an identifier or a part of one, written
    in English by convention. What is ``exact`` is folded and compared as it stands: versions, dotted keys, pairs of
    characters. A ``fragment`` is part of what another token holds already: a Chinese character, two syllables of a longer
    Korean word.
    """

    text: str
    kind: TokenKind


_HAN = "\u3005-\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_KANA = "\u3041-\u3096\u309d\u309e\u30a1-\u30fa\u30fc-\u30fe\u31f0-\u31ff"
_HANGUL = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7fb"
_UNSPACED = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u1049\u1050-\u109f\u1780-\u17d3"
_MARKS = "\u0300-\u036f\u0591-\u05bd\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0980-\u0dff"
_LETTER = rf"[^\W_{_HAN}{_KANA}{_HANGUL}{_UNSPACED}]"
_WORD = rf"{_LETTER}++(?:[{_MARKS}]++{_LETTER}*+)*"
_RUNS: Final = re.compile(
    rf"(?P<word>{_WORD}(?:(?:_++|[.\-'’]_*+){_WORD})*)"
    rf"|(?P<cjk>[{_HAN}{_KANA}]++)|(?P<hangul>[{_HANGUL}]++)|(?P<unspaced>[{_UNSPACED}]++)"
)
_ONE_HAN: Final = re.compile(f"[{_HAN}]")
_CLUSTER: Final = re.compile(
    "[\u0e40-\u0e44\u0ec0-\u0ec4]?."
    "[\u0e30-\u0e3a\u0e45\u0e47-\u0e4e\u0eb0-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u1056-\u1059\u105e-\u1060\u17b4-\u17d3]*+",
    re.DOTALL,
)
_HUMPS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]++|[A-Z]|[0-9]++")
_VERSION: Final = re.compile(r"[vV]?(\d++(?:\.\d++)+)((?:[.\-]?[0-9A-Za-z]++)*)")
_DECORATION: Final = frozenset("_+#")
_APOSTROPHES: Final = re.compile("['’]")
_SEPARATORS: Final = re.compile("_++|-")


def tokenize(text: str) -> Iterator[Token]:
    """Yield the tokens of ``text`` in order; identifiers come whole and in parts, writing without spaces in pairs."""
    text = normalize_text(text)
    for match in _RUNS.finditer(text):
        run = match.group()
        if match.lastgroup == "word":
            if run.isalpha() and (run.islower() or len(run) == 1 or run[1:].islower()):
                yield Token(run.lower()[:MAX_TOKEN], "word")
            else:
                yield from _compound(run)
            if text[match.end() : match.end() + 1] in _DECORATION:
                yield from _decorated(text, *match.span())
        elif match.lastgroup == "unspaced":
            yield from _pairs(_CLUSTER.findall(run))
        elif match.lastgroup == "hangul":
            yield from _korean(run)
        else:
            yield from _pairs(run)


def _compound(run: str) -> Iterator[Token]:
    """Yield the tokens of a run of letters, digits and joining punctuation that is more than one plain word."""
    if (version := _VERSION.fullmatch(run)) and len(run) <= MAX_TOKEN:
        yield from _version(version)
    else:
        for piece in _without_affixes(run):
            yield from _dotted(piece)


def _pairs(characters: Sequence[str]) -> Iterator[Token]:
    """Yield overlapping pairs, which match any longer substring without a dictionary, and single Chinese characters."""
    if len(characters) == 1:
        yield Token(characters[0], "exact")
        return
    for character in characters:
        if _ONE_HAN.match(character):
            yield Token(character, "fragment")
    for first, second in pairwise(characters):
        yield Token(first + second, "exact")


def _korean(run: str) -> Iterator[Token]:
    """Yield a Korean word without its particle, and the pairs of its syllables: compounds are written in one or in two."""
    word = stem_korean(run)
    yield Token(word[:MAX_TOKEN], "exact")
    if len(word) > 2:
        for first, second in pairwise(word):
            yield Token(first + second, "fragment")


def _decorated(text: str, start: int, end: int) -> Iterator[Token]:
    """Yield the names whose punctuation tells them from a plain word: ``__all__``, ``c++``, ``c#``."""
    if text.startswith("__", end) and text.endswith("__", 0, start):
        yield Token(f"__{fold_word(text[start:end])[:MAX_TOKEN]}__", "exact")
    elif end - start == 1 and (text.startswith("++", end) or text.startswith("#", end)):
        yield Token(fold_word(text[start]) + ("#" if text[end] == "#" else "++"), "exact")


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
    """Yield the pieces between apostrophes, without elided articles (``l'eau``) and attached endings (``Allen'ın``)."""
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
    if len(components) == 1:
        yield from _component(piece, "word")
        return
    if len(piece) <= MAX_TOKEN:
        yield Token(fold_word(piece), "exact")
    for component in components:
        yield from _component(component, "name")


def _component(component: str, kind: TokenKind) -> Iterator[Token]:
    """Yield an identifier without its separators, so that all its spellings are one, then its parts; a plain word once."""
    pieces = [piece for piece in _SEPARATORS.split(component) if piece]
    parts = [part for piece in pieces for part in _humps(piece)]
    if "_" in component.strip("_") or len(parts) > len(pieces):
        kind = "name"
    whole = "".join(pieces).lower()
    if parts != [whole]:
        yield Token(whole[:MAX_TOKEN], kind)
    for part in parts:
        yield Token(part[:MAX_TOKEN], kind)


def _humps(piece: str) -> list[str]:
    """Return the parts of ``piece`` in lower case: ``HTTPServer2`` gives http and server, ``v1beta1`` itself and beta."""
    if not piece.isascii() or piece.isdigit() or (piece.isalpha() and (piece.islower() or piece.isupper())):
        return [piece.lower()]
    humps = [hump.lower() for hump in _HUMPS.findall(piece)]
    if len(humps) > 1 and not piece.isalpha():
        return [hump for hump in humps if len(hump) > 2 and hump.isalpha()]
    return humps
