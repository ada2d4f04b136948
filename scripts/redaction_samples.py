"""Texts for the benchmark of redaction: values of every kind in sentences and in code, and what only looks like one.

Everything is made of a seed. The formats of secrets and the check digits are written anew here, so that a mistake in the
detectors is not made a second time in their test; ``faker`` makes the rest, in the formats of many countries.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from string import ascii_letters, ascii_uppercase, digits, hexdigits

import phonenumbers
from faker import Faker

LETTERS_DIGITS = digits + ascii_letters
HEX = hexdigits[:16]

LABELLED = (
    "Her {label} is {value}.",
    "{label}: {value}",
    "Please update the {label} to {value} before Friday, as agreed.",
    '  "{label}": "{value}",',
    "| Ada | {label} | {value} |",
    "2026-03-01T12:00:00Z INFO user=ada {label}={value} status=ok",
    "Yeni {label} numarası {value} olarak kaydedildi.",
    "请将{label}改为{value}，谢谢。",
    "{label}は{value}です。",
    "{label}: {value}로 변경되었습니다.",
    "Die {label} lautet {value}, bitte vertraulich behandeln.",
    "<td>{label}</td><td>{value}</td>",
)
BARE = (
    "Contact {value} for access.",
    "{value}",
    "- {value}\n- n/a",
    'x = "{value}"',
    "参见{value}。",
    "ada;{value};active",
)
LABELS = {
    "EMAIL": ("e-mail", "邮箱"),
    "CARD": ("card number", "卡号"),
    "IBAN": ("IBAN", "账号"),
    "PHONE": ("phone", "电话"),
    "TCKN": ("TCKN", "TCKN"),
    "CN_ID": ("ID number", "身份证号"),
    "US_SSN": ("SSN", "SSN"),
}
SECRET_FRAMES = (
    "{value}",
    "export TOKEN={value}",
    'client = Client("{value}")',
    "  token: {value}  # production",
    '{"auth": "{value}"}',
    "curl -H 'X-Api-Key: {value}' https://api.acme.io/v1",
    "I used {value} and it worked.",
    "Şimdilik {value} kullanın.",
    "请使用{value}登录。",
    "https://api.acme.io/v1/items?key={value}&page=2",
)
REGIONS = {
    **{"en_US": "US", "en_GB": "GB", "de_DE": "DE", "fr_FR": "FR", "es_ES": "ES", "it_IT": "IT", "nl_NL": "NL"},
    **{
        "tr_TR": "TR",
        "pl_PL": "PL",
        "pt_BR": "BR",
        "zh_CN": "CN",
        "ja_JP": "JP",
        "ko_KR": "KR",
        "en_IN": "IN",
        "sv_SE": "SE",
    },
}
"""Faker's locales, and the countries whose telephone numbers they make."""


@dataclass(frozen=True)
class Sample:
    """A text with one value in it, which is real or only looks like it."""

    kind: str
    text: str
    start: int
    end: int
    region: str = ""


def framed(kind: str, value: str, frame: str, region: str = "") -> Sample:
    label = LABELS.get(kind, ("", ""))[any("\u3000" < character < "\ud7b0" for character in frame)]
    before, after = frame.replace("{label}", label).split("{value}")
    return Sample(kind, before + value + after, len(before), len(before) + len(value), region)


def drawn(random: Random, alphabet: str, length: int) -> str:
    return "".join(random.choices(alphabet, k=length))


def base62(number: int) -> str:
    """Return six characters, as the checksums of GitHub and npm are written."""
    text = ""
    for _ in range(6):
        number, rest = divmod(number, 62)
        text = LETTERS_DIGITS[rest] + text
    return text


def checked(head: str, body: str) -> str:
    return head + body + base62(zlib.crc32(body.encode()))


def segment(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def secrets(random: Random) -> dict[str, str]:
    """Return one secret of every issuer, in the format that the issuer documents."""

    def some(alphabet: str, length: int) -> str:
        return drawn(random, alphabet, length)

    word = LETTERS_DIGITS + "-_"
    key = "\n".join(some(LETTERS_DIGITS + "+/", 64) for _ in range(14))
    claims = {"sub": some(LETTERS_DIGITS, 10), "iss": "https://login.acme.io", "exp": 1790000000}
    return {
        "AWS access key": random.choice(["AKIA", "ASIA"]) + some(ascii_uppercase + "234567", 16),
        "GitHub token": checked(random.choice(["ghp_", "gho_", "ghs_"]), some(LETTERS_DIGITS, 30)),
        "GitHub fine-grained token": f"github_pat_{some(LETTERS_DIGITS, 22)}_{some(LETTERS_DIGITS, 59)}",
        "GitLab token": "glpat-" + some(word, 20),
        "Slack bot token": f"xoxb-{some(digits, 12)}-{some(digits, 13)}-{some(LETTERS_DIGITS, 24)}",
        "Stripe key": "sk_live_" + some(LETTERS_DIGITS, 24),
        "Google API key": "AIza" + some(word, 34) + some(LETTERS_DIGITS, 1),
        "npm token": checked("npm_", some(LETTERS_DIGITS, 30)),
        "PyPI token": "pypi-AgEIcHlwaS5vcmcC" + some(word, 150),
        "SendGrid key": f"SG.{some(word, 22)}.{some(word, 42)}a",
        "OpenAI project key": f"sk-proj-{some(LETTERS_DIGITS, 74)}T3BlbkFJ{some(LETTERS_DIGITS, 74)}",
        "Anthropic key": f"sk-ant-api03-{some(word, 93)}AA",
        "Hugging Face token": "hf_" + some(ascii_letters, 34),
        "DigitalOcean token": "dop_v1_" + some(HEX, 64),
        "Telegram token": f"{random.randrange(10**9, 10**10)}:AA{some(word, 32)}a",
        "Shopify token": "shpat_" + some(HEX, 32),
        "Databricks token": "dapi" + some(HEX, 32),
        "JSON web token": f"{segment({'alg': 'RS256', 'typ': 'JWT'})}.{segment(claims)}.{some(word, 341)}a",
        "private key": f"-----BEGIN PRIVATE KEY-----\n{key}\n-----END PRIVATE KEY-----",
        "OpenSSH key": f"-----BEGIN OPENSSH PRIVATE KEY-----\n{key}\n-----END OPENSSH PRIVATE KEY-----",
    }


def placed_secrets(random: Random) -> dict[str, tuple[str, str]]:
    """Return secrets that only their place gives away, with the text around ``{value}``."""

    def some(alphabet: str, length: int) -> str:
        return drawn(random, alphabet, length)

    password = some(LETTERS_DIGITS, 6) + random.choice("!#$%*") + some(LETTERS_DIGITS, 6) + some(digits, 1)
    basic = base64.b64encode(f"ada:{password}".encode()).decode()
    return {
        "AWS secret key": (some(LETTERS_DIGITS + "/+", 38) + "a7", "aws_secret_access_key = {value}\n"),
        "Azure storage key": (some(LETTERS_DIGITS + "+/", 86) + "==", "AccountName=a;AccountKey={value};EndpointSuffix=x"),
        "password in an address": (some(LETTERS_DIGITS, 14) + "7", "postgres://app:{value}@db.acme.io:5432/app"),
        "Slack webhook": (
            f"services/T0{some(ascii_uppercase, 8)}/B0{some(ascii_uppercase, 8)}/{some(LETTERS_DIGITS, 23)}7",
            "https://hooks.slack.com/{value}",
        ),
        "basic authorization": (basic, "Authorization: Basic {value}"),
        "bearer authorization": (some(LETTERS_DIGITS, 40) + "7a", "Authorization: Bearer {value}"),
        "quoted password": (password, 'password = "{value}"'),
        "password in YAML": (password, "db:\n  password: {value}\n  port: 5432"),
        "key in an .env file": (some(HEX, 40), "SERVICE_API_KEY={value}\n"),
        "client secret in JSON": (some(LETTERS_DIGITS, 31) + "7", '{"client_secret": "{value}"}'),
    }


def secret_samples(seed: int, each: int) -> Iterator[Sample]:
    random = Random(seed)
    for number in range(each):
        for name, value in secrets(random).items():
            yield framed(name, value, SECRET_FRAMES[number % len(SECRET_FRAMES)])
        for name, (value, frame) in placed_secrets(random).items():
            yield framed(name, value, frame)


def luhn(body: str) -> str:
    """Return ``body`` and its check digit."""
    total = sum(sum(divmod(int(digit) * (2 - place % 2), 10)) for place, digit in enumerate(reversed(body)))
    return body + str(-total % 10)


def broken(number: str, random: Random) -> str:
    """Return ``number`` with its last digit changed, so that no check digit is right."""
    return number[:-1] + random.choice([digit for digit in digits if digit != number[-1]])


def own_cards(random: Random) -> str:
    head, length = random.choice([("4", 16), ("51", 16), ("2221", 16), ("37", 15), ("6011", 16), ("3528", 16), ("36", 14)])
    number = luhn(head + drawn(random, digits, length - len(head) - 1))
    grouped = " ".join(number[at : at + 4] for at in range(0, 16, 4)) if length == 16 else number
    return random.choice([number, grouped])


def people(locale: str, seed: int) -> dict[str, Callable[[], str]]:
    """Return what makes the values of ``locale``, by kind."""
    faker, random = Faker(locale), Random(seed)
    faker.seed_instance(seed)

    def mail() -> str:  # faker's plain addresses are in the domains for examples
        return random.choice([faker.free_email, faker.company_email])()

    makers: dict[str, Callable[[], str]] = {
        "EMAIL": mail,
        "PHONE": faker.phone_number,
        "CARD": faker.credit_card_number,
    }
    if locale not in ("zh_CN", "ja_JP", "ko_KR", "en_US", "en_IN"):  # these have no IBAN
        makers["IBAN"] = faker.iban
    return makers | {"tr_TR": {"TCKN": faker.ssn}, "en_US": {"US_SSN": faker.ssn}, "zh_CN": {"CN_ID": faker.ssn}}.get(
        locale, {}
    )


def is_phone(value: str, region: str) -> bool:
    """Say whether ``value`` is a number that can be dialled in ``region``: faker makes many that are not."""
    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(value, region))
    except phonenumbers.NumberParseException:
        return False


def person_samples(seed: int, each: int) -> Iterator[Sample]:
    """Yield values of every kind and locale, each once with a word that says what it is and once without."""
    random = Random(seed)
    for locale, region in REGIONS.items():
        for kind, make in people(locale, seed).items():
            for number in range(each):
                value = make()
                if kind == "PHONE" and not is_phone(value, region):
                    continue
                yield framed(kind, value, LABELLED[number % len(LABELLED)], region)
                if kind != "US_SSN":  # nine digits alone may be anything
                    yield framed(f"{kind}, no word", value, BARE[number % len(BARE)], region)
    for number in range(each * 4):
        yield framed("CARD, own", own_cards(random), (LABELLED + BARE)[number % (len(LABELLED) + len(BARE))])
