"""The tests of security use the agents and servers of the other tests."""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = Path(__file__).parent.parent
sys.path[:0] = [str(TESTS / "surfaces"), str(TESTS / "service")]
