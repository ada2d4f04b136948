"""Rules that change in the file hold at the next query, also while another process writes to the index."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import anyio
import pytest

from citewell.config import load_config
from citewell.core.access import Principal
from citewell.core.requests import SearchRequest, SyncRequest
from citewell.service import KnowledgeService
from citewell.wiring import build_policy, build_service, local_principal

pytestmark = pytest.mark.anyio

CONFIGURATION = """\
store: embedded:./.citewell
embedder: "hash:"
collections: {docs: {}}
sources:
  - {name: handbook, from: "folder:./docs", collection: docs}
access:
  default: [staff]
  users: {local: [staff]}
"""
CLOSED = CONFIGURATION.replace("default: [staff]", "default: [staff]\n  rules: [{paths: 'plan.md', groups: [board]}]")
BOTH = {"plan.md", "open.md"}

SYNC = """
import sys, anyio
from pathlib import Path
from citewell.config import load_config
from citewell.core.requests import SyncRequest
from citewell.wiring import build_service, local_principal

def wait(progress):
    if progress.stage == sys.argv[2]:
        print("waiting", flush=True)
        sys.stdin.readline()

async def main():
    config = load_config(Path(sys.argv[1]))
    service = build_service(config)
    await service.sync(local_principal(config, "cli"), SyncRequest(), wait)
    await service.close()
anyio.run(main)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "plan.md").write_text("# Plan\n\nThe zephyr merger is planned for May.\n")
    (tmp_path / "docs" / "open.md").write_text("# Open\n\nThe zephyr is a wind.\n")
    file = tmp_path / "citewell.yaml"
    file.write_text(CONFIGURATION)
    return file


def edit(file: Path, text: str) -> None:
    file.write_text(text)


@asynccontextmanager
async def serving(file: Path) -> AsyncIterator[tuple[KnowledgeService, Principal]]:
    config = load_config(file)
    service = build_service(config)
    yield service, local_principal(config, "test", build_policy(config))
    await service.close()


@contextmanager
def syncing(file: Path, stage: str) -> Iterator[subprocess.Popen[str]]:
    """Run a sync in another process that stops at every step of ``stage`` until it is sent a line."""
    command = [sys.executable, "-c", SYNC, str(file), stage]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        try:
            yield child
        finally:
            child.kill()


def goes_on(child: subprocess.Popen[str]) -> None:
    assert child.stdin is not None
    child.stdin.write("\n")
    child.stdin.flush()


def stands(child: subprocess.Popen[str]) -> None:
    assert child.stdout is not None
    assert child.stdout.readline() == "waiting\n"


async def found(service: KnowledgeService, who: Principal) -> set[str]:
    result = await service.search(who, SearchRequest(query="zephyr", mode="bm25"))
    return {hit.stored.info.path for hit in result.hits}


async def test_an_edited_file_acts_at_the_next_query_of_a_running_service(file: Path) -> None:
    async with serving(file) as (service, who):
        await service.sync(local_principal(load_config(file), "cli"), SyncRequest(), lambda _: None)
        for text, paths in (
            (CONFIGURATION, BOTH),
            (CLOSED, {"open.md"}),
            (CONFIGURATION, BOTH),
        ):
            edit(file, text)
            assert await found(service, who) == paths


@pytest.mark.parametrize("stage", ["indexing", "embedding"])
async def test_a_query_waits_until_a_sync_of_another_process_has_noticed_other_rules(file: Path, stage: str) -> None:
    with syncing(file, stage) as child:
        await anyio.to_thread.run_sync(stands, child)
        async with serving(file) as (service, who):
            assert await found(service, who) == BOTH
            edit(file, CLOSED)
            answers: list[set[str]] = []

            async def ask() -> None:
                answers.append(await found(service, who))

            async with anyio.create_task_group() as tasks:
                tasks.start_soon(ask)
                await anyio.sleep(0.3)
                assert answers == []
                goes_on(child)
            assert answers == [{"open.md"}]


async def test_two_services_that_follow_the_same_change_do_not_hinder_each_other(file: Path) -> None:
    async with serving(file) as (one, who), serving(file) as (other, _):
        await one.sync(local_principal(load_config(file), "cli"), SyncRequest(), lambda _: None)
        for text, paths in ((CLOSED, {"open.md"}), (CONFIGURATION, BOTH)):
            edit(file, text)
            assert await found(one, who) == await found(other, who) == paths
