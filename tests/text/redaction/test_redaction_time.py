"""Redaction takes time in proportion to the text: growth is compared, no time is asserted."""

from __future__ import annotations

from random import Random
from time import process_time

import pytest
from specimens import BASE32, MIXED, drawn

from citewell.text.redaction import Redactor

REDACTOR = Redactor(b"k" * 32, phone_regions=("TR", "US"))
RANDOM = Random(31)
SMALL = 20_000
GROWTH = 8
ALLOWED = 4 * GROWTH
"""Proportional is 8; quadratic would be 64."""

HOSTILE = {
    "headers of keys": "-----BEGIN RSA PRIVATE KEY-----\n",
    "headers with bodies": "-----BEGIN RSA PRIVATE KEY-----\nMIIEabcdefghijklmnop\n",
    "ends of keys": "-----END RSA PRIVATE KEY-----\n",
    "countries": "AA00 ",
    "accounts": "TR00 0000 0000 ",
    "signs": "a@a@a@",
    "dots": "a.",
    "digits": "1",
    "groups": "4111 ",
    "short groups": "12 ",
    "tokens": "eyJ",
    "dotted tokens": "eyJhbGciOiJIUzI1NiJ9.",
    "base64": "Qk0xZ/+",
    "pluses": "+1 ",
    "grouped pluses": "+1 11 11 11 11 ",
    "brackets": "+(((",
    "schemes": "://:@",
    "users": "a://a:a@",
    "colons": "://a:",
    "passwords": 'password="',
    "assignments": "token=a1B2c3D4e5F6;",
    "bearers": "authorization: bearer ",
    "keys": "secret key ",
    "companies": "twilio ",
    "placeholders": "[EMAIL:3f9a]",
    "halves of placeholders": "[EMAIL:",
    "Chinese": "电话邮箱密码是",
    "full width": "＠１２３",
    "mail": "ada@corp.com ",
    "escapes": "\\n",
    "zeros": "\0",
    "percent": "p:%41%41",
}
VARIED = {
    "base64": lambda length: drawn(RANDOM, MIXED + "+/", length),
    "upper case": lambda length: drawn(RANDOM, BASE32 + " ", length),
    "digits": lambda length: drawn(RANDOM, "0123456789 -+()", length),
    "names and values": lambda length: "".join(f"pwd={drawn(RANDOM, MIXED, 9)}\n" for _ in range(length // 14)),
    "signs": lambda length: drawn(RANDOM, "ab@.:/-_=+ '\"\\\n", length),
}


def seconds(text: str) -> float:
    """Return the least time of three, of this process alone."""
    times = []
    for _ in range(3):
        begin = process_time()
        REDACTOR.redact(text)
        times.append(process_time() - begin)
    return max(min(times), 1e-3)


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE.keys())
def test_time_grows_no_faster_than_a_hostile_text(unit: str):
    small = unit * (SMALL // len(unit))
    assert seconds(small * GROWTH) < ALLOWED * seconds(small)


@pytest.mark.parametrize("make", VARIED.values(), ids=VARIED.keys())
def test_time_grows_no_faster_than_a_text_of_noise(make):
    assert seconds(make(SMALL * GROWTH)) < ALLOWED * seconds(make(SMALL))
