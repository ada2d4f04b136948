"""What identifies a file and a version of it, whatever engine keeps them, and changes in groups to be written together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from citewell.adapters.stores.keywords import identity
from citewell.adapters.stores.records import dump_chunk, dump_info
from citewell.core.model import Chunk, DocumentInfo, StoredChunk, passage_hash
from citewell.core.ports import Change, Note, Replace
from citewell.text.terms import TermVector

Analyze = Callable[[Chunk, DocumentInfo], TermVector]

MOST_CHANGES: Final = 200


def file_key(source: str, path: str) -> str:
    """Return the identity of a file."""
    return identity(source, path)


def generation(change: Replace) -> str:
    """Return the identity of what ``change`` stores: the same again is the same."""
    parts = (part for chunk in change.chunks for part in (dump_chunk(chunk), chunk.text))
    return identity(dump_info(change.document.info), change.document.text, *parts)


def passages(stored: StoredChunk) -> list[tuple[str, str]]:
    """Return the hash and the text of each window of the chunk, in order."""
    texts = (stored.chunk.passage(window, stored.info.title) for window in stored.chunk.windows)
    return [(passage_hash(text), text) for text in texts]


def batches(changes: Sequence[Change]) -> Iterator[list[Change]]:
    """Yield ``changes`` in order, in groups in which no file occurs twice."""
    group: dict[str, Change] = {}
    for change in changes:
        key = file_key(*place_of(change))
        if key in group or len(group) == MOST_CHANGES:
            yield list(group.values())
            group = {}
        group[key] = change
    if group:
        yield list(group.values())


def place_of(change: Change) -> tuple[str, str]:
    """Return the source and the path that ``change`` is about."""
    match change:
        case Replace(document=document):
            return document.info.source, document.info.path
        case Note(source=source, entry=entry):
            return source, entry.path
        case _:
            return change.source, change.path
