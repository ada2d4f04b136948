"""Build the engines of tests that are more than a Python package, where the tools are there; say what was left out and why.

    python scripts/engines/build.py

Nothing is done for what is built already. Engines go to the folder `.engines`, or where TEST_ENGINES says. Two that build
at a time take turns: the second finds what the first has built.
"""

from __future__ import annotations

import fcntl
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from catalogue import BUILT, MILVUS_CORE
from java_engines import ELASTICSEARCH, HERE, OPENSEARCH, JavaEngine

NETWORK_JARS = ("netty-*.jar", "transport-netty4-*.jar")
DESCRIPTOR = """name={name}
description={name}
version={version}
elasticsearch.version={version}
java.version={java}
classname={classname}
"""


class CannotBuild(Exception):
    """A tool or package is not to be had here."""


def run(*command: str | Path) -> None:
    """Run a tool; its output is the reason when it fails."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, timeout=600)
    if done.returncode:
        raise CannotBuild(f"{command[0]} failed: {(done.stdout + done.stderr).strip()[-600:]}")


def build_milvus_core(folder: Path) -> None:
    """Put Milvus' C++ core into ``folder``: the files of its wheel alone, as its own Python packages are of no use to us."""
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, "--no-deps", "--only-binary", ":all:", "--target", folder, "milvus-lite==2.5.1")


def build_java(engine: JavaEngine, folder: Path) -> None:
    """Gather the jars of ``engine`` into ``folder`` and compile the node."""
    java, maven = engine.java(), shutil.which("mvn")
    if not java or not maven:
        raise CannotBuild("Maven is not installed" if java else engine.missing())
    source = folder / "source"
    shutil.copytree(HERE / engine.name, source)
    run(maven, "-q", "-B", "-f", source / "pom.xml", "dependency:copy-dependencies", f"-DoutputDirectory={folder / 'lib'}")
    (folder / "config").mkdir()
    compile_java(java, folder / "lib", source / "SingleNode.java", folder / "classes")
    if engine is ELASTICSEARCH:
        add_modules(java, folder)


def compile_java(java: Path, libraries: Path, source: Path, target: Path) -> None:
    """Compile one file against all jars of ``libraries``."""
    run(java / "bin" / "javac", "-nowarn", "-cp", f"{libraries}/*", "-d", target, source)


def add_modules(java: Path, folder: Path) -> None:
    """Arrange the modules of Elasticsearch as a distribution has them: a folder each, with a descriptor."""
    ours = folder / "modules" / "missing-modules"
    compile_java(java, folder / "lib", folder / "source" / "MissingModules.java", folder / "missing")
    describe(ours, "MissingModules")
    run(java / "bin" / "jar", "--create", "--file", ours / "missing-modules.jar", "-C", folder / "missing", ".")
    network = folder / "modules" / "transport-netty4"
    describe(network, "org.elasticsearch.transport.netty4.Netty4Plugin")
    for pattern in NETWORK_JARS:
        for jar in (folder / "lib").glob(pattern):
            jar.rename(network / jar.name)


def describe(module: Path, classname: str) -> None:
    """Write the descriptor of a module."""
    module.mkdir(parents=True)
    values = {"name": module.name, "version": ELASTICSEARCH.version, "java": ELASTICSEARCH.oldest, "classname": classname}
    (module / "plugin-descriptor.properties").write_text(DESCRIPTOR.format(**values))


def build(name: str, home: Path, engine: JavaEngine | None) -> str:
    """Build one engine unless it is there, whole or not at all, and say what happened."""
    if home.exists():
        return f"{name}: is there"
    with tempfile.TemporaryDirectory(dir=BUILT, prefix="building-") as name_of_folder:
        folder = Path(name_of_folder) / "engine"
        folder.mkdir()
        try:
            build_java(engine, folder) if engine else build_milvus_core(folder)
        except (CannotBuild, subprocess.TimeoutExpired) as reason:
            return f"{name}: left out, {reason}"
        folder.rename(home)
    return f"{name}: built"


@contextmanager
def alone() -> Iterator[None]:
    """Keep other builders of the same folder waiting; the kernel lets them go on however this process ends."""
    BUILT.mkdir(parents=True, exist_ok=True)
    with open(BUILT / "building.lock", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main() -> None:
    """Build what can be built."""
    with alone():
        print(build("milvus-2.5", MILVUS_CORE, None), flush=True)
        for engine in (ELASTICSEARCH, OPENSEARCH):
            print(build(engine.name, engine.home, engine), flush=True)


if __name__ == "__main__":
    main()
