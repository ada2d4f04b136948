"""Who writes: one process at a time, for as long as it renews its lease."""

from __future__ import annotations

import time
import uuid
from typing import Any, Final

from citewell.adapters.stores.elastic_qdrant.text_engine import CONFLICT, MISSING, TextEngine
from citewell.core.errors import StoreBusy, StoreError

SECONDS: Final = 120.0
"""How long a process that fell silent keeps others from writing. Clocks of writers may differ by a small part of it."""

LEASE: Final = "writer"


class Lease:
    """A document that says who writes and until when; it changes hands only where nobody else has changed it."""

    def __init__(self, engine: TextEngine, index: str) -> None:
        self._engine = engine
        self._index = index
        self._owner = uuid.uuid4().hex
        self._until = 0.0
        self._version: dict[str, str] = {}

    async def hold(self) -> bool:
        """Take the lease or renew it; say whether it was taken anew. Raises StoreBusy where another process has it."""
        if time.time() < self._until - SECONDS / 2:
            return False
        reply = await self._engine.send("GET", f"/{self._index}/_doc/{LEASE}", may_be=(MISSING,))
        mine = self._judge(reply.body)
        expected = _version(reply.body) if reply.body.get("found") else {"op_type": "create"}
        await self._write(expected)
        return not mine

    async def release(self) -> None:
        """Let others write. What cannot be said now, the end of the lease says."""
        if not self._version:
            return
        version, self._version, self._until = self._version, {}, 0.0
        try:
            await self._engine.send("DELETE", f"/{self._index}/_doc/{LEASE}", params=version, may_be=(MISSING, CONFLICT))
        except StoreError:
            return

    def _judge(self, found: dict[str, Any]) -> bool:
        held = found.get("_source") or {}
        mine = bool(self._version) and held.get("owner") == self._owner
        if held and not mine and held.get("until", 0) > time.time():
            raise StoreBusy("Another process is writing to the index.")
        return mine

    async def _write(self, expected: dict[str, str]) -> None:
        until = time.time() + SECONDS
        body = {"owner": self._owner, "until": until}
        reply = await self._engine.send("PUT", f"/{self._index}/_doc/{LEASE}", body, params=expected, may_be=(CONFLICT,))
        if reply.status == CONFLICT:
            raise StoreBusy("Another process has just begun to write to the index.")
        self._version, self._until = _version(reply.body), until


def _version(body: dict[str, Any]) -> dict[str, str]:
    return {"if_seq_no": str(body["_seq_no"]), "if_primary_term": str(body["_primary_term"])}
