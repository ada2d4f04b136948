from __future__ import annotations

import phonenumbers
import pytest
from faker import Faker
from hypothesis import given
from hypothesis import strategies as st
from phonenumbers.phonemetadata import PhoneMetadata

from citewell.text.redaction import Redactor
from citewell.text.redaction.dialling import is_international, region_of

LOCALES = {
    **{
        "en_US": "US",
        "tr_TR": "TR",
        "de_DE": "DE",
        "fr_FR": "FR",
        "zh_CN": "CN",
        "en_GB": "GB",
        "es_ES": "ES",
        "it_IT": "IT",
    },
    **{"ja_JP": "JP", "pt_BR": "BR"},
}
FRAMES = ["Tel: {}", "phone {}", "call me at {} now", "电话：{}", "gsm {}, aksam", "Telefon {}."]
KNOWN = sorted(
    region
    for region in phonenumbers.SUPPORTED_REGIONS
    if PhoneMetadata.metadata_for_region(region).national_prefix_transform_rule is None
)
"""Regions whose numbers are not rewritten when they are dialled at home."""


def of_plan(locale: str) -> list[str]:
    """Return numbers as people of ``locale`` write them, of those that are in the numbering plan."""
    faker = Faker(locale)
    faker.seed_instance(11)
    return [value for value in (faker.phone_number() for _ in range(300)) if is_valid(value, LOCALES[locale])]


def is_valid(value: str, region: str | None) -> bool:
    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(value, region))
    except phonenumbers.NumberParseException:
        return False


@pytest.mark.parametrize("locale", LOCALES)
def test_every_number_of_the_plan_is_found_after_a_word(locale: str):
    redactor = Redactor(b"k" * 32, phone_regions=[LOCALES[locale]])
    texts = [(FRAMES[number % len(FRAMES)].format(value), value) for number, value in enumerate(of_plan(locale))]
    assert len(texts) > 30
    assert [text for text, value in texts if [text[f.start : f.end] for f in redactor.find(text)] != [value]] == []


@pytest.mark.parametrize("region", ["US", "TR", "DE", "CN", "GB", "FR", "JP"])
def test_an_international_number_is_found_without_any_region(region: str):
    example = phonenumbers.example_number_for_type(region, phonenumbers.PhoneNumberType.MOBILE)
    for form in (phonenumbers.PhoneNumberFormat.INTERNATIONAL, phonenumbers.PhoneNumberFormat.E164):
        value = phonenumbers.format_number(example, form)
        for text in (f"call {value}.", f"电话{value}，", f"({value})", f"{value} 24/7"):
            assert [text[f.start : f.end] for f in Redactor(b"k" * 32).find(text)] == [value]


def test_a_national_number_is_only_found_for_a_country_that_is_named():
    text = "Tel: 0532 123 45 67"
    assert Redactor(b"k" * 32).find(text) == ()
    assert [f.kind for f in Redactor(b"k" * 32, phone_regions=["TR"]).find(text)] == ["PHONE"]


def test_bare_digits_need_a_word_before_them():
    redactor = Redactor(b"k" * 32, phone_regions=["US", "CN"])
    assert [
        len(redactor.find(text)) for text in ("order 4155552671", "call 4155552671", "13912345678", "手机13912345678")
    ] == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("region", "value"),
    [
        ("US", "(415) 555-2671"),
        ("US", "415.555.2671"),
        ("TR", "0532 123 45 67"),
        ("TR", "532 123 45 67"),
        ("TR", "(0212) 293 10 00"),
        ("DE", "030 901 820"),
        ("FR", "01 42 68 53 00"),
        ("GB", "020 7946 0018"),
        ("ES", "612 34 56 78"),
    ],
)
def test_a_number_in_the_groups_of_its_country_needs_no_word(region: str, value: str):
    text = f"2024-01-31 {value}, 12 pcs"
    assert [text[f.start : f.end] for f in Redactor(b"k" * 32, phone_regions=[region]).find(text)] == [value]


def test_numbers_in_one_row_are_all_found():
    text = "0532 123 45 67 0533 123 45 67 0535 123 45 67 0536 123 45 67 0537 123 45 67 0538 123 45 67"
    assert len(Redactor(b"k" * 32, phone_regions=["TR"]).find(text)) == 6


def test_an_unknown_country_changes_nothing():
    assert Redactor(b"k" * 32, phone_regions=["ZZ"]).find("Tel: 0532 123 45 67") == ()


@given(st.sampled_from(sorted(phonenumbers.COUNTRY_CODE_TO_REGION_CODE)), st.from_regex(r"[0-9]{4,12}", fullmatch=True))
def test_what_the_plans_say_is_what_phonenumbers_says(code: int, rest: str):
    digits = f"{code}{rest}"
    number = phonenumbers.PhoneNumber(country_code=code, national_number=int(rest))
    if rest[0] != "0":
        assert is_international(digits) == phonenumbers.is_valid_number(number)


@given(st.sampled_from(KNOWN), st.from_regex(r"0?[1-9][0-9]{6,10}", fullmatch=True))
def test_what_reaches_somebody_is_what_phonenumbers_parses(region: str, digits: str):
    found = region_of(region)
    assert found is not None
    if is_valid(digits, region):
        assert found.reaches(digits)
