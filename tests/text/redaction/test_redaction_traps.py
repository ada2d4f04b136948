from __future__ import annotations

import pytest

from citewell.text.redaction import Redactor

REDACTOR = Redactor(b"k" * 32)
IN_COUNTRIES = Redactor(b"k" * 32, phone_regions=("TR", "US", "DE"))

HASHES = [
    "commit 5fc3ed4d6c99489529bb783b173d60191ea05497",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "id 123e4567-e89b-12d3-a456-426614174000",
    '"integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg=="',
    "h1:KOGTKyS+Ad7gvOjgXJLh4RHZ9oZcMAYHvpR3P5kIKKs=",
]
NAMES = [
    "uses: actions/checkout@v4",
    "npm install left-pad@1.3.0",
    "git@github.com:encode/httpx.git",
    "ssh://git@git.corp.com/x.git",
    "@pytest.fixture",
    "@app.route('/x')",
    "write to ada@example.com or ada@example.org",
    "<img src='logo@2x.png'>",
    "user@host",
    "foo@bar.example",
    "kubectl get secret db-credentials -o yaml",
    "secretName: db-credentials-2",
    "https://corp.com:8443/path@v2",
    "http://localhost:8080/@scope/name",
]
NUMBERS = [
    "4111 1111 1111 1111",
    "4242424242424242",
    "5555-5555-5555-4444",
    "378282246310005",
    "4111111111111112",
    "AKIAIOSFODNN7EXAMPLE",
    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "1700000000000",
    "1700000000000000",
    "order 12345678901",
    "11111111110",
    "TR00 0000 0000 0000 0000 0000 00",
    "DE89 3704 0044 0532 0130 01",
    "RFC 2119, ISBN 978-3-16-148410-0",
    "41.015137, 28.979530",
    "0.4539148803436467",
    "v1.10.0.20240131",
    "2024-01-31 12:00:00",
    "192.168.100.200",
    "#1234567890",
    "1,234,567,890",
    "900101-1234567",
    "GS1 4006381333931",
]
STAND_INS = [
    "password: ${DB_PASSWORD}",
    "password = os.environ['DB_PASSWORD']",
    "API_KEY={{ api_key }}",
    "token: <your-token-here>",
    'password = "changeme"',
    'password="hunter2"',
    'secret = "your-secret-key"',
    'password: "P@ssw0rd"',
    "token = get_token(request)",
    "api_key=settings.openai_api_key_2",
    "password: string",
    'token = "access_token_v2"',
    'SECRET_KEY = "secret-3-levels"',
    "--password=$PASSWORD",
    "postgres://user:password@localhost/db",
    "postgres://user:${PASSWORD}@localhost/db",
    "https://user:pass@host.corp.com/",
    "mysql://root:{password}@db/x",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer <token>",
    "Authorization: Bearer this-is-a-secret-token",
    "Authorization: Basic dXNlcjpwYXNzd29yZA==",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "sk_test_4eC39HqLyjWDarjtT1zdp7dc",
    "const tokenKey = 'k8s-bootstrap-token'",
    'key = "a1B2c3D4e5F6"',
    "password = hashlib.sha256(data)",
    "mot de passe : ********",
]


@pytest.mark.parametrize("text", [*HASHES, *NAMES, *NUMBERS, *STAND_INS])
def test_what_is_no_secret_stays(text: str):
    assert [text[one.start : one.end] for one in REDACTOR.find(text)] == []


VERSIONS = [
    "5.2.1 / 2025-12-01",
    "1.0a37 (2026-07-14)",
    "(RFC 7231 7.1.2)",
    "np.arange(6) + 98172488",
    "2024-01-31 12:00:00.123 0 1 22 333",
    "10 20 30 40 50",
    "1 234 567,89",
    "lines 120-134, 1200-1340",
    "publicKeyToken='1fc8b3b9a1e18e3b'",
]


@pytest.mark.parametrize("text", [*HASHES, *NAMES, *NUMBERS, *VERSIONS])
def test_what_is_no_telephone_number_stays_where_national_ones_are_looked_for(text: str):
    assert [text[one.start : one.end] for one in IN_COUNTRIES.find(text)] == []
