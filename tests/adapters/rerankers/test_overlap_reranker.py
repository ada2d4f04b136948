"""The double of the port."""

from __future__ import annotations

import pytest

from citewell.core.ports import Reranker
from citewell.testing.overlap_reranker import OverlapReranker
from citewell.testing.reranker_suite import RerankerSuite


class TestOverlapReranker(RerankerSuite):
    @pytest.fixture
    def reranker(self) -> Reranker:
        return OverlapReranker()
