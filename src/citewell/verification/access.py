"""Whether anybody can be told what he may not read: asked of a scratch copy, as everybody, through every door."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import anyio

from citewell.config import Config
from citewell.core.access import RESERVED_USERS, Principal, Scope, may_read
from citewell.core.requests import SyncRequest
from citewell.verification.asking import RunCommand, Said, ask_agent, ask_command_line, ask_service
from citewell.verification.canaries import Canary, plant_canaries, word
from citewell.verification.doors import Doors, ask_reader
from citewell.verification.residue import kept_residue, search_residue
from citewell.verification.scratch import scratch_config, write_canaries
from citewell.verification.verdict import Leak, Verdict
from citewell.wiring import build_service, local_principal

READS: frozenset[Scope] = frozenset({"read"})


def verify_access(config: Config, run: RunCommand, *, each: int, tell: Callable[[str], None]) -> Verdict:
    """Plant ``each`` canaries a rule in a scratch copy of ``config``; ask for them as everybody, through every door.

    ``run`` runs the command line; ``tell`` is told who is asking. Raises ConfigurationError where there is no scratch copy.
    """
    with tempfile.TemporaryDirectory(prefix="citewell-verify-") as name:
        return _Verification(config, Path(name), each).run(run, tell)


@dataclass(slots=True)
class _Verification:
    config: Config
    folder: Path
    each: int

    def run(self, run: RunCommand, tell: Callable[[str], None]) -> Verdict:
        users = everybody(self.config)
        canaries = plant_canaries(self.config.policy(), self.each)
        verdict = Verdict()
        with kept_residue(self.folder):
            write_canaries(self.config, self.folder, canaries)
            scratch = scratch_config(self.config, self.folder, users, local=())
            anyio.run(self._ask_in_process, scratch, canaries, users, verdict, tell)
            indexed = [canary for canary in canaries if canary.path not in verdict.uncovered]
            for name in users:
                tell(f"{name}, on the command line")
                self._ask_command_line(name, users, indexed, verdict, run)
        verdict.leaks += search_residue(self.folder, canaries)
        return verdict

    async def _ask_in_process(
        self,
        scratch: Config,
        canaries: Sequence[Canary],
        users: dict[str, list[str]],
        verdict: Verdict,
        tell: Callable[[str], None],
    ) -> None:
        service = build_service(scratch)
        try:
            report = await service.sync(local_principal(scratch, "verify"), SyncRequest(), lambda _: None)
            indexed = {entry.path for source in report.sources for entry in source.entries if entry.outcome == "indexed"}
            verdict.uncovered += sorted(canary.path for canary in canaries if canary.path not in indexed)
            planted = [canary for canary in canaries if canary.path in indexed]
            verdict.canaries = len(planted)
            policy = scratch.policy()
            principals = [policy.principal(name, via="verify", scopes=READS) for name in users]
            principals.append(policy.anonymous(via="verify"))
            verdict.principals = tuple(principal.id for principal in principals)
            doors = Doors(scratch, service, principals)
            async with doors.serving():
                for principal in principals:
                    tell(principal.id)
                    judge = _Judge(verdict, principal, planted)
                    judge.hear("service", [said async for said in ask_service(service, principal, planted)])
                    async with doors.open_for(principal) as opened:
                        judge.hear("mcp", [said async for said in ask_agent(opened.agent, opened.tools, planted)])
                        judge.hear("http", [said async for said in ask_reader(opened.http, planted)])
        finally:
            await service.close()

    def _ask_command_line(
        self, name: str, users: dict[str, list[str]], canaries: Sequence[Canary], verdict: Verdict, run: RunCommand
    ) -> None:
        """Ask as the local user with the groups of ``name``: the command line knows nobody else."""
        groups = sorted(self.config.policy().groups(name, users[name]))
        scratch = scratch_config(self.config, self.folder, users, local=groups)
        judge = _Judge(verdict, local_principal(scratch, "cli"), canaries, name)
        judge.hear("cli", list(ask_command_line(run, str(scratch.file), canaries)))


@dataclass(slots=True)
class _Judge:
    """Compares what ``principal`` was told with what he may know."""

    verdict: Verdict
    principal: Principal
    canaries: Sequence[Canary]
    name: str = ""

    def hear(self, surface: str, heard: Sequence[Said]) -> None:
        self.verdict.asked[surface] = self.verdict.asked.get(surface, 0) + len(heard)
        nothing = next((said.text for said in heard if said.action == "read nothing"), None)
        for said in heard:
            for canary in self.canaries:
                allowed = may_read(canary.acl, self.principal.tokens)
                told = canary.token in said.text
                if not allowed and (told or (said.about is not canary and canary.hint in said.text)):
                    self._note(self.verdict.leaks, surface, said, canary)
                elif said.about is canary:
                    self._compare(surface, said, canary, allowed=allowed, told=told, nothing=nothing)

    def _compare(self, surface: str, said: Said, canary: Canary, *, allowed: bool, told: bool, nothing: str | None) -> None:
        """Whoever may read must be told, or no leak would show; to all others it must be as if there were nothing."""
        if allowed and not told and said.action in ("read", "search bm25"):
            self._note(self.verdict.missed, surface, said, canary)
        if not allowed and said.action == "read" and nothing is not None and said.text != nothing:
            self._note(self.verdict.leaks, surface, said, canary)

    def _note(self, noted: list[Leak], surface: str, said: Said, canary: Canary) -> None:
        noted.append(Leak(surface, self.name or self.principal.id, said.action, canary.path))


def everybody(config: Config) -> dict[str, list[str]]:
    """Return who asks, with the groups he is given: all named users, one stranger, and a member of each single group."""
    policy = config.policy()
    users = {name: list(groups) for name, groups in policy.users.items() if name not in RESERVED_USERS}
    users[f"stranger-{word(6)}"] = list(policy.users.get("*", ()))
    named = {group for rule in policy.rules for group in rule.groups} | {*policy.default}
    named |= {*policy.subgroups} | {part for parts in policy.subgroups.values() for part in parts}
    return users | {f"member-of-{group}": [group] for group in sorted(named)}
