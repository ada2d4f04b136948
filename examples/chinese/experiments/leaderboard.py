"""What the recorded results say: measures, and whether each experiment is kept or rolled back, and why."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"
CERTAIN = 0.05
"""An experiment is kept where chance alone would show such a gain less often than this: one-sided sign test."""

THRESHOLDS = (0.1, 0.15, 0.2, 0.3)
SAME_SCORE = 0.02
"""How far a score may be from the one on record: kernels of other processors add in another order."""

Record = dict[str, Any]

PAGE = """\
# Leaderboard

{answerable} questions with an answer and {others} without one, over the texts of this example. Written by
[run.py](../run.py) from the results beside it.

| experiment | right one shown | Hit@1 | Hit@3 | Hit@5 | MRR@10 | characters shown | p50 ms | decision | reason |
|---|---|---|---|---|---|---|---|---|---|
{rows}

What `retrieval.threshold` would refuse of {name}, the last that was kept:

| threshold | questions without an answer | questions with one | of these, with the right document first |
|---|---|---|---|
{refusals}

**How far this carries.** One question more or less is 0.025 of a hit rate, the texts and the questions were written by the
same hand, and whoever changes a setting until this page looks better has tuned to it. It can tell large differences apart,
which is what its decisions are about; a difference of two or three questions says nothing. An experiment is kept where its
gain would come about by chance less often than once in twenty (sign test over the questions that changed). The decisions hold
for the bundled model: bge-small-zh-v1.5 was trained with the instruction of exp-002, and has to be measured again.

Shown is what a model would be given: the five best passages, or the whole context. For the baseline, a rank is the place in
the order of names, which does not depend on the question. Milliseconds are those of the machine that ran it, a loaded one
with two cores; they include embedding the question.
"""


@dataclass(frozen=True, slots=True)
class Measures:
    """One experiment in numbers.

    ``ranks`` are the reciprocal ranks of the first right document, by question; of those that have an answer.
    """

    ranks: Mapping[str, float]
    shown: float
    context: float
    milliseconds: float | None

    def hit(self, k: int) -> float:
        """Return the share of answerable questions with a right document among the first ``k``."""
        return statistics.fmean(rank >= 1 / k for rank in self.ranks.values())

    @property
    def mrr(self) -> float:
        """The mean reciprocal rank of the first right document among ten."""
        return statistics.fmean(self.ranks.values())


def read_results(folder: Path = RESULTS) -> list[Record]:
    """Return what is recorded, in the order of the experiments."""
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("exp-*.json"))]


def measure(record: Record, questions: Sequence[Record]) -> Measures:
    """Return the measures of ``record``."""
    answers = {answer["id"]: answer for answer in record["questions"]}
    answerable = [question for question in questions if question["gold"]]
    times = [answer["milliseconds"] for answer in record["questions"] if "milliseconds" in answer]
    return Measures(
        ranks={question["id"]: _reciprocal(answers[question["id"]]["found"], question["gold"]) for question in answerable},
        shown=statistics.fmean(bool(set(answers[one["id"]]["shown"]) & set(one["gold"])) for one in answerable),
        context=statistics.fmean(answer["context"] for answer in record["questions"]),
        milliseconds=statistics.median(times) if times else None,
    )


def _reciprocal(found: Sequence[str], gold: Sequence[str]) -> float:
    return next((1 / place for place, name in enumerate(found[:10], start=1) if name in gold), 0.0)


def differences(now: Record, recorded: Record) -> list[str]:
    """Return in words where the first document of ``now`` is another, or its score, than ``recorded``."""
    before = {answer["id"]: answer for answer in recorded["questions"]}
    return [
        f"{now['name']} {answer['id']}: {answer['found'][:1]} {answer.get('score')}, recorded: "
        f"{before[answer['id']]['found'][:1]} {before[answer['id']].get('score')}"
        for answer in now["questions"]
        if answer["found"][:1] != before[answer["id"]]["found"][:1]
        or abs(answer.get("score", 0.0) - before[answer["id"]].get("score", 0.0)) > SAME_SCORE
    ]


def decide(measures: Measures, best: Measures | None, name: str) -> tuple[bool, str]:
    """Return whether to keep an experiment, and the reason, from its differences to ``best``, which is called ``name``."""
    if best is None:
        return True, "the baseline that the others have to beat"
    changes = [measures.ranks[question] - best.ranks[question] for question in best.ranks]
    better, worse = sum(change > 0 for change in changes), sum(change < 0 for change in changes)
    chance = _sign_test(better, worse)
    gain = measures.mrr - best.mrr
    kept = gain > 0 and chance < CERTAIN
    against = f"against {name}: MRR@10 {gain:+.3f}, {better} questions better, {worse} worse"
    return kept, f"{against} (chance {chance:.2g})"


def _sign_test(better: int, worse: int) -> float:
    """Return how likely chance alone gives as many improvements among as many changes."""
    changed = better + worse
    return sum(math.comb(changed, count) for count in range(better, changed + 1)) / 2**changed


def leaderboard(records: Sequence[Record], questions: Sequence[Record]) -> str:
    """Return the page for ``records``."""
    rows, best, name, last = [], None, "", records[0]
    for record in records:
        measures = measure(record, questions)
        kept, reason = decide(measures, best, name)
        rows.append(_row(record, measures, "keep" if kept else "roll back", reason))
        if kept:
            best, name, last = measures, record["name"][:7], record
    answerable = sum(bool(question["gold"]) for question in questions)
    counts = {"answerable": answerable, "others": len(questions) - answerable}
    return PAGE.format(rows="\n".join(rows), refusals=_refusals(last, questions), name=name, **counts)


def _row(record: Record, measures: Measures, decision: str, reason: str) -> str:
    took = "–" if measures.milliseconds is None else f"{measures.milliseconds:.0f}"
    numbers = [measures.shown, *(measures.hit(k) for k in (1, 3, 5)), measures.mrr]
    cells = [f"{record['name'][:7]} {record['title']}", *(f"{number:.3f}" for number in numbers)]
    return f"| {' | '.join([*cells, f'{measures.context:.0f}', took, f'**{decision}**', reason])} |"


def _refusals(record: Record, questions: Sequence[Record]) -> str:
    """Return a row for each threshold: what it would refuse of the last experiment that was kept."""
    answers = {answer["id"]: answer for answer in record["questions"]}
    others = [answers[one["id"]].get("score", 0.0) for one in questions if not one["gold"]]
    asked = [(answers[one["id"]], one["gold"]) for one in questions if one["gold"]]
    rows = []
    for threshold in THRESHOLDS:
        lost = [answer["found"][0] in gold for answer, gold in asked if answer.get("score", 0.0) < threshold]
        declined = sum(score < threshold for score in others)
        rows.append(f"| {threshold} | {declined} of {len(others)} | {len(lost)} of {len(asked)} | {sum(lost)} |")
    return "\n".join(rows)


def write_leaderboard(records: Sequence[Record], questions: Sequence[Record]) -> Path:
    """Write the page for ``records`` and return where it is."""
    page = RESULTS / "leaderboard.md"
    page.write_text(leaderboard(records, questions), encoding="utf-8")
    return page
