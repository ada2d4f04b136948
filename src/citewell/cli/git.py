"""The little that the command line itself asks of Git."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

PATIENCE_SECONDS = 10


def git_version() -> str:
    """Return the version of Git on this machine, empty where there is none."""
    return _ask_git("--version").removeprefix("git version ")


def has_commit(folder: Path) -> bool:
    """Say whether ``folder`` is the root of a Git repository that has a commit."""
    return (folder / ".git").exists() and bool(_ask_git("-C", str(folder), "rev-parse", "--quiet", "--verify", "HEAD"))


def _ask_git(*arguments: str) -> str:
    """Return what Git prints, empty where it fails or is absent."""
    program = shutil.which("git")
    if program is None:
        return ""
    try:
        run = subprocess.run(  # noqa: S603
            [program, *arguments], capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return run.stdout.strip() if run.returncode == 0 else ""
