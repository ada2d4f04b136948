"""Documents as people keep them: listed and read whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from citewell.core.access import Principal, Tokens
from citewell.core.errors import BadPagination
from citewell.core.model import Document, Lines
from citewell.core.ports import Store
from citewell.core.requests import DocumentList, DocumentView, ListRequest
from citewell.ingest.titles import split_title
from citewell.retrieval.reading import view_whole
from citewell.service.auditing import Auditor
from citewell.service.finding import find_document
from citewell.service.following import AccessFollower
from citewell.service.scopes import require

MAX_PAGE_SIZE: Final = 100


class DocumentService:
    """Lists and reads documents, for a principal.

    What is read here is the document's own text: a block above it that only gives it a title is left out.
    """

    def __init__(self, *, store: Store, access: AccessFollower, auditor: Auditor, address: Callable[[str], str]) -> None:
        """Put the parts together. ``address`` makes a permalink one that leads somewhere."""
        self._store = store
        self._access = access
        self._auditor = auditor
        self._address = address

    async def list(self, principal: Principal, request: ListRequest) -> DocumentList:
        """Return a page of the documents that ``principal`` may read. Raises BadPagination."""
        async with self._auditor.call(principal, "list") as took:
            visible = await self._enter(principal)
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

    async def close(self) -> None:
        """Release the store and the audit."""
        await self._store.close()
        await self._auditor.close()

    async def _enter(self, principal: Principal) -> Tokens:
        require(principal, "read")
        await self._access.follow()
        return principal.tokens

    def _view(self, document: Document, lines: Lines | None = None) -> DocumentView:
        view = view_whole(document, split_title(document.text)[1], lines)
        return replace(view, url=self._address(view.url))
