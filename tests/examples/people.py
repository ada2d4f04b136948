"""The company of ``examples/engineering``: its repository at a pinned commit, its people and their tokens."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from running import citewell, copied

PEOPLE = ("ada", "bo", "sue", "gus")
"""In backend, in finance, in platform and security, and nobody that the access file names."""


@dataclass(frozen=True)
class Company:
    """A configuration that is served at ``address``, from the commit ``head``, to whoever shows one of ``tokens``."""

    config: Path
    head: str
    tokens: dict[str, str]
    address: str = ""


def found_company(folder: Path) -> Company:
    """Copy the example, make its corpus a Git repository, synchronise, and give everybody a token."""
    config = copied("engineering", folder)
    corpus = config.parent / "corpus"
    git = ["git", "-C", str(corpus), "-c", "user.name=Test", "-c", "user.email=test@example.org"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "The corpus"]):
        subprocess.run([*git, *command], check=True)
    head = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    config.write_text(config.read_text().replace("folder:./corpus", f'"git:{corpus}#{head}"'))
    report = citewell(config, "sync")
    assert report.returncode == 0, report.stdout + report.stderr
    made = {user: citewell(config, "token", "create", "--user", user).stdout for user in PEOPLE}
    return Company(config, head, {user: re.findall(r"cw_\S+", told)[0] for user, told in made.items()})
