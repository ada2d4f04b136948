"""The conformance suite of ``Authenticator``."""

from __future__ import annotations

import pytest

from citewell.core.errors import Unauthenticated
from citewell.core.ports import Authenticator

WORTHLESS = ("", "x", "null", "cw_", "a.b.c", "Bearer x", "\u0000", "cw_abcdefgh_" + "A" * 43, "é" * 100, "x" * 100_000)


@pytest.mark.anyio
class AuthenticatorSuite:
    """Subclass it and lend the fixtures ``authenticator`` and ``credential``: a good one, of the user ``ada``."""

    async def test_a_good_credential_names_its_holder(self, authenticator: Authenticator, credential: str) -> None:
        """The surface is the one that asks."""
        principal = await authenticator.authenticate(credential, via="here")
        assert (principal.id, principal.via) == ("ada", "here")
        assert {"public", "user:ada"} <= principal.tokens

    @pytest.mark.parametrize("worthless", WORTHLESS, ids=range(len(WORTHLESS)))
    async def test_a_worthless_credential_is_refused(self, authenticator: Authenticator, worthless: str) -> None:
        """Whatever it is."""
        with pytest.raises(Unauthenticated):
            await authenticator.authenticate(worthless, via="here")

    async def test_every_refusal_says_the_same(self, authenticator: Authenticator, credential: str) -> None:
        """Nobody learns how near he was."""
        said = set()
        for shown in (*WORTHLESS, credential[:-1], credential + "x", credential.swapcase()):
            with pytest.raises(Unauthenticated) as refusal:
                await authenticator.authenticate(shown, via="here")
            said.add(refusal.value.message)
        assert len(said) == 1
