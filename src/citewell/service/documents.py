"""Documents as people keep them: listed, read whole, written, changed and taken away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from secrets import token_hex
from typing import Final

from citewell.core.access import Principal, Scope, Tokens, may_read
from citewell.core.errors import BadPagination, DocumentReadOnly, InvalidRequest
from citewell.core.model import Document, DocumentInfo, Lines
from citewell.core.ports import Store
from citewell.core.requests import DocumentList, DocumentText, DocumentView, ListRequest
from citewell.ingest.disguise import is_disguised
from citewell.ingest.titles import split_title
from citewell.retrieval.reading import view_whole
from citewell.service.auditing import Auditor, Took
from citewell.service.collections import Collections
from citewell.service.finding import find_document
from citewell.service.following import AccessFollower
from citewell.service.scopes import require
from citewell.service.writing import ENDINGS, Scribe, Shelf, manuscript

MAX_PAGE_SIZE: Final = 100
ID_BYTES: Final = 8


class DocumentService:
    """Lists, reads and writes documents, for a principal.

    What is read here is the document's own text: a block above it that only gives it a title is left out. What is written
    becomes a file of an editable source, and is found at once.
    """

    def __init__(
        self,
        *,
        store: Store,
        access: AccessFollower,
        auditor: Auditor,
        scribe: Scribe,
        shelves: Sequence[Shelf],
        collections: Collections,
        address: Callable[[str], str],
    ) -> None:
        """Put the parts together. ``address`` makes a permalink one that leads somewhere."""
        self._store = store
        self._access = access
        self._auditor = auditor
        self._scribe = scribe
        self._shelves = {shelf.recipe.source: shelf for shelf in shelves}
        self._collections = collections
        self._address = address

    async def list(self, principal: Principal, request: ListRequest) -> DocumentList:
        """Return a page of the documents that ``principal`` may read. Raises BadPagination, UnknownCollection."""
        async with self._auditor.call(principal, "list") as took:
            visible = await self._enter(principal)
            self._collections.check(request.filters.collections)
            if request.page < 1 or not 1 <= request.size <= MAX_PAGE_SIZE:
                raise BadPagination(f"Pages count from 1, and hold 1 to {MAX_PAGE_SIZE} documents.")
            offset = (request.page - 1) * request.size
            page = await self._store.documents(visible=visible, filters=request.filters, offset=offset, limit=request.size)
            found = [await self._store.document(info.id, visible=visible) for info in page.items]
            took.shown = tuple(document.info.id for document in found)
            items = tuple(self._view(document) for document in found)
            return DocumentList(items=items, page=request.page, size=request.size, total=page.total)

    async def read(self, principal: Principal, identity: str) -> DocumentView:
        """Return the document called ``identity``, or the lines of the chunk called so. Raises DocumentNotFound."""
        async with self._auditor.call(principal, "read", target=identity) as took:
            visible = await self._enter(principal)
            document, lines = await find_document(self._store, identity, visible)
            took.shown = (document.info.id,)
            return self._view(document, lines)

    async def create(
        self, principal: Principal, text: DocumentText, *, collection: str = "", ending: str = ""
    ) -> DocumentView:
        """Write a new document under a random id, and return it as it is kept.

        It goes into the editable source of ``collection``, or into the only one there is; one that ``principal`` could not
        read it in does not count. Raises Forbidden, DocumentReadOnly where there is none, InvalidRequest where there are
        several, UnknownCollection, StoreBusy, and what `manuscript` raises.
        """
        async with self._auditor.call(principal, "create", target=collection) as took:
            visible = await self._enter(principal, "write")
            name = token_hex(ID_BYTES)
            shelf, path = self._new_place(collection, visible, name, ending)
            await self._scribe.put(shelf, path, manuscript(text, path, shelf.recipe))
            return await self._written(shelf, path, visible, took)

    async def update(self, principal: Principal, identity: str, text: DocumentText) -> DocumentView:
        """Put ``text`` in the place of the document ``identity``, and return it as it is kept.

        Raises Forbidden, DocumentNotFound, DocumentReadOnly, StoreBusy, and what `manuscript` raises.
        """
        async with self._auditor.call(principal, "update", target=identity) as took:
            visible = await self._enter(principal, "write")
            shelf, path = await self._place_of(identity, visible)
            await self._scribe.put(shelf, path, manuscript(text, path, shelf.recipe))
            return await self._written(shelf, path, visible, took)

    async def delete(self, principal: Principal, identity: str) -> None:
        """Take the document ``identity`` away, with its file.

        Raises Forbidden, DocumentNotFound, DocumentReadOnly, StoreBusy.
        """
        async with self._auditor.call(principal, "delete", target=identity):
            visible = await self._enter(principal, "write")
            shelf, path = await self._place_of(identity, visible)
            await self._scribe.remove(shelf, path)

    async def close(self) -> None:
        """Release the store and the audit."""
        await self._store.close()
        await self._auditor.close()

    async def _enter(self, principal: Principal, *further: Scope) -> Tokens:
        for scope in ("read", *further):
            require(principal, scope)
        await self._access.follow()
        return principal.tokens

    def _new_place(self, collection: str, visible: Tokens, name: str, ending: str) -> tuple[Shelf, str]:
        """Return where a new document goes, among the places where its writer may read it."""
        self._collections.check((collection,) if collection else ())
        places = {
            shelf.recipe.collection: (shelf, path)
            for shelf in reversed(self._shelves.values())
            for path in (_free_path(shelf, name, ending),)
            if path and may_read(shelf.recipe.acl(path), visible) and collection in ("", shelf.recipe.collection)
        }
        if not places:
            raise DocumentReadOnly("There is nowhere here that you may write a new document to.")
        if len(places) > 1:
            raise InvalidRequest(f"Say which collection it is for: {', '.join(sorted(places))}.")
        return next(iter(places.values()))

    async def _place_of(self, identity: str, visible: Tokens) -> tuple[Shelf, str]:
        info = (await self._store.document(identity, visible=visible)).info
        shelf = self._shelf_of(info)
        if shelf is None:
            raise DocumentReadOnly("This document comes from a source that is only read here; change it there.")
        return shelf, info.path

    def _shelf_of(self, info: DocumentInfo) -> Shelf | None:
        shelf = self._shelves.get(info.source)
        is_editable = info.path.lower().endswith(ENDINGS) and not is_disguised(info.path)
        return shelf if shelf is not None and is_editable and shelf.files.takes(info.path) else None

    async def _written(self, shelf: Shelf, path: str, visible: Tokens, took: Took) -> DocumentView:
        document = await self._store.document(shelf.recipe.document_id(path), visible=visible)
        took.shown = (document.info.id,)
        return self._view(document)

    def _view(self, document: Document, lines: Lines | None = None) -> DocumentView:
        view = view_whole(document, split_title(document.text)[1], lines)
        editable = {"editable": "true"} if self._shelf_of(document.info) is not None else {}
        return replace(view, url=self._address(view.url), metadata={**view.metadata, **editable})


def _free_path(shelf: Shelf, name: str, ending: str) -> str:
    """Return the path of a new file ``name``, with ``ending`` or another that the source takes; empty where it takes none."""
    paths = (name + each for each in dict.fromkeys((ending or ENDINGS[0], *ENDINGS)))
    return next((path for path in paths if shelf.files.takes(path)), "")
