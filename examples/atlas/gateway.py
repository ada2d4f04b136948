"""An OpenAI-compatible /v1/embeddings for trying the example: no model, no key, and the same vector for the same text.

    python examples/atlas/gateway.py --port 9400

A vector counts the words of a text and the runs of three characters in them, each at a place its hash gives. That finds what
shares words and parts of words, which is enough to see the service work. For meaning put a real gateway in its place.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DIMENSION = 256


def embed(text: str) -> list[float]:
    """Return the unit vector of ``text``."""
    vector = [0.0] * DIMENSION
    for word in re.findall(r"\w+", text.lower()):
        padded = f" {word} "
        for part, weight in [(padded, 2.0), *((padded[at : at + 3], 1.0) for at in range(len(padded) - 2))]:
            place = zlib.crc32(part.encode())
            vector[place % DIMENSION] += weight if place & 1024 else -weight
    length = math.sqrt(sum(number * number for number in vector))
    return [number / length for number in vector] if length else [1.0] + [0.0] * (DIMENSION - 1)


class Gateway(BaseHTTPRequestHandler):
    """Answers POST /v1/embeddings."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Return a vector for each text of ``input``."""
        content = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path.rstrip("/") != "/v1/embeddings":
            self._reply(404, {"error": {"message": "there is only /v1/embeddings"}})
            return
        try:
            asked = json.loads(content)
            texts = [asked["input"]] if isinstance(asked["input"], str) else list(asked["input"])
        except (ValueError, KeyError, TypeError):
            self._reply(400, {"error": {"message": "input must be a text or a list of texts"}})
        else:
            data = [{"object": "embedding", "index": place, "embedding": embed(text)} for place, text in enumerate(texts)]
            self._reply(200, {"object": "list", "model": asked.get("model", ""), "data": data})

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing of each request."""

    def _reply(self, status: int, body: dict[str, Any]) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=9400)
    given = parser.parse_args()
    server = ThreadingHTTPServer((given.host, given.port), Gateway)
    print(f"http://{given.host}:{server.server_port}", flush=True)
    server.serve_forever()
