"""Trying again, and when not to."""

from __future__ import annotations

RETRIED = frozenset({502, 503, 504})


def backoff_seconds(attempt: int, base: float = 0.2, ceiling: float = 10.0) -> float:
    """Return how long to wait before ``attempt`` (from 1): doubled each time, up to ``ceiling``."""
    return min(base * 2 ** (attempt - 1), ceiling)


def should_retry(status: int, attempt: int, idempotent: bool) -> bool:
    """Say whether to try again: three attempts at most, and only where a second one does no harm."""
    return status in RETRIED and attempt < 3 and idempotent
