"""What every embedder must do, as tests: subclass ``EmbedderSuite`` and say in the fixture ``embedder`` what to test.

    class TestMine(EmbedderSuite):
        @pytest.fixture
        def embedder(self) -> Embedder:
            return MY_EMBEDDER  # loaded once, used by every test

Needs pytest, and anyio's plugin for it, which comes with citewell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
import numpy as np
import pytest

from citewell.core.ports import Embedder

if TYPE_CHECKING:
    from citewell.core.ports import Role, Vectors

TEXTS = (
    "How do I set a timeout for a single request?",
    "Zaman aşımı tek bir istek için nasıl ayarlanır?",
    "如何为单个请求设置超时?",
    "Cats sleep for most of the day.",
    "def connect(host: str, port: int = 443) -> Connection: ...",
    "The timeout of a request is five seconds unless the client was created with another one. " * 6,
)

ODD_TEXTS = (
    "",
    "   ",
    "\n\t\r\n",
    "\0",
    "before\0after",
    "\ud800 lone surrogate \udfff",
    "😀😀👩‍👩‍👧‍👦",
    "\u200b\u200d\ufeff",
    "\u202eright to left\u202c",
    "e\u0301" * 50,
    "x" * 2000,
    "٣٤٥ ۱۲۳ ௧",
)


@pytest.mark.anyio
class EmbedderSuite:
    """The tests. ``long_text`` may be shortened for an embedder that is slow."""

    long_text: str = "A sentence that is repeated until nobody would read it. " * 1800

    @pytest.fixture
    def embedder(self) -> Embedder:
        """Return the embedder under test. Subclasses must define it."""
        raise NotImplementedError

    async def test_it_is_an_embedder_with_a_name(self, embedder: Embedder) -> None:
        """The port's properties are there."""
        assert isinstance(embedder, Embedder)
        assert embedder.name
        assert embedder.name == embedder.name.strip()
        assert all(reason == reason.lower() for reason in embedder.degraded)

    @pytest.mark.parametrize("role", ["query", "passage"])
    async def test_each_text_gets_a_unit_row_of_float32(self, embedder: Embedder, role: Role) -> None:
        """Shape, type and length."""
        rows = await embedder.embed(TEXTS, role)
        assert rows.dtype == np.float32
        assert rows.ndim == 2
        assert len(rows) == len(TEXTS)
        _assert_unit(rows)

    async def test_no_texts_give_no_rows(self, embedder: Embedder) -> None:
        """An empty call is no error and keeps the dimension."""
        dimension = (await embedder.embed(TEXTS[:1], "query")).shape[1]
        rows = await embedder.embed([], "query")
        assert rows.shape == (0, dimension)
        assert rows.dtype == np.float32

    async def test_the_same_text_gets_the_same_bytes_again(self, embedder: Embedder) -> None:
        """Nothing is random."""
        first = await embedder.embed(TEXTS, "passage")
        assert first.tobytes() == (await embedder.embed(TEXTS, "passage")).tobytes()

    @pytest.mark.parametrize("role", ["query", "passage"])
    async def test_a_vector_does_not_depend_on_its_neighbours(self, embedder: Embedder, role: Role) -> None:
        """Alone, together, in reverse and beside odd texts, a text keeps every bit of its vector."""
        together = await embedder.embed(TEXTS, role)
        backwards = (await embedder.embed(TEXTS[::-1], role))[::-1]
        mixed = (await embedder.embed([text for pair in zip(ODD_TEXTS, TEXTS, strict=False) for text in pair], role))[1::2]
        alone = np.concatenate([await embedder.embed([text], role) for text in TEXTS])
        assert together.tobytes() == backwards.tobytes() == mixed.tobytes() == alone.tobytes()

    async def test_a_vector_does_not_depend_on_concurrent_calls(self, embedder: Embedder) -> None:
        """Calls that run side by side do not disturb one another."""
        expected = await embedder.embed(TEXTS, "passage")
        found: dict[int, Vectors] = {}

        async def embed_rotated(shift: int) -> None:
            rows = await embedder.embed([*TEXTS[shift:], *TEXTS[:shift]], "passage")
            found[shift] = np.roll(rows, shift, axis=0)

        async with anyio.create_task_group() as group:
            for shift in range(len(TEXTS)):
                group.start_soon(embed_rotated, shift)
        assert {rows.tobytes() for rows in found.values()} == {expected.tobytes()}

    async def test_different_texts_get_different_vectors(self, embedder: Embedder) -> None:
        """The order of the rows is that of the texts, and no two are alike."""
        rows = await embedder.embed(TEXTS, "passage")
        assert len({row.tobytes() for row in rows}) == len(TEXTS)

    @pytest.mark.parametrize("role", ["query", "passage"])
    async def test_odd_texts_get_valid_vectors(self, embedder: Embedder, role: Role) -> None:
        """Blank, broken and unreadable texts are embedded all the same."""
        rows = await embedder.embed(ODD_TEXTS, role)
        assert len(rows) == len(ODD_TEXTS)
        _assert_unit(rows)

    async def test_a_very_long_text_gets_a_valid_vector(self, embedder: Embedder) -> None:
        """There is no length at which it breaks."""
        _assert_unit(await embedder.embed([self.long_text], "passage"))

    async def test_a_text_is_closest_to_itself(self, embedder: Embedder) -> None:
        """A query finds the passage with the same words."""
        passages = await embedder.embed(TEXTS, "passage")
        queries = await embedder.embed(TEXTS, "query")
        assert (queries @ passages.T).argmax(axis=1).tolist() == list(range(len(TEXTS)))


def _assert_unit(rows: Vectors) -> None:
    assert np.isfinite(rows).all()
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert (np.ptp(rows, axis=1) > 0).all()
