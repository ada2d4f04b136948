"""Values come from faker, which knows nothing of our rules."""

from __future__ import annotations

import pytest
from faker import Faker

from citewell.text.redaction import Redactor

REDACTOR = Redactor(b"k" * 32)
FRAMES = [
    "{}",
    "My value is {}.",
    "contact: {}, thanks",
    "({})",
    "<td>{}</td>",
    "x={}; y",
    '"{}"',
    "请看：{}。",
    "Bilgi:{}'dir",
]
EACH = 100


def of(locale: str) -> Faker:
    faker = Faker(locale)
    faker.seed_instance(11)
    return faker


def missed(values: list[str], kind: str, frames: list[str] = FRAMES) -> list[str]:
    """Return the texts in which a value was not found exactly as it stands."""
    texts = [(frames[number % len(frames)].format(value), value) for number, value in enumerate(values)]
    return [
        text for text, value in texts if [(text[f.start : f.end], f.kind) for f in REDACTOR.find(text)] != [(value, kind)]
    ]


@pytest.mark.parametrize("locale", ["en_US", "tr_TR", "de_DE", "fr_FR", "zh_CN", "ja_JP", "es_ES", "it_IT", "pl_PL", "ru_RU"])
def test_mail_addresses_are_found(locale: str):
    faker = of(locale)
    values = [value for _ in range(EACH) for value in (faker.ascii_free_email(), faker.ascii_company_email())]
    assert missed([value for value in values if "example" not in value], "EMAIL") == []


@pytest.mark.parametrize("locale", ["en_GB", "tr_TR", "de_DE", "fr_FR", "it_IT", "es_ES", "pl_PL", "nl_NL", "fi_FI", "de_CH"])
def test_account_numbers_are_found_together_and_in_groups(locale: str):
    faker = of(locale)
    values = [faker.iban() for _ in range(EACH)]
    assert missed(values, "IBAN") == []
    assert missed([" ".join(value[i : i + 4] for i in range(0, len(value), 4)) for value in values], "IBAN") == []


@pytest.mark.parametrize(
    "network", ["visa13", "visa16", "visa19", "mastercard", "amex", "discover", "diners", "jcb15", "jcb16"]
)
def test_cards_of_all_networks_are_found(network: str):
    faker = of("en_US")
    assert missed([faker.credit_card_number(network) for _ in range(EACH)], "CARD") == []


def test_short_cards_are_found_beside_a_word_that_says_so():
    faker = of("en_US")
    values = [value for _ in range(EACH) if (value := faker.credit_card_number("maestro"))[0] in "56"]
    assert missed(values, "CARD", ["my card {}", "Karte: {}", "kart no {}", "卡号{}"]) == []


def test_cards_are_found_in_groups():
    values = [of("en_US").credit_card_number("visa16") for _ in range(EACH)]
    assert missed([" ".join(value[i : i + 4] for i in range(0, 16, 4)) for value in values], "CARD") == []
    assert missed(["-".join(value[i : i + 4] for i in range(0, 16, 4)) for value in values], "CARD") == []


def test_a_card_with_one_digit_changed_is_none():
    values = [of("en_US").credit_card_number("visa16") for _ in range(EACH)]
    changed = [value[:7] + str((int(value[7]) + 1) % 10) + value[8:] for value in values]
    assert [value for value in changed if REDACTOR.find(value)] == []


def test_an_account_number_with_one_digit_changed_is_none():
    values = [of("tr_TR").iban() for _ in range(EACH)]
    changed = [value[:9] + str((int(value[9]) + 1) % 10) + value[10:] for value in values]
    assert [value for value in changed if REDACTOR.find(value)] == []


def test_turkish_and_chinese_identity_numbers_are_found():
    turkish, chinese = of("tr_TR"), of("zh_CN")
    assert missed([turkish.ssn() for _ in range(EACH)], "TCKN") == []
    assert missed([chinese.ssn() for _ in range(EACH)], "CN_ID") == []


def test_an_identity_number_with_one_digit_changed_is_none():
    faker = of("tr_TR")
    changed = [value[:3] + str((int(value[3]) + 1) % 10) + value[4:] for value in (faker.ssn() for _ in range(EACH))]
    assert [value for value in changed if REDACTOR.find(value)] == []


def test_an_american_number_is_only_one_after_a_word_that_says_so():
    faker = of("en_US")
    values = [faker.ssn() for _ in range(EACH)]
    assert missed(values, "US_SSN", ["SSN: {}", "His social security number is {}", "ssn={}", "SSN {} on file"]) == []
    assert [value for value in values if REDACTOR.find(f"part {value}")] == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("邮箱是a@b.com，电话", "a@b.com"),
        ("e-posta:ayşe.öz@şirket.com.tr'ye", "ayşe.öz@şirket.com.tr"),
        ("mailto:ada@corp.com?subject=x", "ada@corp.com"),
        ("Ada <ada+lists@corp.co.uk>, Bob", "ada+lists@corp.co.uk"),
        ("first\\nada@corp.com\\nlast", "ada@corp.com"),
        ("_ada@corp.com_", "ada@corp.com"),
        ("ａｄａ＠ｃｏｒｐ．ｃｏｍ", "ａｄａ＠ｃｏｒｐ．ｃｏｍ"),
        ("卡号４５３９１４８８０３４３６４６７。", "４５３９１４８８０３４３６４６７"),
        (
            "IBAN\u00a0FR14\u00a02004\u00a01010\u00a00505\u00a00001\u00a03M02\u00a0606",
            "FR14\u00a02004\u00a01010\u00a00505\u00a00001\u00a03M02\u00a0606",
        ),
    ],
)
def test_values_are_found_in_any_writing(text: str, value: str):
    assert [text[one.start : one.end] for one in REDACTOR.find(text)] == [value]


@pytest.mark.parametrize(
    "value", ["4539148803436467", "GB82WEST12345698765432", "10000000146", "ada@corp.com", "0532 123 45 67", "+905321234567"]
)
def test_values_are_found_line_by_line(value: str):
    redactor = Redactor(b"k" * 32, phone_regions=["TR"])
    assert len(redactor.find(f"{value}\n" * 5)) == 5
    assert len(redactor.find(f"{value}\r\n" * 5)) == 5
