"""The gate that vectors pass."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.adapters.embedders.vector_checks import unit_rows
from citewell.core.errors import EmbeddingFailed, WrongDimension

finite = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(st.tuples(finite, finite, finite), min_size=1, max_size=5))
def test_rows_come_out_with_length_one_or_are_refused(rows: list[tuple[float, float, float]]) -> None:
    given_rows = np.array(rows)
    try:
        unit = unit_rows(given_rows, len(rows), 3, "A model")
    except EmbeddingFailed:
        assert any(len(set(row)) == 1 for row in rows)
    else:
        assert unit.dtype == np.float32
        assert np.allclose(np.linalg.norm(unit.astype(np.float64), axis=1), 1, atol=1e-6)
        assert (np.sign(unit) * np.sign(given_rows) >= 0).all()


@pytest.mark.parametrize("bad", [[np.nan, 1.0], [np.inf, 1.0], [0.0, 0.0], [3.0, 3.0]])
def test_a_bad_row_is_refused_by_its_place_and_origin(bad: list[float]) -> None:
    with pytest.raises(EmbeddingFailed, match=r"^A model .*row 1 of 3"):
        unit_rows(np.array([[1.0, 2.0], bad, [2.0, 1.0]]), 3, 2, "A model")


def test_a_wrong_width_is_told_from_a_wrong_count() -> None:
    with pytest.raises(WrongDimension, match="2 numbers instead of 3"):
        unit_rows(np.eye(2), 2, 3, "A model")
    with pytest.raises(EmbeddingFailed, match="for 3 texts"):
        unit_rows(np.eye(2), 3, 2, "A model")
    with pytest.raises(EmbeddingFailed, match="for 2 texts"):
        unit_rows(np.ones(2), 2, 2, "A model")


def test_any_width_will_do_where_none_is_known() -> None:
    assert unit_rows(np.eye(2), 2, None, "A model").shape == (2, 2)
