"""Secret keys of our own making: from the environment, or from a file that only its owner may read."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Final

from citewell.core.errors import ConfigurationError

KEY_BYTES: Final = 32


def load_key(path: str, given: str = "") -> bytes:
    """Return the key: ``given`` where it is not empty, else what the file at ``path`` holds, which is made if there is none.

    Raises ConfigurationError for one that is too short, or a file that can neither be read nor made.
    """
    if given:
        return _checked(given.encode(), "the environment")
    file = Path(path)
    try:
        return _checked(file.read_bytes().strip(), path)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise ConfigurationError(f"the key at {path} cannot be read: {error.strerror}") from error
    return _make(file)


def _checked(key: bytes, where: str) -> bytes:
    if len(key) < KEY_BYTES:
        raise ConfigurationError(f"the key in {where} is shorter than {KEY_BYTES} characters")
    return key


def _make(file: Path) -> bytes:
    """Write a new key whole: another process that starts at the same moment sees either none or all of it."""
    fresh = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            stream.write(secrets.token_hex(KEY_BYTES).encode())
        try:
            os.link(fresh, file)
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
        return _checked(file.read_bytes().strip(), str(file))
    except OSError as error:
        raise ConfigurationError(f"no key can be made at {file}: {error.strerror}") from error
