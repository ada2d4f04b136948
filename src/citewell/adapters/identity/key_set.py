"""The public keys of an identity provider (JWKS, RFC 7517): fetched, kept, and fetched anew when a key is unknown."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import anyio
import httpx2
from jwt import PyJWK
from jwt.exceptions import PyJWTError

from citewell.core.errors import ConfigurationError

KEPT_SECONDS: Final = 600
LEAST_PAUSE_SECONDS: Final = 30
"""How soon an unknown key may lead to another fetch: made-up key names must not become a flood at the provider."""

MAX_BYTES: Final = 1_000_000
TIMEOUT_SECONDS: Final = 5.0
_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})

_CURVES: Final = {"P-256": "ES256", "P-384": "ES384", "P-521": "ES512"}
_RSA: Final = frozenset({"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"})


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A key, and the algorithms whose signatures it may check."""

    key: Any
    algorithms: frozenset[str]


Keys = Mapping[str, PublicKey]


class KeySet:
    """Gives keys by name. Keys that were good stay so for a while when the provider does not answer.

    ``address`` is a file or an https address; empty means that the issuer's discovery document names it.
    """

    def __init__(self, address: str, issuer: str, clock: Callable[[], float] = time.time) -> None:
        self._address = address
        self._issuer = issuer
        self._clock = clock
        self._keys: Keys = {}
        self._fetched = self._tried = float("-inf")
        self._lock = anyio.Lock()

    async def key(self, name: str) -> PublicKey | None:
        """Return the key called ``name``, None where the provider has none of that name."""
        now = self._clock()
        if name in self._keys and now - self._fetched < KEPT_SECONDS:
            return self._keys[name]
        async with self._lock:
            if self._clock() - self._tried >= LEAST_PAUSE_SECONDS:
                self._tried = self._clock()
                await self._renew()
        return self._keys.get(name)

    async def _renew(self) -> None:
        try:
            self._keys = _parse(await self._load())
            self._fetched = self._clock()
        except (OSError, httpx2.HTTPError, ValueError, KeyError, TypeError, ConfigurationError):
            if self._clock() - self._fetched > 6 * KEPT_SECONDS:
                self._keys = {}

    async def _load(self) -> Any:
        if self._address and "://" not in self._address:
            return json.loads(await anyio.to_thread.run_sync(Path(self._address).read_bytes))
        async with httpx2.AsyncClient(timeout=TIMEOUT_SECONDS, follow_redirects=False, trust_env=False) as client:
            return await _fetch(client, self._address or await self._discover(client))

    async def _discover(self, client: httpx2.AsyncClient) -> str:
        """Return where the issuer says that its keys are (OpenID Connect Discovery 1.0, section 4)."""
        document = await _fetch(client, f"{self._issuer.rstrip('/')}/.well-known/openid-configuration")
        if document["issuer"] != self._issuer:
            raise ValueError("the discovery document is of another issuer")
        return str(document["jwks_uri"])


async def _fetch(client: httpx2.AsyncClient, address: str) -> Any:
    parts = urlsplit(address)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        raise ConfigurationError(f"keys come over https only, not from {address}")
    async with client.stream("GET", address) as response:
        response.raise_for_status()
        data = b""
        async for part in response.aiter_bytes():
            data += part
            if len(data) > MAX_BYTES:
                raise ValueError("the key set is too large")
    return json.loads(data)


def _parse(data: Any) -> Keys:
    """Return the public signature keys by name; others, and those without a name, are left out."""
    keys: dict[str, PublicKey] = {}
    for entry in data["keys"]:
        if not isinstance(entry, dict) or entry.get("use", "sig") != "sig" or not isinstance(entry.get("kid"), str):
            continue
        with suppress(PyJWTError, ValueError, KeyError, TypeError):
            if algorithms := _algorithms(entry):
                keys[entry["kid"]] = PublicKey(PyJWK(entry).key, algorithms)
    return keys


def _algorithms(entry: Mapping[str, Any]) -> frozenset[str]:
    """Return what the key is for: the one algorithm it names, else all that its kind can be used with. No shared secret."""
    match entry.get("kty"):
        case "RSA":
            fitting = _RSA
        case "EC":
            fitting = frozenset({_CURVES[entry["crv"]]})
        case "OKP":
            fitting = frozenset({"EdDSA"})
        case _:
            fitting = frozenset()
    return fitting & {entry["alg"]} if "alg" in entry else fitting
