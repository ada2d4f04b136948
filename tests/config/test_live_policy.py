"""The rules of a running process are those of the file as it is now; a mistake in it opens nothing."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from citewell.config import Config, load_config
from citewell.config.live import GRACE_SECONDS, LivePolicy
from citewell.core.access import OPEN_POLICY, AccessPolicy
from citewell.core.errors import ConfigurationError

Load = Callable[..., Config]
RULES = "access:\n  default: [staff]\n  users: {ada: [staff]}\n"
OTHERS = "access:\n  default: [board]\n  users: {ada: [staff]}\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "citewell.yaml"


def live(file: Path, text: str = RULES, **overrides: str) -> LivePolicy:
    save(file, text)
    return LivePolicy(load_config(file, overrides))


def save(file: Path, text: str, *, seconds_ago: float = 60.0) -> None:
    """Write the file as somebody does who did so some time ago."""
    file.write_text(text, encoding="utf-8")
    then = time.time() - seconds_ago
    os.utime(file, (then, then))


def readers(policy: AccessPolicy) -> frozenset[str]:
    return policy.acl("a.md")


def test_a_file_that_has_not_changed_gives_the_same_policy(file: Path) -> None:
    policy = live(file)
    assert policy() is policy()


def test_a_changed_file_acts_at_the_next_call(file: Path) -> None:
    policy = live(file)
    assert readers(policy()) == {"group:staff"}
    save(file, OTHERS, seconds_ago=30)
    assert readers(policy()) == {"group:board"}
    save(file, RULES, seconds_ago=20)
    assert readers(policy()) == {"group:staff"}


def test_a_file_that_was_put_in_the_place_of_the_other_acts_too(file: Path, tmp_path: Path) -> None:
    policy = live(file)
    beside = tmp_path / "new.yaml"
    save(beside, OTHERS)
    beside.rename(file)
    assert readers(policy()) == {"group:board"}


def test_two_changes_that_file_times_cannot_tell_apart_both_act(file: Path) -> None:
    policy = live(file)
    file.write_text(OTHERS, encoding="utf-8")
    known = file.stat()
    assert readers(policy()) == {"group:board"}
    file.write_text(RULES, encoding="utf-8")
    os.utime(file, ns=(known.st_atime_ns, known.st_mtime_ns))
    assert readers(policy()) == {"group:staff"}


def test_another_part_of_the_file_changes_no_policy(file: Path) -> None:
    policy = live(file)
    before = policy()
    save(file, RULES + "retrieval: {k: 3}\n", seconds_ago=30)
    assert policy() is before


def test_users_that_change_group_do_so_at_the_next_call_and_leave_the_acls_alone(file: Path) -> None:
    policy = live(file)
    stamp = policy().stamp
    save(file, RULES.replace("ada: [staff]", "ada: [board]"), seconds_ago=30)
    assert policy().groups("ada") == {"board"}
    assert policy().stamp == stamp


@pytest.mark.parametrize("text", ["access: {defaults: [board]}\n", "access: [", "", "retrieval: {k: 3}\n", "access:\n"])
def test_a_file_that_gives_no_rules_closes_everything(file: Path, text: str) -> None:
    policy = live(file)
    save(file, text, seconds_ago=GRACE_SECONDS + 1)
    for _ in range(2):
        with pytest.raises(ConfigurationError, match="access rules cannot be read"):
            policy()


@pytest.mark.parametrize("text", ["access: {defaults: [board]}\n", "", "access:\n"])
def test_a_file_that_is_just_being_saved_leaves_the_last_rules(file: Path, text: str) -> None:
    policy = live(file)
    save(file, text, seconds_ago=0)
    assert readers(policy()) == {"group:staff"}
    save(file, OTHERS, seconds_ago=0)
    assert readers(policy()) == {"group:board"}


def test_a_file_that_is_gone_leaves_the_last_rules_only_for_the_time_of_a_rename(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = live(file)
    file.unlink()
    assert readers(policy()) == {"group:staff"}
    later = time.monotonic() + GRACE_SECONDS + 1
    monkeypatch.setattr(time, "monotonic", lambda: later)
    with pytest.raises(ConfigurationError):
        policy()
    save(file, OTHERS)
    assert readers(policy()) == {"group:board"}


def test_who_asks_is_not_told_what_stands_in_the_file(file: Path) -> None:
    policy = live(file)
    save(file, "access: {defaults: [board]}\n")
    with pytest.raises(ConfigurationError) as caught:
        policy()
    assert str(file) not in caught.value.message
    assert "defaults" not in caught.value.message
    assert "defaults" in caught.value.detail


def test_rules_that_are_added_to_a_file_without_any_act_at_the_next_call(file: Path) -> None:
    policy = live(file, "retrieval: {k: 3}\n")
    assert policy() == OPEN_POLICY
    save(file, RULES, seconds_ago=30)
    assert readers(policy()) == {"group:staff"}


def test_what_the_command_line_and_the_environment_say_stays_above_the_file(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEWELL_ACCESS__USERS", '{"ada": ["owner"]}')
    policy = live(file, RULES, **{"access.default": '["board"]'})
    save(file, RULES + "  groups: {owner: [staff]}\n", seconds_ago=30)
    assert readers(policy()) == {"group:board"}
    assert policy().groups("ada") == {"owner"}
    assert policy().widened({"staff"}) == {"staff", "owner"}


def test_a_configuration_built_in_code_does_not_change() -> None:
    policy = LivePolicy(Config.model_validate({"access": {"default": ["staff"]}}))
    assert policy() is policy()
    assert readers(policy()) == {"group:staff"}


def test_rules_of_a_file_of_their_own_are_read_anew_too(file: Path, tmp_path: Path) -> None:
    rules = tmp_path / "access.yaml"
    save(rules, "default: [staff]\n")
    policy = live(file, "access: {file: access.yaml}\n")
    assert readers(policy()) == {"group:staff"}
    save(rules, "default: [board]\n", seconds_ago=30)
    assert readers(policy()) == {"group:board"}
    save(rules, "default: [board", seconds_ago=20)
    with pytest.raises(ConfigurationError):
        policy()
