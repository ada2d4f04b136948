"""How fast a folder is indexed, and what one search through the service costs beside its two legs.

    python scripts/bench_indexing.py --files 10000 --json indexing.json

Everything runs through the service, with a real folder and an embedded store on this machine's disk. The Markdown files are
made up of this repository's own words, one to three kilobytes each; the part with the real model reads this repository's own
documentation and code. CPU time counts all threads of the process; beside wall time, it tells how busy the machine was.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

import anyio
import numpy as np

from citewell import wiring
from citewell.config.model import Config
from citewell.core.requests import Mode, SearchRequest, SyncReport, SyncRequest
from citewell.trace import start_trace

ROOT = Path(__file__).resolve().parents[1]
FILES_PER_FOLDER = 50
RENAMED = 10
"""Folders below the one that is renamed: five hundred files."""
CHANGED = 10
K = 8
WARM_UP = 5
MODES: tuple[Mode, ...] = ("bm25", "dense")
REAL_TEXTS = ("README.md", "docs/**/*.md", "src/citewell/core/**/*.py", "src/citewell/ingest/*.py")


@dataclass
class Clock:
    """CPU seconds of the process while each method of a part was running. Meant for calls that follow one another."""

    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))

    @contextmanager
    def running(self, name: str) -> Iterator[None]:
        began = time.process_time()
        try:
            yield
        finally:
            self.seconds[name] += time.process_time() - began

    def timed(self, opener: Callable[..., Any]) -> Callable[..., Any]:
        """Return ``opener`` with every method of what it opens timed."""
        return lambda *args, **kwargs: TimedPart(opener(*args, **kwargs), self)


class TimedPart:
    """A store, source or embedder whose methods are timed by a clock."""

    def __init__(self, part: Any, clock: Clock) -> None:
        self._part, self._clock = part, clock

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._part, name)
        if name == "snapshot":
            return lambda: self._call(name, found)
        if name == "read":
            return lambda files: self._iterate(name, found(files))
        return (lambda *a, **k: self._await(name, found, a, k)) if callable(found) else found

    def _call(self, name: str, method: Callable[..., Any]) -> Any:
        with self._clock.running(name):
            return method()

    def _iterate(self, name: str, items: Iterator[Any]) -> Iterator[Any]:
        nothing = object()
        while True:
            with self._clock.running(name):
                item = next(items, nothing)
            if item is nothing:
                return
            yield item

    async def _await(self, name: str, method: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        with self._clock.running(name):
            return await method(*args, **kwargs)


class House:
    """A configured service whose parts are timed, and the local user who asks it."""

    def __init__(self, folder: Path, store: Path, embedder: str, include: tuple[str, ...] = ()) -> None:
        self.clock = Clock()
        source = {"name": "files", "from": f"folder:{folder}", "collection": "docs", "include": include}
        config = Config.model_validate(
            {"store": f"embedded:{store}", "embedder": embedder, "collections": {"docs": {}}, "sources": [source]}
        )
        openers = {name: self.clock.timed(getattr(wiring, name)) for name in ("open_store", "open_embedder", "open_source")}
        with patch.multiple(wiring, **openers):
            self.service = wiring.build_service(config)
        self.user = wiring.local_principal(config, "bench")

    async def sync(self, *, embed: bool = True) -> dict[str, Any]:
        """Bring the store up to date; return what that was and what it took. ``other`` is mostly decoding and cutting."""
        self.clock.seconds.clear()
        wall, cpu = time.perf_counter(), time.process_time()
        report = await self.service.sync(self.user, SyncRequest(embed=embed), lambda progress: None)
        took = {"wall_s": time.perf_counter() - wall, "cpu_s": time.process_time() - cpu}
        assert report.complete, report
        rest = {"other": took["cpu_s"] - sum(self.clock.seconds.values())}
        return took | count(report) | {"stages": dict(self.clock.seconds) | rest}


def count(report: SyncReport) -> dict[str, int]:
    outcomes = Counter(entry.outcome for entry in report.sources[0].entries)
    return {"read": outcomes["indexed"], "removed": report.sources[0].removed, "embedded": report.embedded}


class Writer:
    """Writes Markdown of words that are as common, by Zipf's law, as they are in this repository."""

    def __init__(self) -> None:
        self.dice = random.Random(7)
        text = " ".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "src").rglob("*.py")))
        words = [word for word, _ in Counter(re.findall(r"[a-z]{2,}", text.lower())).most_common(5_000)]
        self.words = ["the", "of", "a", "is", "and", "to", "in", "that", *words]
        self.weights = np.cumsum([1 / rank for rank in range(2, len(self.words) + 2)]).tolist()

    def sentence(self) -> str:
        words = self.dice.choices(self.words, cum_weights=self.weights, k=self.dice.randint(7, 18))
        return f"{' '.join(words)}.".capitalize()

    def heading(self) -> str:
        return " ".join(self.dice.choices(self.words[40:], k=self.dice.randint(2, 4))).capitalize()

    def paragraph(self) -> str:
        return " ".join(self.sentence() for _ in range(self.dice.randint(2, 4)))

    def document(self) -> str:
        """Return one to three kilobytes: a title, and sections with paragraphs, lists and code."""
        parts = [f"# {self.heading()}", self.paragraph()]
        for _ in range(self.dice.randint(2, 4)):
            items = "\n".join(f"- {self.sentence()}" for _ in range(2))
            code = f"```sh\n{self.dice.choice(self.words)} --{self.dice.choice(self.words)} {self.dice.randint(1, 999)}\n```"
            parts += [f"## {self.heading()}", self.paragraph(), self.dice.choice((items, code, self.paragraph()))]
        return "\n\n".join(parts) + "\n"


def write_files(folder: Path, writer: Writer, files: int) -> list[Path]:
    """Write ``files`` documents, fifty to a folder and ten folders to a part, and return their paths."""
    paths = []
    for number in range(files):
        place = number // FILES_PER_FOLDER
        path = folder / f"part-{place // RENAMED:02}" / f"chapter-{place % RENAMED:02}" / f"page-{number:05}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(writer.document(), encoding="utf-8")
        paths.append(path)
    return paths


async def measure_syncs(folder: Path, store: Path, writer: Writer, paths: list[Path]) -> dict[str, Any]:
    """Index the folder, and again after nothing, ten files and the name of a folder changed; each with a new service."""

    async def run() -> dict[str, Any]:
        house = House(folder, store, "hash:")
        took = await house.sync()
        wall, cpu = time.perf_counter(), time.process_time()
        await house.service.close()
        return took | {"close_wall_s": time.perf_counter() - wall, "close_cpu_s": time.process_time() - cpu}

    figures = {"first": await run(), "unchanged": await run()}
    for path in writer.dice.sample(paths, CHANGED):
        path.write_text(writer.document(), encoding="utf-8")
    figures["changed"] = await run()
    (folder / "part-00").rename(folder / "renamed")
    return figures | {"renamed": await run()}


def percentiles(values: list[float]) -> dict[str, float]:
    return {f"p{p}": float(np.percentile(values, p)) for p in (50, 95)}


async def measure_search(folder: Path, store: Path, queries: list[str]) -> dict[str, Any]:
    """Return milliseconds of a search: all of it, its stages, and what it costs beside the embedding and the two legs."""
    house = House(folder, store, "hash:")
    cpu: defaultdict[str, list[float]] = defaultdict(list)
    stages: defaultdict[str, list[float]] = defaultdict(list)
    for number, query in enumerate([*queries[:WARM_UP], *queries]):
        legs = await cost_of_legs(house, query)
        with start_trace() as trace:
            wall, began = time.perf_counter(), time.process_time()
            await house.service.search(house.user, SearchRequest(query=query, k=K))
            whole, waited = (time.process_time() - began) * 1e3, (time.perf_counter() - wall) * 1e3
        if number >= WARM_UP:
            for name, spent in {**legs, "whole": whole, "beside": whole - sum(legs.values())}.items():
                cpu[name].append(spent)
            for name, spent in [*trace.stages, ("whole", waited)]:
                stages[name].append(spent)
    await house.service.close()
    return {kind: {name: percentiles(s) for name, s in some.items()} for kind, some in {"cpu": cpu, "wall": stages}.items()}


async def cost_of_legs(house: House, query: str) -> dict[str, float]:
    """Return CPU milliseconds of the embedding and each leg, searched by that leg alone: together they run at once."""
    seconds: dict[str, float] = {}
    for mode in MODES:
        house.clock.seconds.clear()
        await house.service.search(house.user, SearchRequest(query=query, k=K, mode=mode))
        seconds |= {name: spent for name, spent in house.clock.seconds.items() if name in {"lexical", "embed", "dense"}}
    return {name: spent * 1e3 for name, spent in seconds.items()}


async def measure_model(store: Path) -> dict[str, Any]:
    """Index this repository's own texts with the default model: the text first, then its vectors."""
    house = House(ROOT, store, "bundled:", REAL_TEXTS)
    text = await house.sync(embed=False)
    chunks = sum(source.chunks for source in await house.service.sources(house.user))
    vectors = await house.sync()
    await house.service.close()
    whole, model = text["cpu_s"] + vectors["cpu_s"], vectors["stages"]["embed"]
    return {
        "files": text["read"],
        "chunks": chunks,
        "passages": vectors["embedded"],
        "text_cpu_s": text["cpu_s"],
        "embedding_wall_s": vectors["wall_s"],
        "cpu_s": whole,
        "outside_model": 1 - model / whole,
    }


async def bench(files: int, queries: int) -> dict[str, Any]:
    folder = Path(tempfile.mkdtemp(prefix="citewell-bench-"))
    writer = Writer()
    try:
        paths = write_files(folder / "files", writer, files)
        asked = [" ".join(writer.dice.choices(writer.words[40:], k=5)) for _ in range(queries)]
        return {
            "files": files,
            "load": os.getloadavg()[0],
            "syncs": await measure_syncs(folder / "files", folder / "store", writer, paths),
            "search": await measure_search(folder / "files", folder / "store", asked),
            "model": await measure_model(folder / "real"),
        }
    finally:
        shutil.rmtree(folder)


def report(figures: dict[str, Any]) -> str:
    model = figures["model"]
    lines = [f"\n{figures['files']:,} files with the hashing embedder (load {figures['load']:.1f} at the start)"]
    lines.append(
        f"{'sync':10} {'wall s':>7} {'cpu s':>7} {'read':>6} {'removed':>7} {'embedded':>8} {'close s':>7}  files/min"
    )
    for name, sync in figures["syncs"].items():
        times = f"{name:10} {sync['wall_s']:7.2f} {sync['cpu_s']:7.2f} {sync['read']:6} {sync['removed']:7}"
        lines.append(f"{times} {sync['embedded']:8} {sync['close_wall_s']:7.2f}  {sync['read'] / sync['wall_s'] * 60:,.0f}")
    for name, sync in figures["syncs"].items():
        shares = sorted(sync["stages"].items(), key=lambda item: -item[1])
        lines.append(f"{name}: " + ", ".join(f"{part} {spent:.2f}" for part, spent in shares[:7]) + " s of CPU")
    for kind, parts in figures["search"].items():
        times = ", ".join(f"{name} {spent['p50']:.1f}/{spent['p95']:.1f}" for name, spent in parts.items())
        lines.append(f"search, {kind} ms p50/p95: {times}")
    speed = model["passages"] / model["embedding_wall_s"]
    counts = f"{model['files']} files, {model['chunks']} chunks, {model['passages']} passages"
    lines.append(f"default model: {counts}, {model['outside_model']:.1%} of CPU outside the model")
    lines.append(f"  {speed:.1f} passages/s, {speed * model['chunks'] / model['passages']:.1f} chunks/s")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--queries", type=int, default=50)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    figures = anyio.run(bench, options.files, options.queries)
    print(report(figures))
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
