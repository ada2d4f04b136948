"""What several tests of the examples start from."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from library import Library, open_library
from people import Company, found_company
from running import serving


@pytest.fixture(scope="session")
async def company(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Company]:
    """The engineering example, served."""
    founded = found_company(tmp_path_factory.mktemp("company"))
    async with serving(founded.config) as address:
        yield replace(founded, address=address)


@pytest.fixture(scope="session")
async def library(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Library]:
    """The Chinese example, served."""
    config = open_library(tmp_path_factory.mktemp("library"))
    async with serving(config) as address:
        yield Library(config, address)
