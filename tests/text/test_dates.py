from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewell.text.dates import find_dates, parse_date


@pytest.mark.parametrize(
    "text",
    [
        "2024-10-05",
        "2024/10/05",
        "2024.10.5",
        "October 5, 2024",
        "Oct. 5th, 2024",
        "5 October 2024",
        "5 Ekim 2024",
        "2024年10月5日",
        "2024 年 10 月 5 日",
    ],
)
def test_a_date_is_read_in_the_forms_of_three_languages(text: str) -> None:
    assert [mention.day for mention in find_dates(f"on {text} it was")] == [date(2024, 10, 5)]
    assert parse_date(text) == date(2024, 10, 5)


@pytest.mark.parametrize(
    "text", ["2024-02-30", "2024-13-01", "Smarch 5, 2024", "October 2024", "1.10.2", "12024-10-05", "5/10/24"]
)
def test_what_no_calendar_has_is_no_date(text: str) -> None:
    assert find_dates(text) == []


def test_a_moment_begins_with_its_date_and_a_sentence_does_not() -> None:
    assert parse_date("2024-10-05T08:00:00Z") == date(2024, 10, 5)
    assert parse_date("since 2024-10-05") is None


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)))
def test_every_day_is_found_in_every_form(day: date) -> None:
    forms = [day.isoformat(), f"{day:%d %B %Y}", f"{day:%B} {day.day}, {day.year}", f"{day.year}年{day.month}月{day.day}日"]
    assert [mention.day for form in forms for mention in find_dates(form)] == [day] * 4


@given(st.text())
def test_no_text_breaks_the_search_for_dates(text: str) -> None:
    for mention in find_dates(text):
        assert 0 <= mention.start < mention.end <= len(text)
