"""Access tokens of our own: ``cw_``, eight characters that name the token, ``_``, and 256 random bits."""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Final

ID_CHARACTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"
SECRET_BYTES: Final = 32

_TOKEN: Final = re.compile(r"cw_([a-z0-9]{8})_([A-Za-z0-9_-]{43})")


def new_token() -> tuple[str, str]:
    """Return the id of a new token, and the token as its holder gets it: it can be had only now."""
    identity = "".join(secrets.choice(ID_CHARACTERS) for _ in range(8))
    return identity, f"cw_{identity}_{secrets.token_urlsafe(SECRET_BYTES)}"


def parse_token(credential: str) -> tuple[str, str]:
    """Return id and digest of ``credential``; both are empty for what is no token of ours."""
    match = _TOKEN.fullmatch(credential)
    return (match[1], digest(credential)) if match else ("", "")


def digest(token: str) -> str:
    """Return what is kept of ``token``: with 256 random bits, one round of SHA-256 cannot be guessed back."""
    return hashlib.sha256(token.encode()).hexdigest()
