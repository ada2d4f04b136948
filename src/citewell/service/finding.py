"""The document that an id leads to, for whoever asks."""

from __future__ import annotations

import re
from typing import Final

from citewell.core.access import Tokens
from citewell.core.errors import DocumentNotFound
from citewell.core.model import Document, Lines
from citewell.core.ports import Reader

CHUNK_SUFFIX: Final = re.compile(r"(?P<document>.+):(?P<ordinal>\d{1,9})", re.DOTALL)


async def find_document(store: Reader, identity: str, visible: Tokens) -> tuple[Document, Lines | None]:
    """Return the document called ``identity``; or that of the chunk called so, with the chunk's lines.

    Raises DocumentNotFound where ``visible`` admits none.
    """
    chunk = CHUNK_SUFFIX.fullmatch(identity)
    try:
        return await store.document(identity, visible=visible), None
    except DocumentNotFound:
        if chunk is None:
            raise
    chunks = await store.outline(chunk["document"], visible=visible)
    ordinal = int(chunk["ordinal"])
    if ordinal >= len(chunks):
        raise DocumentNotFound
    return await store.document(chunk["document"], visible=visible), chunks[ordinal].chunk.lines
