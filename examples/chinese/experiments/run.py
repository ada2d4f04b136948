"""Runs the experiments over ../texts and writes their results and the leaderboard; it calls the library, not a server.

python examples/chinese/experiments/run.py                # all of them
python examples/chinese/experiments/run.py exp-003        # one again; the others stand as they were recorded
python examples/chinese/experiments/run.py --check 6      # six questions of each, compared with what is recorded
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import anyio
import yaml
from leaderboard import RESULTS, differences, read_results, write_leaderboard

from citewell.config import Config, load_config
from citewell.core.requests import SearchRequest, SearchResult, SyncRequest
from citewell.wiring import build_service, local_principal

HERE = Path(__file__).parent
CONFIG = HERE.parent / "citewell.yaml"
TEXTS = HERE.parent / "texts"
JUDGED = 10
SHOWN = 5
"""Passages that a model would be given: the default of kb_search."""

Record = dict[str, Any]


def load_questions(path: Path = HERE / "questions.yaml") -> list[Record]:
    """Return the questions with the ids of the documents that answer them."""
    return list(yaml.safe_load(path.read_text(encoding="utf-8")))


def load_experiments() -> dict[str, Record]:
    """Return the experiments by their number, as in ``exp-001``."""
    paths = sorted(HERE.glob("exp-*.yaml"))
    return {path.stem[:7]: {"name": path.stem, **yaml.safe_load(path.read_text(encoding="utf-8"))} for path in paths}


def read_everything(experiment: Record, questions: Sequence[Record], texts: Path = TEXTS) -> list[Record]:
    """Answer every question with the same documents: all, in the order of their names, up to the size of the context."""
    room, found = int(experiment["context_chars"]), []
    for path in sorted(texts.glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        if len(text) > room:
            break
        room -= len(text)
        found.append(path.stem)
    used = int(experiment["context_chars"]) - room
    return [{"id": question["id"], "found": found, "shown": found, "context": used} for question in questions]


async def search_all(config: Config, questions: Sequence[Record]) -> list[Record]:
    """Ask every question once of the service that ``config`` describes, after one that loads the models."""
    service = build_service(config)
    principal = local_principal(config, "experiment")
    try:
        await service.sync(principal, SyncRequest(), lambda progress: None)
        await service.search(principal, SearchRequest(query="预热"))
        return [_record(question, *await _timed(service.search, principal, question)) for question in questions]
    finally:
        await service.close()


async def _timed(search: Any, principal: Any, question: Record) -> tuple[SearchResult, float]:
    began = time.perf_counter()
    result = await search(principal, SearchRequest(query=question["question"], k=JUDGED))
    return result, (time.perf_counter() - began) * 1000


def _record(question: Record, result: SearchResult, milliseconds: float) -> Record:
    documents = [hit.stored.info.id for hit in result.hits]
    return {
        "id": question["id"],
        "found": list(dict.fromkeys(documents)),
        "shown": list(dict.fromkeys(documents[:SHOWN])),
        "context": sum(len(hit.stored.chunk.text) for hit in result.hits[:SHOWN]),
        "score": result.hits[0].score if result.hits else 0.0,
        "milliseconds": round(milliseconds, 1),
    }


def configured(experiment: Record, folder: Path) -> Config:
    """Return the example's configuration as ``experiment`` changes it, its index in ``folder``; nothing is refused here."""
    settings: Mapping[str, str] = experiment.get("settings", {})
    return load_config(
        CONFIG, {"store": f"embedded:{folder}", "audit.path": "null", "retrieval.threshold": "null", **settings}
    )


def run_experiment(experiment: Record, questions: Sequence[Record]) -> Record:
    """Return what ``experiment`` found, fit to be recorded."""
    about = {"name": experiment["name"], "title": experiment["title"], "settings": experiment.get("settings", {})}
    if "context_chars" in experiment:
        return {**about, "questions": read_everything(experiment, questions)}
    with tempfile.TemporaryDirectory() as folder:
        config = configured(experiment, Path(folder))
        return {**about, "questions": anyio.run(search_all, config, questions)}


def write_all(chosen: Sequence[str]) -> int:
    """Run the experiments ``chosen``, or all, and write the leaderboard of everything that is recorded."""
    questions, experiments = load_questions(), load_experiments()
    RESULTS.mkdir(exist_ok=True)
    for number in chosen or experiments:
        record = run_experiment(experiments[number], questions)
        lines = ",\n".join("  " + json.dumps(answer, ensure_ascii=False) for answer in record.pop("questions"))
        head = json.dumps(record, ensure_ascii=False)[:-1]
        (RESULTS / f"{record['name']}.json").write_text(f'{head}, "questions": [\n{lines}\n]}}\n', encoding="utf-8")
        print(f"{number}: {record['title']}")
    print(write_leaderboard(read_results(), questions))
    return 0


def check_some(chosen: Sequence[str], count: int) -> int:
    """Ask the first ``count`` questions of the experiments ``chosen``, or of all; return 1 where an answer is another now."""
    questions, experiments = load_questions()[:count], load_experiments()
    recorded = {record["name"][:7]: record for record in read_results()}
    found: list[str] = []
    for number in chosen or experiments:
        differing = differences(run_experiment(experiments[number], questions), recorded[number])
        print(f"{number}: {count} questions, {len(differing)} differ from what is recorded")
        found += differing
    print(*found, sep="\n")
    return int(bool(found))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("experiments", nargs="*", metavar="exp-NNN")
    parser.add_argument("--check", type=int, metavar="QUESTIONS")
    given = parser.parse_args()
    done = write_all(given.experiments) if given.check is None else check_some(given.experiments, given.check)
    raise SystemExit(done)
