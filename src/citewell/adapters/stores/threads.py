"""How many threads one search may use: one. Searches run side by side, each in a worker thread of its own."""

from __future__ import annotations

import threading
from typing import Final

import faiss

SCAN_THREADS: Final = 1
"""A scan reads memory as fast as one core can; more threads only take cores from other searches."""

_told = threading.local()


def limit_threads() -> None:
    """Keep faiss to ``SCAN_THREADS`` in the calling thread: OpenMP keeps that number for each thread separately."""
    if not getattr(_told, "done", False):
        faiss.omp_set_num_threads(SCAN_THREADS)
        _told.done = True
