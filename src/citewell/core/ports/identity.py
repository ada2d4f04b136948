"""Who somebody is, by what he shows for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from citewell.core.access import AccessPolicy, Principal

CurrentPolicy = Callable[[], AccessPolicy]
"""Gives the access policy as it is now; it is asked at every call, so that a change acts at the next one."""


class Authenticator(Protocol):
    """Turns a credential into a principal. It gets the credential and nothing else that a caller can write."""

    async def authenticate(self, credential: str, *, via: str) -> Principal:
        """Return who holds ``credential``, with the groups and scopes he has now.

        Raises Unauthenticated, always with the same message; the reason stands in its detail.
        """
        ...
