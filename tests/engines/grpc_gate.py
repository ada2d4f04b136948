"""A gate before an engine that speaks gRPC: it counts calls by name, and lets them through, holds or refuses them.

It knows no messages: bytes are handed on, so whatever a client sends reaches the engine unchanged.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import grpc

WRITES = frozenset({"Insert", "Upsert", "Delete"})


class GrpcGate(grpc.GenericRpcHandler):
    """One gate. ``calls`` are the names of the calls that came, ``tokens`` the credentials they came with."""

    def __init__(self, engine: str, credentials: grpc.ServerCredentials | None = None) -> None:
        self._channel = grpc.insecure_channel(urlsplit(engine).netloc)
        self._credentials = credentials
        self._server: grpc.Server | None = None
        self._port = 0
        self._open = threading.Event()
        self._open.set()
        self._refusal: grpc.StatusCode | None = None
        self._writes_left: int | None = None
        self.calls: list[str] = []
        self.tokens: set[str] = set()

    @property
    def port(self) -> int:
        """Where the engine seems to be, on this machine."""
        return self._port

    @property
    def address(self) -> str:
        """Where the engine seems to be."""
        return f"http://127.0.0.1:{self._port}"

    def hold(self) -> None:
        """Keep calls waiting from now on."""
        self._open.clear()

    def refuse(self, status: grpc.StatusCode) -> None:
        """Answer every call with ``status``."""
        self._refusal = status

    def die_after(self, writes: int) -> None:
        """Refuse everything once so many writes have come through, as if the client had been killed."""
        self._writes_left = writes

    def heal(self) -> None:
        """Let everything through again."""
        self._refusal = self._writes_left = None
        self._open.set()

    def shut(self) -> None:
        """Refuse connections, as an engine that is not there does."""
        if self._server is not None:
            self._server.stop(0).wait(5)
            self._server = None

    def reopen(self) -> None:
        """Take connections again, at the same address."""
        self._server = grpc.server(ThreadPoolExecutor(16), handlers=[self], options=[("grpc.so_reuseport", 0)])
        place = f"127.0.0.1:{self._port}"
        secure = self._credentials
        self._port = self._server.add_secure_port(place, secure) if secure else self._server.add_insecure_port(place)
        self._server.start()

    def stop(self) -> None:
        """End for good."""
        self._open.set()
        self.shut()
        self._channel.close()

    def service(self, details: grpc.HandlerCallDetails) -> Any:
        """Return what handles a call, whatever it is called."""
        method = details.method
        self.calls.append(method.rpartition("/")[2])
        self.tokens.update(value for name, value in details.invocation_metadata if name == "authorization")
        return grpc.unary_unary_rpc_method_handler(lambda request, context: self._hand_on(method, request, context))

    def _hand_on(self, method: str, request: bytes, context: grpc.ServicerContext) -> bytes:
        self._open.wait()
        if self._writes_left is not None and method.rpartition("/")[2] in WRITES:
            self._writes_left -= 1
        if self._writes_left is not None and self._writes_left < 0:
            context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "gone")
        if self._refusal is not None:
            context.abort(self._refusal, "refused")
        metadata = [pair for pair in context.invocation_metadata() if pair[0] != "user-agent"]
        try:
            answer: bytes = self._channel.unary_unary(method)(request, metadata=metadata, timeout=60)
        except grpc.RpcError as error:
            context.abort(error.code(), error.details())  # type: ignore[attr-defined]
        return answer


@contextmanager
def grpc_gated(engine: str, credentials: grpc.ServerCredentials | None = None) -> Iterator[GrpcGate]:
    """Yield an open gate before ``engine``."""
    gate = GrpcGate(engine, credentials)
    gate.reopen()
    try:
        yield gate
    finally:
        gate.stop()
