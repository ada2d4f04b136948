"""The documentation assistant over a Milvus that is started here, with the example's documents or with others."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from running import citewell, copied
from running_engines import running

ENGINES = ("milvus-2.5", "milvus")


@dataclass(frozen=True, slots=True)
class Assistant:
    """A configuration, and the environment that says which Milvus it is for."""

    config: Path
    env: dict[str, str]


@contextmanager
def founded(folder: Path, docs: Path | None = None) -> Iterator[Assistant]:
    """Yield the example in ``folder``, synchronised, with ``docs`` in the place of its own pages where they are given."""
    with ExitStack() as stack:
        env = {"CITEWELL_STORE": f"milvus:{_engine(stack)}?prefix=k{uuid.uuid4().hex[:8]}_&timeout=30"}
        config = copied("kubeflow", folder)
        if docs is not None:
            config.write_text(config.read_text(encoding="utf-8").replace("folder:./docs", f"folder:{docs}"), encoding="utf-8")
        report = citewell(config, "sync", env=env)
        assert report.returncode == 0, report.stdout + report.stderr
        yield Assistant(config, env)


def _engine(stack: ExitStack) -> str:
    for name in ENGINES[:-1]:
        with suppress(pytest.skip.Exception):
            return stack.enter_context(running(name))
    return stack.enter_context(running(ENGINES[-1]))
