"""Who may read what: the first rule that matches, groups within groups, and nobody where nothing is said."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.core.access import (
    ANONYMOUS,
    EVERYBODY_ELSE,
    LOCAL_USER,
    OPEN_POLICY,
    PUBLIC,
    AccessPolicy,
    AccessRule,
    Principal,
    may_read,
    stranger,
    user_principal,
)

NAMES = ["a", "b", "c", "public"]
USERS = ["ada", "bo", LOCAL_USER]
STEPS = ["x", "y", "z.md"]
GLOBS = ["x", "x/*", "x/**", "**", "*.md", "**/*.md", "**/z.md", "x/y/z.md", "?", ""]

groups = st.lists(st.sampled_from(NAMES), max_size=3).map(tuple)
paths = st.lists(st.sampled_from(STEPS), min_size=1, max_size=3).map("/".join)
policies = st.builds(
    AccessPolicy,
    rules=st.lists(st.builds(AccessRule, paths=st.sampled_from(GLOBS), groups=groups), max_size=4).map(tuple),
    default=groups,
    users=st.dictionaries(st.sampled_from([*USERS, ANONYMOUS, EVERYBODY_ELSE]), groups, max_size=4),
    subgroups=st.dictionaries(st.sampled_from(NAMES), groups, max_size=4),
)


def reader(policy: AccessPolicy, user: str, claimed: tuple[str, ...] = ()) -> Principal:
    if user == ANONYMOUS:
        return policy.anonymous(via="test")
    return policy.principal(user, via="test", scopes=frozenset({"read"}), claimed=claimed)


def matches(glob: str, path: str) -> bool:
    """Say whether ``glob`` matches, letter by letter: ``**`` is any folders, ``*`` and ``?`` stay within one."""
    if glob.startswith("**/"):
        starts = [0, *(place + 1 for place, letter in enumerate(path) if letter == "/")]
        return any(matches(glob[3:], path[start:]) for start in starts)
    if glob.startswith("**"):
        return any(matches(glob[2:], path[start:]) for start in range(len(path) + 1))
    if glob.startswith("*"):
        return any(matches(glob[1:], path[start:]) for start in range(len(path.partition("/")[0]) + 1))
    if not glob or not path:
        return glob == path
    return (glob[0] == path[0] or (glob[0] == "?" and path[0] != "/")) and matches(glob[1:], path[1:])


def is_in(policy: AccessPolicy, group: str, given_groups: set[str], seen: frozenset[str] = frozenset()) -> bool:
    """Say whether somebody is in ``group``, from the top: he is in it, or in a group that it lists."""
    if group in given_groups:
        return True
    parts = set(policy.subgroups.get(group, ())) - seen
    return any(is_in(policy, part, given_groups, seen | {group}) for part in parts)


def oracle(policy: AccessPolicy, user: str, claimed: tuple[str, ...], path: str) -> bool:
    """Say whether ``user`` may read ``path``, from the words of the documentation and none of the code."""
    open_to: tuple[str, ...] = policy.default
    for rule in reversed(policy.rules):
        if matches(rule.paths, path):
            open_to = rule.groups
    if user in policy.users:
        given_groups = set(policy.users[user])
    else:
        given_groups = set() if user == ANONYMOUS else set(policy.users.get(EVERYBODY_ELSE, ()))
    if user != ANONYMOUS:
        given_groups |= set(claimed)
    return any(group == PUBLIC or is_in(policy, group, given_groups) for group in open_to)


@given(policies, st.sampled_from([*USERS, "eve", ANONYMOUS]), groups, paths)
def test_the_policy_decides_as_its_documentation_says(
    policy: AccessPolicy, user: str, claimed: tuple[str, ...], path: str
) -> None:
    assert may_read(policy.acl(path), reader(policy, user, claimed).tokens) == oracle(policy, user, claimed, path)


@given(policies, paths, st.sampled_from(USERS))
def test_whoever_is_let_in_by_a_group_has_a_chain_of_groups_to_it(policy: AccessPolicy, path: str, user: str) -> None:
    held = policy.given(user)
    for group in {name.removeprefix("group:") for name in policy.acl(path) if name != PUBLIC}:
        chain = policy.chain(group, held)
        assert bool(chain) == (group in policy.groups(user))
        if chain:
            assert chain[0] in held
            assert chain[-1] == group
            assert all(part in policy.subgroups[whole] for part, whole in pairwise(chain))


@given(policies, policies, paths)
def test_equal_stamps_mean_equal_acls(one: AccessPolicy, other: AccessPolicy, path: str) -> None:
    if one.stamp == other.stamp:
        assert one.acl(path) == other.acl(path)


@given(policies, st.dictionaries(st.sampled_from(USERS), groups), st.dictionaries(st.sampled_from(NAMES), groups))
def test_users_and_groups_leave_the_stamp_alone(
    policy: AccessPolicy, users: dict[str, tuple[str, ...]], subgroups: dict[str, tuple[str, ...]]
) -> None:
    assert AccessPolicy(rules=policy.rules, default=policy.default, users=users, subgroups=subgroups).stamp == policy.stamp


def test_where_nothing_is_said_nobody_may_read() -> None:
    policy = AccessPolicy()
    assert policy.acl("a.md") == frozenset()
    assert not may_read(policy.acl("a.md"), reader(policy, "ada").tokens)


def test_the_first_rule_that_matches_decides_even_where_it_lets_nobody_in() -> None:
    policy = AccessPolicy(rules=(AccessRule(paths="hr/**", groups=()), AccessRule(paths="**", groups=(PUBLIC,))))
    assert policy.acl("hr/pay.md") == frozenset()
    assert policy.acl("a.md") == {PUBLIC}


def test_groups_that_contain_each_other_are_one_and_end() -> None:
    policy = AccessPolicy(users={"ada": ("a",)}, subgroups={"a": ("b",), "b": ("c",), "c": ("a", "c")})
    assert policy.groups("ada") == {"a", "b", "c"}
    assert policy.chain("b", ("a",)) == ("a", "c", "b")
    assert policy.chain("b", ("d",)) == ()


def test_everybody_who_is_not_named_is_in_the_groups_of_the_star_and_nobody_who_is() -> None:
    policy = AccessPolicy(users={EVERYBODY_ELSE: ("staff",), "bo": ("board",)})
    assert policy.groups("eve") == {"staff"}
    assert policy.groups("bo") == {"board"}
    assert policy.groups(ANONYMOUS) == frozenset()


def test_the_open_policy_is_not_open_to_those_who_have_not_shown_who_they_are() -> None:
    assert may_read(OPEN_POLICY.acl("a.md"), reader(OPEN_POLICY, "ada").tokens)
    assert not may_read(OPEN_POLICY.acl("a.md"), reader(OPEN_POLICY, ANONYMOUS).tokens)


def test_whoever_is_turned_away_reads_not_even_what_is_public() -> None:
    assert not may_read(frozenset({PUBLIC}), stranger(via="test").tokens)


@pytest.mark.parametrize("name", ["public", "group:board", "user:bo", "*"])
def test_a_name_that_looks_like_a_token_is_a_name(name: str) -> None:
    """Neither a user nor a group can be called so that it is somebody else's token."""
    asker = user_principal(name, frozenset({name}), via="test", scopes=frozenset())
    assert asker.tokens <= {PUBLIC, f"user:{name}", f"group:{name}"}
    assert not may_read(frozenset({"group:board", "user:bo"}), asker.tokens)
