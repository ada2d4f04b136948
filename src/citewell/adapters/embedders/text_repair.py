"""Makes any Python string a text that a tokenizer or an HTTP body can carry."""

from __future__ import annotations


def repair_text(text: str) -> str:
    """Return ``text`` with NUL as a space, surrogate pairs joined, and lone surrogates as U+FFFD."""
    text = text.replace("\0", " ")
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
