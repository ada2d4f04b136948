"""Who may write. Milvus cannot compare and write in one step: whoever has written his name looks whether it still stands."""

from __future__ import annotations

import time
import uuid
from typing import Final

import anyio

from citewell.adapters.stores.milvus.record_book import RecordBook
from citewell.adapters.stores.milvus.rows import record
from citewell.core.errors import StoreBusy, StoreError

LEASE: Final = "lease"
SECONDS: Final = 60.0
SETTLING_SECONDS: Final = 0.05
"""How long two that begin at the same moment need at most to see each other's name."""


class Lease:
    """Held from the first change of a block on; it ends by itself where its holder has died."""

    def __init__(self, records: RecordBook) -> None:
        self._records = records
        self._owner = uuid.uuid4().hex
        self._until = 0.0

    async def hold(self) -> bool:
        """Take or renew the lease, and say whether it is new: it is, too, where it could not be given back.

        Raises StoreBusy where another process has it.
        """
        anew = not self._until
        if time.time() < self._until - SECONDS / 2:
            return False
        held = (await self._records.get([LEASE], ["name", "order"])).get(LEASE)
        mine = held is not None and held["name"] == self._owner
        if held is not None and not mine and held["order"] > time.time() * 1000:
            raise StoreBusy("Another process is writing to the index.")
        until = time.time() + SECONDS
        await self._records.put([record(LEASE, "lease", name=self._owner, order=int(until * 1000))])
        if not mine:
            await anyio.sleep(SETTLING_SECONDS)
            held = (await self._records.get([LEASE], ["name"])).get(LEASE)
            if held is None or held["name"] != self._owner:
                raise StoreBusy("Another process has just begun to write to the index.")
        self._until = until
        return anew or not mine

    async def release(self) -> None:
        """Let others write. What cannot be said now, the end of the lease says."""
        if not self._until:
            return
        self._until = 0.0
        try:
            await self._records.delete(f'id == "{LEASE}" and name == "{self._owner}"')
        except StoreError:
            return
