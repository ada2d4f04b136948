"""The language model where there is no room to unpack it."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

NO_ROOM = """
    import resource, signal
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    from citewell.core.errors import StoreFull
    from citewell.text.language import detect_language
    from citewell.text.terms import query_terms
"""


def run_without_room(code: str) -> str:
    program = textwrap.dedent(NO_ROOM) + textwrap.dedent(code)
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of files")
def test_a_document_whose_language_cannot_be_told_for_want_of_room_is_a_clear_error() -> None:
    code = """
    try:
        detect_language("connection pool limits")
    except StoreFull as error:
        print(error.code, error.message)
    """
    assert run_without_room(code).startswith("STORE_FULL The language model unpacks into the temporary folder")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of files")
def test_a_query_is_understood_without_room_for_the_language_model() -> None:
    assert "pool" in run_without_room("print(*query_terms('connection pool limits').weights)").split()
