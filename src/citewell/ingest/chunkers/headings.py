"""The text of a Markdown heading as a reader sees it."""

from __future__ import annotations

import html
import re
from typing import Final

MAX_HEADING: Final = 200
"""Characters of a heading that are kept; a whole paragraph underlined by accident is a heading too."""

_ANCHOR = re.compile(r"\s*\{[ \t]*[#.:][^{}]*\}\s*$")
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_IMAGE_OR_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\[\]]*\])")
_TAG = re.compile(
    r"</?(?:a|abbr|b|br|center|code|del|div|em|font|i|img|ins|kbd|mark|p|s|small|span|strong|sub|sup|tt|u)(?:\s[^<>]*)?/?>",
    re.I,
)
_STARS = re.compile(r"(?<!\\)(\*{1,3}|~~)(?=\S)(.+?)(?<=[^\s\\])\1")
_UNDERSCORES = re.compile(r"(?<![\w\\])(?:__(?=\S)(\S*\s.*?)(?<=\S)__|_(?=[^\s_])([^_]+)(?<=\S)_)(?!\w)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


def plain_heading(source: str) -> str:
    """Return ``source`` without anchors, emphasis, links and tags; code keeps every character, ``__init__`` too."""
    source = _ANCHOR.sub("", " ".join(source[: 4 * MAX_HEADING].split()))
    shown: list[str] = []
    position = 0
    for code in _CODE.finditer(source):
        shown += [_plain_inline(source[position : code.start()]), code[2].strip()]
        position = code.end()
    shown.append(_plain_inline(source[position:]))
    return " ".join("".join(shown).split())[:MAX_HEADING].rstrip()


def _plain_inline(source: str) -> str:
    """Drop the markup of text that holds no code; an image inside a link takes a second pass."""
    for _ in range(2):
        source = _IMAGE_OR_LINK.sub(r"\1", source)
    source = _TAG.sub("", source)
    for _ in range(2):
        source = _STARS.sub(r"\2", source)
    source = _UNDERSCORES.sub(lambda match: match[1] or match[2], source)
    return html.unescape(_ESCAPE.sub(r"\1", source))
