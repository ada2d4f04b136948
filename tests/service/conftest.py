"""What the tests of the service start from."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from house import GUIDE, PAYROLL, House

from citewell.testing.memory_source import MemorySource


@pytest.fixture
def house() -> House:
    return House(MemorySource("handbook", {"guide.md": GUIDE, "board/payroll.md": PAYROLL}))


@pytest.fixture
def build_house() -> Callable[[dict[str, bytes]], House]:
    return lambda files: House(MemorySource("handbook", dict(files)))
