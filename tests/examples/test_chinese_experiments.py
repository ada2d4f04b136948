"""The experiments of ``examples/chinese``: run again in short, and held against what is recorded."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from running import EXAMPLES, environment

pytestmark = [pytest.mark.models, pytest.mark.xdist_group("chinese"), pytest.mark.timeout(300)]

EXPERIMENTS = EXAMPLES / "chinese" / "experiments"
NUMBERS = ("exp-000", "exp-001", "exp-002", "exp-003")
WRITE_AGAIN = """
import sys
sys.path.insert(0, sys.argv[1])
from leaderboard import leaderboard, read_results
from run import load_questions
sys.stdout.reconfigure(encoding="utf-8")
sys.stdout.write(leaderboard(read_results(), load_questions()))
"""


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", env=environment(None), timeout=280, check=False)


def recorded(number: str) -> list[dict[str, object]]:
    (path,) = (EXPERIMENTS / "results").glob(f"{number}-*.json")
    return list(json.loads(path.read_text(encoding="utf-8"))["questions"])


def test_the_first_questions_are_answered_as_recorded() -> None:
    done = python(str(EXPERIMENTS / "run.py"), "--check", "5")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[:4] == [f"{number}: 5 questions, 0 differ from what is recorded" for number in NUMBERS]


def test_an_answer_that_is_another_now_is_named() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from leaderboard import differences; "
        "old = {'name': 'exp-009', 'questions': [{'id': 'q01', 'found': ['a', 'b'], 'score': 0.5}]}; "
        "new = {'name': 'exp-009', 'questions': [{'id': 'q01', 'found': ['b', 'a'], 'score': 0.5}]}; "
        "print(len(differences(old, old)), len(differences(new, old)))"
    )
    assert python("-c", code, str(EXPERIMENTS)).stdout.split() == ["0", "1"]


def test_the_leaderboard_says_what_the_results_say() -> None:
    done = python("-c", WRITE_AGAIN, str(EXPERIMENTS))
    assert done.returncode == 0, done.stderr
    assert done.stdout == (EXPERIMENTS / "results" / "leaderboard.md").read_text(encoding="utf-8")


def test_every_experiment_has_a_decision_on_the_leaderboard() -> None:
    rows = [line for line in (EXPERIMENTS / "results" / "leaderboard.md").read_text("utf-8").splitlines() if "| exp-" in line]
    assert [row.split()[1] for row in rows] == list(NUMBERS)
    assert all(("**keep**" in row) != ("**roll back**" in row) for row in rows)


@pytest.mark.parametrize("number", NUMBERS)
def test_every_question_is_recorded_in_every_experiment(number: str) -> None:
    assert len(recorded(number)) == 48
