"""What looks like a secret or a personal datum and is none, for the benchmark of redaction; and texts made to be slow."""

from __future__ import annotations

import hashlib
import uuid
from base64 import b64encode
from collections.abc import Iterator
from random import Random
from string import ascii_uppercase, digits

from faker import Faker
from redaction_samples import BARE, HEX, LABELLED, LETTERS_DIGITS, Sample, broken, drawn, framed, own_cards

MEGABYTE = 1_000_000

WRITTEN = (
    *("uses: actions/checkout@v4", "npm install left-pad@1.3.0", "git clone git@github.com:pallets/flask.git"),
    *("@pytest.mark.anyio", "@app.route('/')", "ssh user@example.com", "mail to jane@example.org"),
    *(
        'password = os.environ["DB_PASSWORD"]',
        'password = "${DB_PASSWORD}"',
        "password: changeme",
        "PASSWORD=<your password>",
    ),
    *("secretName: db-credentials", "secretKeyRef: {name: db, key: password}", 'token = "your-token-here"'),
    *("api_key: YOUR_API_KEY", "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
    *("postgres://user:password@localhost/db", "redis://:${REDIS_PASSWORD}@redis:6379", "https://user:pass@example.com"),
    *("4111 1111 1111 1111", "4242424242424242", "5555-5555-5555-4444", "378282246310005", "11111111110"),
    *("TR00 0000 0000 0000 0000 0000 00", "GB00 AAAA 0000 0000 0000 00", "DE12 3456 7890"),
    *("ISBN 978-3-16-148410-0", "RFC 9110, section 15.5.2", "ISO 8601", "49.2827, -123.1207", "3.14159265358979"),
    *("1.10.0.20240131", "version 2024.10.31.1", "127.0.0.1:8080", "192.168.100.200", "10.0.0.0/8"),
    *("2026-03-01T12:00:00", "2024-01-31 23:59:59.999", "1700000000000", "20240131235959", "0x1f600", "1,234,567,890"),
    *("def token(self, password: str) -> Token:", "if password == expected_password:", "self.secret_key = secret_key"),
    *("access_token = response.json()['access_token']", "Authorization: Bearer <token>", "Authorization: Bearer $TOKEN"),
    *("-----BEGIN CERTIFICATE-----", "-----BEGIN PUBLIC KEY-----", "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ user@host"),
    *("sk_test_YOUR_KEY", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "xoxb-your-token", "eyJ is how they begin"),
    *("call 911 or 112", "extension 1234", "room 555-0100", "+1 is the code", "chapter 12-34-56", "pages 100-200-300"),
    *("密码不能为空", "请输入电话号码", "token 数量为 4096", "şifre en az 8 karakter olmalı", "パスワードを入力"),
    *("max_tokens: 4096", "tokenizer = AutoTokenizer.from_pretrained('bert-base-uncased')", "secrets.token_hex(16)"),
    *("sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", 'W/"0815"', "color: #ff8800", "char* p = &a[0];"),
)


def made(random: Random) -> dict[str, str]:
    """Return look-alikes that are different each time, by what they are."""
    digest = hashlib.sha256(random.randbytes(8)).hexdigest()
    return {
        "commit": digest[:40],
        "sha256": digest,
        "md5": digest[:32],
        "UUID": str(uuid.UUID(bytes=random.randbytes(16), version=4)),
        "SRI": "sha512-" + b64encode(random.randbytes(64)).decode(),
        "image": f"registry.acme.io/app@sha256:{digest}",
        "Base64": b64encode(random.randbytes(90)).decode(),
        "trace id": f"00-{drawn(random, HEX, 32)}-{drawn(random, HEX, 16)}-01",
        "nanoid": drawn(random, LETTERS_DIGITS, 21),
        "order number": drawn(random, digits[1:], 11),
        "epoch in ms": str(random.randrange(1_600_000_000_000, 1_800_000_000_000)),
        "part number": f"{drawn(random, ascii_uppercase, 3)}-{drawn(random, digits, 6)}-{drawn(random, ascii_uppercase, 2)}",
        "coordinates": f"{random.uniform(-90, 90):.6f}, {random.uniform(-180, 180):.6f}",
        "version": ".".join(str(random.randrange(40)) for _ in range(4)),
    }


def trap_samples(seed: int, each: int) -> Iterator[Sample]:
    """Yield look-alikes, written ones and made ones; and numbers whose check digits are wrong."""
    random = Random(seed)
    for text in WRITTEN:
        yield Sample("written", text, 0, len(text))
    for number in range(each):
        for name, value in made(random).items():
            frame = ("id: {value}", "{value}", 'x = "{value}"', "see {value} there", "编号为{value}。")[number % 5]
            yield framed(name, value, frame)
    yield from _miswritten(random, seed, each)


def _miswritten(random: Random, seed: int, each: int) -> Iterator[Sample]:
    turkish, german, chinese = (Faker(locale) for locale in ("tr_TR", "de_DE", "zh_CN"))
    for faker in (turkish, german, chinese):
        faker.seed_instance(seed)
    for number in range(each):
        labelled, bare = LABELLED[number % len(LABELLED)], BARE[number % len(BARE)]
        iban = german.iban()
        wrong = iban[:2] + f"{(int(iban[2:4]) + 1) % 97:02}" + iban[4:]
        for kind, value in {
            "CARD": broken(own_cards(random), random),
            "IBAN": wrong,
            "TCKN": broken(turkish.ssn(), random),
            "CN_ID": broken(chinese.ssn(), random),
        }.items():
            for frame in (labelled, bare):
                sample = framed(kind, value, frame)
                yield Sample(f"{kind}, wrong check digit", sample.text, sample.start, sample.end)


SLOW = (
    *(
        "-----BEGIN PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----",
        "AA00 ",
        "TR12 ",
        "DE",
        "4539 1488 0343 ",
        "0532 123 45 67 ",
    ),
    *(
        "+90 532 ",
        "+",
        "((((",
        "1-1-1-",
        "0 ",
        "a@",
        "a.b@c.",
        "@@",
        "a:b@",
        "http://a:",
        "://",
        "eyJ",
        "eyJhbGciOiJ9.",
        "ghp_",
    ),
    *(
        "password=",
        "password: '",
        "secret secret ",
        'token="aA1',
        'key=""',
        "Bearer ",
        "Authorization: Basic ",
        "密码：",
        "密码",
    ),
    *(
        "sk-",
        "xoxb-1-",
        "AKIA",
        "AAAAAAAAAAAAAAAA:",
        "\n",
        "\r\n",
        "\0",
        "\\n",
        "[EMAIL:3f9a]",
        "９",
        "é",
        "𝟘",
        "a",
        "A",
        "/",
        "=",
    ),
)


def slow_texts(size: int) -> Iterator[tuple[str, str]]:
    """Yield texts of ``size`` bytes that are made to take long, with what they repeat."""
    for unit in SLOW:
        yield repr(unit), unit * (size // len(unit.encode()))
    random = Random(11)
    for name, alphabet in {"letters and digits": LETTERS_DIGITS, "digits": digits + " -+().", "hexadecimal": HEX}.items():
        yield f"{name} at random", drawn(random, alphabet, size)
