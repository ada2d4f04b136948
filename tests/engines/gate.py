"""A gate before an engine: it lets requests through, holds them, answers in the engine's place, or is shut.

It knows no protocol: bytes are handed on, so whatever a client sends reaches the engine unchanged.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit


class Gate:
    """One gate, run by a thread of its own."""

    def __init__(self, engine: str) -> None:
        place = urlsplit(engine)
        self._engine = place.hostname or "", place.port or 80
        self._loop = asyncio.new_event_loop()
        self._server: asyncio.Server | None = None
        self._open = asyncio.Event()
        self._answer = b""
        self._port = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self.held = threading.Semaphore(0)
        """Counts the requests that have come to the closed gate."""

    @property
    def address(self) -> str:
        """Where the engine seems to be."""
        return f"http://127.0.0.1:{self._port}"

    def hold(self) -> None:
        """Keep requests waiting from now on."""
        self._do(self._hold())

    def let_through(self) -> None:
        """Hand on what waits and what comes."""
        self._do(self._let_through())

    def answer(self, status: int, body: bytes = b"{}") -> None:
        """Answer every request with ``status`` and ``body``."""
        head = f"HTTP/1.1 {status} X\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {len(body)}"
        self._answer = head.encode() + b"\r\n\r\n" + body

    def shut(self) -> None:
        """Refuse connections, as an engine that is not there does."""
        self._do(self._shut())

    def reopen(self) -> None:
        """Take connections again, at the same address."""
        self._answer = b""
        self._do(self._listen())

    async def _listen(self) -> None:
        if self._server is None:
            self._server = await asyncio.start_server(self._serve, "127.0.0.1", self._port)
            self._port = self._server.sockets[0].getsockname()[1]
        self._open.set()

    async def _hold(self) -> None:
        self._open.clear()

    async def _let_through(self) -> None:
        self._open.set()

    async def _shut(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        for task in self._tasks:
            task.cancel()

    async def _end(self) -> None:
        """End with every connection closed, those that have just come too: an open one is told of in a later test."""
        await self._shut()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        await asyncio.sleep(0.05)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._tasks.add(task)
        try:
            with suppress(OSError, asyncio.CancelledError):
                await self._connect(reader, writer)
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back, forth = await asyncio.open_connection(*self._engine)
        answers = asyncio.ensure_future(self._copy(back, writer))
        try:
            while content := await reader.read(65536):
                if not self._open.is_set():
                    self.held.release()
                    await self._open.wait()
                if self._answer:
                    writer.write(self._answer)
                    await writer.drain()
                    return
                forth.write(content)
                await forth.drain()
        finally:
            answers.cancel()
            forth.close()

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while content := await reader.read(65536):
                writer.write(content)
                await writer.drain()

    def _do(self, coroutine: object) -> None:
        asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(10)  # type: ignore[arg-type]

    def run(self) -> None:
        """Serve until `stop`."""
        self._loop.run_forever()
        self._loop.close()

    def stop(self) -> None:
        """End for good."""
        self._do(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)


@contextmanager
def gated(engine: str) -> Iterator[Gate]:
    """Yield an open gate before ``engine``."""
    gate = Gate(engine)
    thread = threading.Thread(target=gate.run, daemon=True)
    thread.start()
    gate.reopen()
    try:
        yield gate
    finally:
        gate.stop()
        thread.join()
