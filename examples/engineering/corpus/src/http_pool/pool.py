"""Connections to services, kept open between requests."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field


class PoolExhausted(Exception):
    """No connection became free in time."""


@dataclass
class Limits:
    """How many connections a pool may have.

    ``max_keepalive_connections`` is how many idle ones it keeps; it defaults to 20. ``max_connections`` bounds all of
    them and defaults to 100.
    """

    max_connections: int = 100
    max_keepalive_connections: int = 20
    keepalive_expiry: float = 5.0


@dataclass
class Pool:
    """Connections to one service."""

    limits: Limits = field(default_factory=Limits)
    idle: deque[int] = field(default_factory=deque)
    busy: set[int] = field(default_factory=set)

    def acquire(self) -> int:
        """Return an idle connection, or open one. Raises PoolExhausted at ``max_connections``."""
        if self.idle:
            connection = self.idle.pop()
        elif len(self.busy) < self.limits.max_connections:
            connection = len(self.busy)
        else:
            raise PoolExhausted(f"all {self.limits.max_connections} connections are busy")
        self.busy.add(connection)
        return connection

    def release(self, connection: int) -> None:
        """Keep the connection for the next request, or close it where enough are idle."""
        self.busy.discard(connection)
        if len(self.idle) < self.limits.max_keepalive_connections:
            self.idle.append(connection)
