from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {"numpy", "faiss", "mcp", "onnxruntime", "tokenizers", "starlette", "httpx2", "sqlite3"}


@pytest.mark.parametrize("arguments", [["--help"], ["search", "--help"], ["version"]])
def test_what_needs_no_engine_loads_none(arguments: list[str]) -> None:
    script = (
        "import sys\n"
        "from citewell.cli.app import run\n"
        f"status = run({arguments!r})\n"
        f"print(sorted({HEAVY!r} & set(sys.modules)), status, file=sys.stderr)\n"
    )

    process = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert process.stderr == "[] 0\n"


def test_the_registry_and_the_configuration_load_no_adapter() -> None:
    script = "import sys, citewell.config, citewell.registry; print([m for m in sys.modules if 'citewell.adapters' in m])"

    process = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert process.stdout == "[]\n"
