"""An identity provider of the tests: its keys, its tokens, and the server that publishes the keys."""

from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

ISSUER = "https://login.example.org/realm"
AUDIENCE = "https://kb.example.org/mcp"

RSA_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER_RSA_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
EC_KEY = ec.generate_private_key(ec.SECP256R1())
ED_KEY = ed25519.Ed25519PrivateKey.generate()
RSA_PEM = RSA_KEY.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)


def public_jwk(key: Any, name: str, **fields: Any) -> dict[str, Any]:
    kinds = (
        (rsa.RSAPrivateKey, RSAAlgorithm),
        (ec.EllipticCurvePrivateKey, ECAlgorithm),
        (ed25519.Ed25519PrivateKey, OKPAlgorithm),
    )
    algorithm = next(algorithm for kind, algorithm in kinds if isinstance(key, kind))
    return {**json.loads(algorithm.to_jwk(key.public_key())), "kid": name, **fields}


def claims(**fields: Any) -> dict[str, Any]:
    now = int(time.time())
    given = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ada", "iat": now, "exp": now + 300, **fields}
    return {name: value for name, value in given.items() if value is not None}


def signed(key: Any = RSA_KEY, algorithm: str = "RS256", headers: dict[str, Any] | None = None, **fields: Any) -> str:
    return jwt.encode(claims(**fields), key, algorithm=algorithm, headers={"kid": "rsa", **(headers or {})})


def handmade(header: str, payload: str, signature: str = "") -> str:
    return ".".join(base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in (header, payload, signature))


@dataclass
class Provider:
    """Serves ``documents`` by path; ``requests`` are the paths that were asked for."""

    documents: dict[str, Any] = field(default_factory=dict[str, Any])
    requests: list[str] = field(default_factory=list[str])
    address: str = ""

    @contextmanager
    def serving(self) -> Iterator[Provider]:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                provider.requests.append(self.path)
                document = provider.documents.get(self.path)
                if isinstance(document, str):
                    self.send_response(302)
                    self.send_header("Location", document)
                    self.end_headers()
                    return
                self.send_response(404 if document is None else 200)
                self.end_headers()
                self.wfile.write(document if isinstance(document, bytes) else json.dumps(document).encode())

            def log_message(self, *_: Any) -> None:
                pass

        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            self.address = f"http://127.0.0.1:{server.server_port}"
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            try:
                yield self
            finally:
                server.shutdown()
                thread.join()
