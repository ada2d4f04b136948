from __future__ import annotations

from random import Random

import pytest
from specimens import drawn, jwt, pem, surrounded_secrets, tokens

from citewell.text.redaction import Redactor

REDACTOR = Redactor(b"k" * 32)
FRAMES = [
    "{}",
    "key: {}",
    "set it to {}.",
    "x={};",
    '"{}",',
    "请用{}登录",
    "first\\n{}\\nlast",
    "<b>{}</b>",
    "anahtarı '{}' olarak",
]
PROMISED_RECALL = 0.95


def covered(text: str, value: str) -> bool:
    """Whether what was found holds all of the value."""
    start = text.index(value)
    return any(one.start <= start and one.end >= start + len(value) for one in REDACTOR.find(text))


@pytest.mark.parametrize("frame", FRAMES)
def test_tokens_of_all_issuers_are_found_wherever_they_stand(frame: str):
    missed = [(kind, text) for kind, value in tokens(1, 3) if not covered(text := frame.format(value), value)]
    assert missed == []


def test_a_token_is_called_after_its_issuer():
    named = [(kind, value, REDACTOR.find(value)[0].kind) for kind, value in tokens(2, 2)]
    assert [(kind, value, found) for kind, value, found in named if kind != found] == []


@pytest.mark.parametrize(("kind", "text", "secret"), surrounded_secrets(3), ids=lambda value: value[:24])
def test_a_secret_is_known_by_what_stands_around_it(kind: str, text: str, secret: str):
    assert [(one.kind, text[one.start : one.end]) for one in REDACTOR.find(text)] == [(kind, secret)]


def test_of_surrounded_secrets_at_least_the_promised_share_is_found():
    secrets = [(text, secret) for seed in range(100) for _, text, secret in surrounded_secrets(seed)]
    assert sum(covered(text, secret) for text, secret in secrets) / len(secrets) >= PROMISED_RECALL


@pytest.mark.parametrize(
    "label", ["PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY"]
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_private_key_becomes_one_placeholder_and_as_many_lines(label: str, newline: str):
    key = pem(Random(4), label, newline=newline)
    redacted = REDACTOR.redact(f"before\n{key}\nafter").text
    assert redacted.startswith("before\n[PRIVATE_KEY:")
    assert redacted.endswith("]" + newline * key.count("\n") + "\nafter")


def test_a_private_key_of_pgp_is_taken_out_with_its_headers():
    key = pem(Random(4), "PGP PRIVATE KEY BLOCK").replace("BLOCK-----\n", "BLOCK-----\nVersion: GnuPG v2\n\n", 1)
    assert [one.kind for one in REDACTOR.find(key)] == ["PRIVATE_KEY"]
    assert len(REDACTOR.find(key)) == 1
    assert REDACTOR.find(key)[0].end == len(key)


def test_a_private_key_within_json_is_taken_out_to_its_end():
    text = '{"private_key": "' + pem(Random(4), "PRIVATE KEY").replace("\n", "\\n") + '\\n", "client_id": "1"}'
    assert REDACTOR.redact(text).text.startswith('{"private_key": "[PRIVATE_KEY:')
    assert REDACTOR.redact(text).text.endswith('\\n", "client_id": "1"}')


def test_a_private_key_that_is_cut_off_is_taken_out_as_far_as_it_goes():
    body = pem(Random(4)).rsplit("\n", 1)[0]
    redacted = REDACTOR.redact(body + "\n\nThe next paragraph.").text
    assert redacted.rstrip("\n").endswith("The next paragraph.")
    assert body.splitlines()[3] not in redacted
    assert body.splitlines()[-1] not in redacted


def test_the_name_of_a_header_alone_is_no_private_key():
    assert REDACTOR.find("A file that begins with -----BEGIN RSA PRIVATE KEY----- is a key.") == ()


def test_a_key_of_putty_loses_its_private_lines():
    lines = "\n".join(drawn(Random(5), "ABCdef123+/", 64) for _ in range(4))
    text = f"PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 4\n{lines}\nPrivate-MAC: 00"
    assert [text[one.start : one.end] for one in REDACTOR.find(text)] == [lines]


def test_a_public_key_and_a_certificate_stay():
    for label in ("PUBLIC KEY", "CERTIFICATE"):
        assert REDACTOR.find(pem(Random(6), label)) == ()


def test_what_only_looks_like_a_jwt_stays():
    value = jwt(Random(7), {"typ": "JWT"})
    assert REDACTOR.find(value) == ()


def test_the_user_of_a_connection_string_stays():
    redacted = REDACTOR.redact("postgres://app:kV7xQ2mZp9@db.corp.com/app").text
    assert redacted.startswith("postgres://app:[PASSWORD:")
    assert redacted.endswith("]@db.corp.com/app")


def test_no_mail_address_is_seen_in_a_connection_string():
    assert [one.kind for one in REDACTOR.find("amqps://worker:kV7xQ2mZp9@queue.corp.com")] == ["PASSWORD"]
