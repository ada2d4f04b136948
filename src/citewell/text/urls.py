"""Texts without the addresses in them: links come from the index, so a model is shown none that it could get wrong."""

from __future__ import annotations

import re
from typing import Final

_GAP: Final = "\0"
_REST: Final = r"[^\s<>\"'`()\[\]{}|\\]{0,2000}"
_HOST: Final = (
    r"(?:[a-zA-Z0-9-]{1,63}\.){1,6}"
    r"(?:com|org|net|io|dev|ai|edu|gov|cloud|app|sh|info|co|me|eu|uk|de|fr|nl|ch|tr|cn|jp|kr|in|ru)(?::\d{1,5})?"
)

_LINK: Final = re.compile(
    r"!?\[([^\[\]]*)\]\([ \t]*(?:<[^<>\n]*>|(?:[^()\s<>]|\([^()\s<>]*\))+)(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'))?[ \t]*\)"
)
"""A Markdown link or image: its words stay."""

_DEFINITION: Final = re.compile(
    r"(?m)^[ \t]{0,3}\[[^\[\]\n]+\]:[ \t]*<?(?:[a-zA-Z][a-zA-Z0-9+.-]{0,30}://|//|(?i:www\.|mailto:))\S.*$"
)
"""Where a Markdown link by reference leads."""

_ADDRESSES: Final = (
    # With a scheme, whatever follows: brackets that are open within it belong to it.
    re.compile(
        r"<?(?:[a-zA-Z][a-zA-Z0-9+.-]{0,30}://|\b(?i:www)\.(?=\w)|\b(?i:mailto):(?=\S))[^\s<>\"'`)\]}|\\]*(?<![.,;:!?])>?"
    ),
    re.compile(rf"(?<![\w:/])//{_HOST}\b{_REST}(?<![.,;:!?])"),
    # Pages of code hosts, and of sites: by their ending or by what they are asked.
    re.compile(
        rf"(?<![\w./@:-]){_HOST}/[\w.-]{{1,100}}/[\w.-]{{1,100}}/(?:-/)?"
        rf"(?:blob|tree|raw|issues|pull|releases|commit|discussions|wiki|merge_requests)\b{_REST}(?<![.,;:!?])"
    ),
    re.compile(
        rf"(?<![\w./@:-]){_HOST}/(?:[^\s<>\"'`()\[\]{{}}|\\?#]{{0,500}}(?:/|\.html?))?(?:[?#]{_REST}(?<![.,;:!?])|(?![\w/?#]))"
    ),
    re.compile(rf"(?<![\w./@:-]){_HOST}(?:/[^\s<>\"'`()\[\]{{}}|\\?#]{{0,500}})?[?#](?=\w){_REST}(?<![.,;:!?])"),
)

_HUSK: Final = re.compile(rf"[ \t]?(?:`{_GAP}`|\({_GAP}\)|<{_GAP}>|\[{_GAP}\])(?=[\s,;)]|\Z)")
"""What is left around an address, once it is gone. Nothing that follows may close up with what stands before."""

_NESTED_LINKS: Final = 4


def without_urls(text: str) -> str:
    """Return ``text`` without addresses, line for line: links keep their words, an ellipsis stands for what stood alone.

    Names that only look like addresses stay: of packages (``github.com/owner/name``) and of programming interfaces
    (``apps.example.org/v1``), which code is about.
    """
    text = _DEFINITION.sub("", text.replace(_GAP, " "))
    for _ in range(_NESTED_LINKS):
        text = _LINK.sub(r"\1", text)
    for pattern in _ADDRESSES:
        text = pattern.sub(_GAP, text)
    return _HUSK.sub("", text).replace(_GAP, "…")
