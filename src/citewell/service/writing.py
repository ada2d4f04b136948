"""From what somebody writes to a file of his source, and from the file into the index: words and vectors at once."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

import anyio

from citewell.core.access import AccessPolicy
from citewell.core.errors import (
    BadLimit,
    CitewellError,
    EmbeddingFailed,
    EmptyDocument,
    EmptyTitle,
    FileRejected,
    InvalidRequest,
    UnsupportedFileType,
)
from citewell.core.model import file_label, passage_hash
from citewell.core.ports import Contents, EditableSource, Embedder, Remove, Replace, SetAccess, SourceFile, SourceState, Store
from citewell.core.requests import DocumentText
from citewell.ingest.decoding import decode
from citewell.ingest.indexing import Recipe, index_file
from citewell.ingest.titles import given_title, split_title, with_title

logger = logging.getLogger(__name__)

MAX_TITLE: Final = 300
ENDINGS: Final = (".md", ".markdown", ".txt")
"""The kinds of file that are written: text that can carry a title above it."""

_AT_ONCE: Final = 32
_TOO_LONG: Final = frozenset({"too_large", "long_line"})


@dataclass(frozen=True, slots=True)
class Shelf:
    """A source that may be written to, and the way its files become documents."""

    files: EditableSource
    recipe: Recipe


class Scribe:
    """Writes the files of editable sources and keeps the index equal to them. One edit at a time."""

    def __init__(self, store: Store, embedder: Embedder) -> None:
        self._store = store
        self._embedder = embedder
        self._lock = anyio.Lock()

    async def put(self, shelf: Shelf, path: str, text: str) -> None:
        """Make ``text`` the file at ``path`` and index it.

        Where the model fails, its vectors wait for the next sync, and words find it. Raises StoreBusy before anything is
        changed, and what `EditableSource.put` raises.
        """
        async with self._lock, self._store.writing():
            policy = await self._hold(shelf.recipe)
            data = text.encode()
            file = await anyio.to_thread.run_sync(shelf.files.put, path, data)
            change = _indexed(file, data, shelf.recipe)
            await self._store.apply([change])
            await self._settle_access(shelf.recipe, path, policy)
            await self._embed(change)

    async def remove(self, shelf: Shelf, path: str) -> None:
        """Take the file at ``path`` away, and its document. Raises what `put` raises."""
        async with self._lock, self._store.writing():
            await self._hold(shelf.recipe)
            await anyio.to_thread.run_sync(shelf.files.remove, path)
            await self._store.apply([Remove(source=shelf.recipe.source, path=path)])

    async def _hold(self, recipe: Recipe) -> AccessPolicy:
        """Become the one who writes, by a change that changes nothing; return the rules as they are now."""
        policy = recipe.policy()
        new = SourceState(name=recipe.source, collection=recipe.collection, complete=False, access=policy.stamp)
        states = {state.name: state for state in await self._store.states()}
        await self._store.set_state(states.get(recipe.source, new))
        return policy

    async def _settle_access(self, recipe: Recipe, path: str, policy: AccessPolicy) -> None:
        """Give the document the readers of the rules as they are now, where they have changed meanwhile."""
        while (current := recipe.policy()).stamp != policy.stamp:
            policy = current
            await self._store.apply([SetAccess(source=recipe.source, path=path, acl=policy.acl(path))])

    async def _embed(self, change: Replace) -> None:
        title = change.document.info.title
        texts = {
            passage_hash(text): text
            for chunk in change.chunks
            for text in (chunk.passage(window, title) for window in chunk.windows)
        }
        hashes = list(texts)
        try:
            for start in range(0, len(hashes), _AT_ONCE):
                batch = hashes[start : start + _AT_ONCE]
                vectors = await self._embedder.embed([texts[name] for name in batch], "passage")
                await self._store.put_vectors(self._embedder.name, dict(zip(batch, vectors, strict=True)))
        except EmbeddingFailed as error:
            logger.warning("A document waits for its vectors: %s (%s)", error.message, error.detail)


def manuscript(text: DocumentText, path: str, recipe: Recipe) -> str:
    """Return what the file at ``path`` is to hold: the text, under a block with its title where it does not give that itself.

    Secrets and personal data are gone from it. Raises EmptyTitle, EmptyDocument, BadLimit for what is too long,
    UnsupportedFileType for what is no text, InvalidRequest for a secret where the source refuses them.
    """
    title = "".join(letter for letter in " ".join(text.title.split()) if letter.isprintable())
    if not title:
        raise EmptyTitle("Give the document a title.")
    if len(title) > MAX_TITLE:
        raise BadLimit(f"A title has at most {MAX_TITLE} characters.")
    title, content = (_cleared(part, recipe) for part in (title, _decoded(text.content.encode("utf-8", "replace"), path)))
    gives_it = given_title(content, path, recipe.chunker) == title and not split_title(content)[1]
    return content if gives_it else with_title(title, content)


def uploaded_text(data: bytes, name: str, title: str) -> DocumentText:
    """Return the file ``name`` as a document; its title is ``title``, else the one it gives itself, else its name.

    The name may be a bare ending. Raises EmptyDocument, BadLimit, UnsupportedFileType.
    """
    if not name.lower().endswith(ENDINGS):
        raise UnsupportedFileType(f"Only text is taken: files that end in {', '.join(ENDINGS)}.")
    content = _decoded(data, name)
    file = f"unnamed{name}" if name in ENDINGS else name
    given = given_title(content, file, "auto")
    if given == file_label(file):
        given = "" if name in ENDINGS else PurePosixPath(name).stem
    return DocumentText(title=title.strip() or given, content=content[split_title(content)[1] :])


def _decoded(data: bytes, path: str) -> str:
    if not data.strip():
        raise EmptyDocument("The document has no text.")
    try:
        return decode(data, path).text
    except FileRejected as rejection:
        raise _refusal(rejection) from rejection


def _refusal(rejection: FileRejected) -> CitewellError:
    if rejection.reason == "empty":
        return EmptyDocument("The document has no text.")
    return (BadLimit if rejection.reason in _TOO_LONG else UnsupportedFileType)(rejection.message)


def _cleared(text: str, recipe: Recipe) -> str:
    redaction = recipe.redactor.redact(text)
    if redaction.findings and recipe.redaction == "refuse":
        kinds: Sequence[str] = sorted({finding.kind for finding in redaction.findings})
        raise InvalidRequest(f"This holds what may not be kept here: {', '.join(kinds)}. Take it out.")
    return redaction.text if recipe.redaction == "redact" else text


def _indexed(file: SourceFile, data: bytes, recipe: Recipe) -> Replace:
    change = index_file(Contents(file, data), recipe, acl=recipe.acl(file.path), permalink="", commit="").change
    if not isinstance(change, Replace):
        raise UnsupportedFileType("The document cannot be indexed as it is.")
    return change
