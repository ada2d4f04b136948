"""The platform around the retrieval service: engines behind gates, a gateway, and an index that a foreign script fills."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from gate import Gate, gated
from qdrant_stand_in import serving_qdrant
from running import EXAMPLES, copied
from running_engines import running

SECONDS = 3.0
"""How long an engine has for one question here."""


@dataclass(frozen=True, slots=True)
class Platform:
    """What the service stands between."""

    config: Path
    text: Gate
    vectors: Gate
    gateway: Gate
    env: dict[str, str]


def corpus() -> list[dict[str, Any]]:
    """Return the chunks that the foreign script writes."""
    return [json.loads(line) for line in (EXAMPLES / "atlas" / "corpus.jsonl").read_text(encoding="utf-8").splitlines()]


def first_of(stack: ExitStack, names: Sequence[str]) -> str:
    """Return the address of the first engine of ``names`` that can be had; skip the test where none can."""
    for name in names[:-1]:
        with suppress(pytest.skip.Exception):
            return stack.enter_context(running(name))
    return stack.enter_context(running(names[-1]))


@contextmanager
def founded(folder: Path, *names: str) -> Iterator[Platform]:
    """Yield the platform over the first engine of ``names``, its index filled, every part behind a gate."""
    with ExitStack() as stack:
        elastic, qdrant = first_of(stack, names), stack.enter_context(serving_qdrant())
        gateway = stack.enter_context(serving_gateway())
        fill(elastic, qdrant, gateway)
        stack.callback(drop, elastic)
        text, vectors, model = (stack.enter_context(gated(address)) for address in (elastic, qdrant, gateway))
        env = {
            "CITEWELL_STORE": f"elastic+qdrant:{text.address},{vectors.address}?timeout={SECONDS}",
            "CITEWELL_EMBEDDER": f"openai:{model.address}/v1#hashed-trigrams",
            "OPENAI_API_KEY": "a-key",
        }
        yield Platform(copied("atlas", folder), text, vectors, model, env)


@contextmanager
def serving_gateway() -> Iterator[str]:
    """Yield the address of the example's gateway, a process of its own."""
    command = [sys.executable, str(EXAMPLES / "atlas" / "gateway.py"), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as gateway:
        assert gateway.stdout
        try:
            yield gateway.stdout.readline().strip()
        finally:
            gateway.terminate()


def fill(elastic: str, qdrant: str, gateway: str) -> None:
    """Run the script that knows nothing of citewell."""
    places = ["--elastic", elastic, "--qdrant", qdrant, "--gateway", f"{gateway}/v1"]
    subprocess.run([sys.executable, str(EXAMPLES / "atlas" / "fill.py"), *places], check=True, capture_output=True)


def drop(elastic: str) -> None:
    """Take the index away: the engine may serve other tests."""
    urlopen(Request(f"{elastic}/doc_chunks", method="DELETE")).close()
