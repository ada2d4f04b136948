"""Access tokens in a file that only its owner may read: hashes, never the tokens themselves."""

from __future__ import annotations

import json
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

from citewell.adapters.locking import wait_for_lock
from citewell.core.errors import ConfigurationError
from citewell.core.ports import AccessToken

VERSION: Final = 1
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO

Signature = tuple[int, int, int]


class TokenFile:
    """Implements ``TokenStore``. The file is replaced as a whole, and read anew whenever it is another."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._signature: Signature | None = None
        self._tokens: tuple[AccessToken, ...] = ()

    def tokens(self) -> tuple[AccessToken, ...]:
        """Return all tokens; none while there is no file."""
        try:
            status = self._path.stat()
        except FileNotFoundError:
            self._signature, self._tokens = None, ()
            return ()
        except OSError as error:
            raise self._unreadable(error) from error
        signature = status.st_mtime_ns, status.st_size, status.st_ino
        if signature != self._signature:
            self._tokens = self._read(status)
            self._signature = signature
        return self._tokens

    def add(self, token: AccessToken) -> None:
        """Keep ``token``."""
        with self._changing():
            self._write((*self.tokens(), token))

    def revoke(self, ids: frozenset[str], now: int) -> int:
        """Revoke tokens."""
        with self._changing():
            before = self.tokens()
            gone = [token for token in before if token.id in ids and token.revoked is None]
            if gone:
                self._write(tuple(replace(token, revoked=now) if token in gone else token for token in before))
        return len(gone)

    def _read(self, status: os.stat_result) -> tuple[AccessToken, ...]:
        if sys.platform != "win32" and status.st_mode & _OTHERS:
            raise ConfigurationError(f"{self._path} may be read by others than its owner; chmod 600 {self._path}")
        try:
            data = json.loads(self._path.read_text(encoding="utf-8"))
            if data["version"] != VERSION:
                raise ConfigurationError(f"{self._path} was written by another version of citewell")
            return tuple(AccessToken(**{**entry, "scopes": tuple(entry["scopes"])}) for entry in data["tokens"])
        except OSError as error:
            raise self._unreadable(error) from error
        except (ValueError, KeyError, TypeError) as error:
            raise ConfigurationError(f"{self._path} is damaged; restore it, or delete it and make new tokens") from error

    def _write(self, tokens: tuple[AccessToken, ...]) -> None:
        fresh = self._path.with_name(f"{self._path.name}.{secrets.token_hex(8)}")
        data = json.dumps({"version": VERSION, "tokens": [asdict(token) for token in tokens]}, indent=1)
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self._path)

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Keep other processes from changing the file meanwhile."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            lock = os.open(self._path.with_name(f"{self._path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
            try:
                wait_for_lock(lock)
                yield
            finally:
                os.close(lock)
        except OSError as error:
            raise ConfigurationError(f"the tokens at {self._path} cannot be changed: {error.strerror}") from error

    def _unreadable(self, error: OSError) -> ConfigurationError:
        return ConfigurationError(f"the tokens at {self._path} cannot be read: {error.strerror}")
