"""citewell: the knowledge base a team can trust."""

from __future__ import annotations

__version__ = "0.1.0"
