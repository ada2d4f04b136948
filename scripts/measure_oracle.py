"""Whether time tells a hidden document from a missing one: interleaved trials, and two tests of the difference."""

from __future__ import annotations

import argparse
import gc
import math
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import httpx2
import numpy as np

from citewell.config import Config, load_config
from citewell.config.place import Place
from citewell.core.access import LOCAL_USER, Principal
from citewell.core.errors import DocumentNotFound
from citewell.core.requests import ReadRequest, SyncRequest
from citewell.service import KnowledgeService
from citewell.surfaces.auth.callers import Callers
from citewell.surfaces.mcp.http import http_app
from citewell.surfaces.mcp.server import ServerInfo
from citewell.wiring import build_service, local_principal

CONFIGURATION = """\
store: embedded:./index
embedder: "hash:"
collections: {docs: {}}
sources: [{name: papers, from: "folder:./papers", collection: docs}]
access:
  rules: [{paths: "hidden/**", groups: [board]}]
  default: [everyone]
  users: {local: [everyone]}
audit: {path: null}
"""
DOCUMENTS = 2000
LEVEL = 0.01
Ask = Callable[[str], Awaitable[None]]


def write_papers(folder: Path) -> None:
    """Write as many hidden documents as visible ones, of the same length."""
    for kind in ("hidden", "open"):
        (folder / "papers" / kind).mkdir(parents=True)
        for number in range(DOCUMENTS):
            body = f"# Paper {number:05}\n\nThe paper of the {kind} kind, number {number}.\n" * 20
            (folder / "papers" / kind / f"{number:05}.md").write_text(body)
    (folder / "citewell.yaml").write_text(CONFIGURATION)


async def measure(ask: Ask, trials: int) -> tuple[list[float], list[float]]:
    """Return the microseconds of ``trials`` questions for hidden and for missing documents, in random order."""
    chance = random.Random(7)
    numbers = [chance.randrange(DOCUMENTS) for _ in range(trials)]
    # The names have the same length, and lie among one another in the index.
    names = [(kind, f"hidden/{number:05}.m{end}") for number in numbers for kind, end in (("hidden", "d"), ("missing", "x"))]
    for _, name in names[:400]:
        await ask(name)
    chance.shuffle(names)
    spent: dict[str, list[float]] = {"hidden": [], "missing": []}
    gc.disable()
    for kind, name in names:
        began = time.perf_counter_ns()
        await ask(name)
        spent[kind].append((time.perf_counter_ns() - began) / 1000)
    gc.enable()
    return spent["hidden"], spent["missing"]


def mann_whitney(first: list[float], second: list[float]) -> tuple[float, float]:
    """Return the chance that one of ``first`` exceeds one of ``second``, and the two-sided p that it is one half."""
    values = np.concatenate([first, second])
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[places]
    m, n = len(first), len(second)
    u = float(ranks[:m].sum()) - m * (m + 1) / 2
    z = (u - m * n / 2) / math.sqrt(m * n * (m + n + 1) / 12)
    return u / (m * n), math.erfc(abs(z) / math.sqrt(2))


def kolmogorov_smirnov(first: list[float], second: list[float]) -> tuple[float, float]:
    """Return the largest distance between the two distributions, and its asymptotic p."""
    values = np.sort(np.concatenate([first, second]))
    below = [np.searchsorted(np.sort(sample), values, side="right") / len(sample) for sample in (first, second)]
    distance = float(np.abs(below[0] - below[1]).max())
    size = math.sqrt(len(first) * len(second) / (len(first) + len(second)))
    x = (size + 0.12 + 0.11 / size) * distance
    p = 2 * sum((-1) ** (k - 1) * math.exp(-2 * (k * x) ** 2) for k in range(1, 101))
    return distance, min(max(p, 0.0), 1.0) if x > 0.2 else 1.0


def judge(name: str, hidden: list[float], missing: list[float]) -> bool:
    """Print the figures of one way to ask; say whether the two could not be told apart."""
    chance, p = mann_whitney(hidden, missing)
    distance, q = kolmogorov_smirnov(hidden, missing)
    print(
        f"{name:<8} {len(hidden)} + {len(missing)} trials   median hidden {np.median(hidden):8.1f} us"
        f"   missing {np.median(missing):8.1f} us   P(hidden > missing) {chance:.3f}, Mann-Whitney p = {p:.3f}"
        f"   KS D = {distance:.3f}, p = {q:.3f}"
    )
    return min(p, q) >= LEVEL


def through_service(service: KnowledgeService, principal: Principal) -> Ask:
    """Return the question as the service is asked."""

    async def ask(name: str) -> None:
        try:
            await service.read(principal, ReadRequest(id=name))
        except DocumentNotFound:
            return
        raise AssertionError(f"{name} was found")

    return ask


def through_http(client: httpx2.AsyncClient) -> Ask:
    """Return the question as the reader of documents is asked."""

    async def ask(name: str) -> None:
        response = await client.get(f"/documents/{name}")
        assert response.status_code == 404, response.text

    return ask


async def run(config: Config, trials: int) -> bool:
    """Measure both ways; say whether neither gave anything away."""
    service = build_service(config)
    principal = local_principal(config, "measurement")
    assert principal.id == LOCAL_USER
    await service.sync(principal, SyncRequest(), lambda _: None)

    async def lend() -> KnowledgeService:
        return service

    callers = Callers(authenticator=None, unnamed=lambda: principal)
    app = http_app(lend, callers, (), ServerInfo(), Place(host="127.0.0.1", port=8080))
    async with app.router.lifespan_context(app):
        unheard = judge("service", *await measure(through_service(service, principal), trials))
        transport = httpx2.ASGITransport(app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8080") as client:
            return judge("HTTP", *await measure(through_http(client), trials)) and unheard


def main() -> int:
    """Print the figures; fail where time told the two apart."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=2000, help="of each kind")
    with tempfile.TemporaryDirectory() as scratch:
        write_papers(Path(scratch))
        silent = anyio.run(run, load_config(Path(scratch) / "citewell.yaml", {}), parser.parse_args().trials)
    print(f"Time {'does not tell' if silent else 'TELLS'} the two apart at p < {LEVEL}.")
    return 0 if silent else 1


if __name__ == "__main__":
    sys.exit(main())
