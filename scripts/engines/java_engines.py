"""Elasticsearch and OpenSearch: real nodes, put together from the jars their makers publish."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from catalogue import BUILT, Engine, serves_http

HERE = Path(__file__).resolve().parent
JVM_FOLDERS = Path("/usr/lib/jvm")
JVM_OPTIONS = ("-Xms256m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData")


@dataclass(frozen=True, slots=True)
class JavaEngine:
    """A node built from ``scripts/engines/<name>``, which runs on Java ``oldest`` to ``newest``."""

    name: str
    version: str
    oldest: int
    newest: int
    options: tuple[str, ...] = ()

    @property
    def home(self) -> Path:
        """Where it is built."""
        return BUILT / f"{self.name}-{self.version}-{self.fingerprint()}"

    def fingerprint(self) -> str:
        """Return a hash of what it is built from: other sources are another build."""
        content = b"\0".join(path.read_bytes() for path in sorted((HERE / self.name).iterdir()))
        return hashlib.sha256(content).hexdigest()[:8]

    def java(self) -> Path | None:
        """Return the folder of a Java that it runs on."""
        suitable = (home for home in java_homes() if self.oldest <= java_version(home) <= self.newest)
        return next(suitable, None)

    def missing(self) -> str:
        """Say why it cannot start here, or nothing."""
        if not self.java():
            return f"no Java from {self.oldest} to {self.newest} found by JAVA_HOME, on the path or in {JVM_FOLDERS}"
        return "" if self.home.exists() else "not built: run `make engines`"

    def command(self, data: Path, port: int) -> list[str]:
        """Return how to run it."""
        path = f"{self.home / 'classes'}:{self.home / 'lib'}/*"
        java = str(self.java()) + "/bin/java"
        return [java, *JVM_OPTIONS, *self.options, "-cp", path, "SingleNode", str(self.home), str(data), str(port)]

    def engine(self) -> Engine:
        """Return it as an engine that can be started."""
        return Engine(self.name, self.missing, self.command, serves_http)


def java_homes() -> Iterator[Path]:
    """Yield the Javas of this machine, those that the caller chose first."""
    if named := os.environ.get("JAVA_HOME"):
        yield Path(named)
    if found := shutil.which("java"):
        yield Path(found).resolve().parents[1]
    yield from sorted(path for path in JVM_FOLDERS.glob("*") if path.is_dir())


def java_version(home: Path) -> int:
    """Return the major version of the development kit at ``home``, 0 where there is none."""
    release = home / "release"
    stated = re.search(r'JAVA_VERSION="(\d+)', release.read_text()) if release.exists() else None
    return int(stated[1]) if stated and (home / "bin" / "javac").exists() else 0


ELASTICSEARCH = JavaEngine("elasticsearch", "9.2.0", 21, 25, ("--enable-native-access=ALL-UNNAMED",))
OPENSEARCH = JavaEngine("opensearch", "2.19.6", 11, 23)
