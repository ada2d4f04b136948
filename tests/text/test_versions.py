from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.text.versions import Version, find_versions, parse_version

VERSIONS = st.lists(st.integers(0, 40), min_size=2, max_size=3).map(lambda numbers: Version(tuple(numbers)))


def written(text: str) -> list[str]:
    return [text[mention.start : mention.end] for mention in find_versions(text)]


@pytest.mark.parametrize(
    ("text", "versions"),
    [
        ("Compare 1.9 and 1.10.", ["1.9", "1.10"]),
        ("1.9'dan 1.10'a nasıl geçerim", ["1.9", "1.10"]),
        ("从1.9升级到1.10版", ["1.9", "1.10"]),
        ("１.１０ 版", ["１.１０"]),
        ("KFP v1 versus KFP v2", ["v1", "v2"]),
        ("since v2.4.1-rc.2", ["v2.4.1-rc.2"]),
        ("image:v1.10.0 in kubeflow-1.10.md", ["v1.10.0", "1.10"]),
        ("1.10.x and 26.03", ["1.10.x", "26.03"]),
    ],
)
def test_versions_are_found_whole(text: str, versions: list[str]) -> None:
    assert written(text) == versions


@pytest.mark.parametrize(
    "text",
    [
        "2024-10-15",
        "2024.10.15",
        "10.0.0.1",
        "3.5 seconds",
        "3.5秒",
        "costs $1.50",
        "99.9% of",
        "version 7",
        "python3.11",
        "0.5 GiB",
    ],
)
def test_dates_addresses_measures_and_bare_numbers_are_no_versions(text: str) -> None:
    assert written(text) == []


def test_a_version_is_not_the_beginning_of_another() -> None:
    one, ten, eleven = Version((1, 1)), Version((1, 10)), Version((1, 11))
    assert len({one, ten, eleven}) == 3
    assert one < ten < eleven
    assert not one.covers(ten)


def test_a_series_covers_its_patches_and_nothing_else() -> None:
    series, patch = Version((1, 10)), Version((1, 10, 2))
    assert series.covers(patch)
    assert not patch.covers(series)
    assert not Version((1,)).covers(series)
    assert Version((1, 10)) == Version((1, 10, 0))


def test_a_calendar_version_comes_after_the_numbers_before_it() -> None:
    names = ["26.03", "1.11", "1.2", "1.10", "1.10rc1", "1.10-beta.2"]
    assert sorted(names, key=lambda name: parse_version(name) or Version((0,))) == [
        *("1.2", "1.10-beta.2", "1.10rc1", "1.10", "1.11", "26.03")
    ]


@given(VERSIONS, VERSIONS, VERSIONS)
def test_versions_are_in_one_order(a: Version, b: Version, c: Version) -> None:
    assert (a < b) + (b < a) + (a == b) == 1
    assert not (a < b and b < c) or a < c
    assert a != b or hash(a) == hash(b)


@given(VERSIONS)
def test_a_version_is_read_as_it_is_written(version: Version) -> None:
    text = ".".join(map(str, version.numbers))
    assert parse_version(text) == parse_version(f"v{text}") == version


@given(st.text())
def test_no_text_is_too_odd(text: str) -> None:
    for mention in find_versions(text):
        assert 0 <= mention.start < mention.end <= len(text)
