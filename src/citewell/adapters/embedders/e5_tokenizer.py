"""The tokenizer of multilingual-e5-small (that of XLM-RoBERTa), rebuilt from the vocabulary in the weights' file."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from citewell.adapters.embedders.text_repair import repair_text

if TYPE_CHECKING:
    from citewell.adapters.embedders.e5_weights import E5Weights

BEGIN, END, UNKNOWN = 0, 2, 3
WINDOW = 512
"""Tokens that the model reads at once, the two at the ends included."""


class E5Tokenizer:
    """Turns a text into the windows of token ids that the model reads."""

    def __init__(self, weights: E5Weights) -> None:
        from tokenizers import Tokenizer, models, pre_tokenizers

        self._replacements = weights.replacements
        self._tokenizer = Tokenizer(models.Unigram(weights.pieces, unk_id=UNKNOWN, byte_fallback=False))
        self._tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")

    def windows(self, prefix: str, text: str) -> list[list[int]]:
        """Return ``text`` as one or more windows, each begun by ``prefix``, all but the last full. Nothing is cut off."""
        head = [BEGIN, *self._ids(prefix)]
        ids = self._ids(text)
        room = WINDOW - len(head) - 1
        return [[*head, *ids[start : start + room], END] for start in range(0, max(len(ids), 1), room)]

    def head_length(self, prefix: str) -> int:
        """Return how many tokens of a window come before those of the text."""
        return 1 + len(self._ids(prefix))

    def is_word(self, token: int) -> bool:
        """Say whether the piece ``token`` holds a letter or digit."""
        return any(map(str.isalnum, self._tokenizer.id_to_token(token) or ""))

    def _ids(self, text: str) -> list[int]:
        # The table replaces single code points. Composing first serves texts that arrive decomposed, as from macOS.
        composed = unicodedata.normalize("NFC", repair_text(text)).translate(self._replacements)
        words = " ".join(composed.split())
        return self._tokenizer.encode(words, add_special_tokens=False).ids if words else []
