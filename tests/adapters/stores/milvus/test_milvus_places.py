"""Milvus behind TLS, and Milvus Lite in a file."""

from __future__ import annotations

import datetime
import ipaddress
import sys
from pathlib import Path

import anyio
import grpc
import pytest

pytest.importorskip("pymilvus")

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from grpc_gate import grpc_gated

from citewell.core.errors import ConfigurationError, StoreBusy, StoreUnavailable
from citewell.core.ports import Store, StoreSetup
from citewell.registry import open_store
from citewell.testing.store_samples import ANYONE, embed, find, ids, near, row, sample

pytestmark = pytest.mark.anyio


HOLDER = """
import sys
from pymilvus import MilvusClient
client = MilvusClient(sys.argv[1])
print("open", flush=True)
sys.stdin.read()
"""


async def two() -> int:
    return 2


def opened(rest: str) -> Store:
    return open_store(f"milvus:{rest}", StoreSetup(dimension=two))


def certificate(folder: Path) -> tuple[Path, grpc.ServerCredentials]:
    """Return a certificate that signs itself, as a file, and what a server shows."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = x509.CertificateBuilder(
        issuer_name=name,
        subject_name=name,
        public_key=key.public_key(),
        serial_number=x509.random_serial_number(),
        not_valid_before=now - datetime.timedelta(days=1),
        not_valid_after=now + datetime.timedelta(days=1),
        extensions=[x509.Extension(names.oid, False, names)],
    ).sign(key, hashes.SHA256())
    shown = made.public_bytes(serialization.Encoding.PEM)
    secret = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file = folder / "ca.pem"
    file.write_bytes(shown)
    return file, grpc.ssl_server_credentials([(secret, shown)])


async def test_over_tls_the_certificate_is_checked(milvus: str, prefix: str, tmp_path: Path) -> None:
    file, credentials = certificate(tmp_path)
    with grpc_gated(milvus, credentials) as gate:
        wary = opened(f"https://localhost:{gate.port}?prefix={prefix}&timeout=2")
        with pytest.raises(StoreUnavailable):
            await find(wary, "tea")
        await wary.close()
        assert gate.calls == []
        trusting = opened(f"https://localhost:{gate.port}?prefix={prefix}&timeout=30&ca={file}")
        await trusting.apply([sample("a", "tea")])
        assert ids(await find(trusting, "tea")) == ["handbook/a#0"]
        await trusting.close()


async def test_certificates_that_are_not_there_are_named() -> None:
    store = opened("https://localhost:19530?timeout=1&ca=/nowhere/ca.pem")
    with pytest.raises(ConfigurationError, match=r"/nowhere/ca\.pem"):
        await find(store, "tea")


async def test_a_file_keeps_everything_until_it_is_opened_again(tmp_path: Path) -> None:
    pytest.importorskip("milvus_lite")
    store = opened(f"{tmp_path}/kb.db")
    await store.apply([sample("a", "tea")])
    await embed(store, {"tea": row(1, 0)})
    await store.close()
    again = opened(f"{tmp_path}/kb.db")
    assert ids(await find(again, "tea")) == ids(await near(again, row(1, 0))) == ["handbook/a#0"]
    assert (await again.document("a", visible=ANYONE)).text == "tea"
    await again.close()


async def test_a_file_is_open_in_one_process_at_a_time(tmp_path: Path) -> None:
    pytest.importorskip("milvus_lite")
    held = await anyio.open_process([sys.executable, "-c", HOLDER, str(tmp_path / "kb.db")])
    try:
        assert held.stdout
        assert await held.stdout.receive()
        store = opened(f"{tmp_path}/kb.db")
        with pytest.raises(StoreBusy, match="another process"):
            await find(store, "tea")
        await store.close()
    finally:
        held.kill()
        await held.aclose()


async def test_a_file_without_milvus_lite_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "milvus_lite.server_manager", None)
    store = opened(f"{tmp_path}/kb.db")
    with pytest.raises(ConfigurationError, match="pip install milvus-lite"):
        await find(store, "tea")
