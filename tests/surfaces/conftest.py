"""What the tests of every surface start from."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from assembly import build_knowledge

from citewell.service import KnowledgeService


@pytest.fixture(scope="session")
async def knowledge() -> AsyncIterator[KnowledgeService]:
    service = await build_knowledge()
    yield service
    await service.close()
