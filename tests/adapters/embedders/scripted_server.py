"""A real HTTP server on this machine that answers embedding requests as a script says: well, late, wrongly or not at all."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from zlib import crc32

DIMENSION = 16


def vector_of(text: str) -> list[float]:
    """Return a vector that depends on the words of ``text`` alone."""
    row = [0.001 * place for place in range(1, DIMENSION + 1)]
    for word in text.split() or [""]:
        row[crc32(word.encode()) % DIMENSION] += 1.0 + crc32(word.encode()) % 97 / 97
    return row


def openai_answer(texts: list[str]) -> dict[str, Any]:
    return {"data": [{"index": place, "embedding": vector_of(text)} for place, text in enumerate(texts)]}


def tei_answer(texts: list[str]) -> list[list[float]]:
    return [vector_of(text) for text in texts]


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server does with one request. ``body`` of None means the right answer."""

    status: int = 200
    body: Callable[[list[str]], Any] | bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    reset: bool = False


@dataclass
class ScriptedServer:
    """``script`` holds the replies to come; when it is used up, every request is answered rightly."""

    url: str = ""
    script: list[Reply] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    active: int = 0
    most_active: int = 0

    def take(self, path: str, headers: Any, body: Any) -> Reply:
        with self.lock:
            self.requests.append({"path": path, "headers": headers, "body": body})
            self.active += 1
            self.most_active = max(self.active, self.most_active)
            return self.script.pop(0) if self.script else Reply()


class Handler(BaseHTTPRequestHandler):
    scripted: ScriptedServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        reply = self.scripted.take(self.path, self.headers, body)
        try:
            time.sleep(reply.delay)
            self.answer(reply, body)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            with self.scripted.lock:
                self.scripted.active -= 1

    def answer(self, reply: Reply, body: Any) -> None:
        right = openai_answer if self.path.endswith("/embeddings") else tei_answer
        texts = body["input"] if "input" in body else body["inputs"]
        made = reply.body if isinstance(reply.body, bytes) else json.dumps((reply.body or right)(texts)).encode()
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(made)))
        self.end_headers()
        self.wfile.write(made[: len(made) // 2] if reply.reset else made)
        self.close_connection = self.close_connection or reply.reset

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def running_server() -> Iterator[ScriptedServer]:
    """Run the server on a free port of 127.0.0.1 until the block ends."""
    scripted = ScriptedServer()
    handler = type("BoundHandler", (Handler,), {"scripted": scripted})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    scripted.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield scripted
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
