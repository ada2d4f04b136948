"""What the redactor finds in folders of texts, how fast, and how long it takes over texts made to be slow.

    python scripts/measure_redaction.py --regions TR,US --show docs src

Figures are of this process's CPU time. What is found in public text is either real or a false alarm: ``--show`` tells which.
"""

from __future__ import annotations

import argparse
import random
import string
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from citewell.text.redaction import Redactor

MEGABYTE = 1_000_000
LARGEST = 3 * MEGABYTE
HOSTILE = (
    *(
        "-----BEGIN RSA PRIVATE KEY-----\n",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEabcdefghijklmnop\n",
        "AA00 ",
        "TR00 0000 0000 ",
    ),
    *(
        "a@a@a@",
        "a.",
        "1",
        "4111 ",
        "12 ",
        "eyJ",
        "Qk0xZ/+",
        "+1 ",
        "+1 11 11 11 11 ",
        "://:@",
        "a://a:a@",
        'password="',
        "\0",
    ),
    *(
        "token=a1B2c3D4e5F6;",
        "authorization: bearer ",
        "secret key ",
        "twilio ",
        "[EMAIL:3f9a]",
        "电话邮箱密码是",
        "＠１２３",
        "\\n",
    ),
    *("ada@corp.com ", "(415) 555-2671,", "0532 123 45 67\n", "4539148803436467 ", "+905321234567,"),
)


def texts(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield the texts below a folder, which are in UTF-8 and not large."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and ".git" not in path.parts and path.stat().st_size <= LARGEST:
            data = path.read_bytes()
            if b"\0" not in data:
                yield path, data.decode("utf-8", "replace")


def measure_folder(redactor: Redactor, folder: Path, *, show: bool) -> None:
    found: Counter[str] = Counter()
    size = seconds = 0.0
    for path, text in texts(folder):
        begin = time.process_time()
        findings = redactor.find(text)
        seconds += time.process_time() - begin
        size += len(text.encode()) / MEGABYTE
        found.update(finding.kind for finding in findings)
        for finding in findings if show else ():
            print(f"  {finding.kind:20} {path}: {text[finding.start : finding.end]!r:.80}")
    kinds = ", ".join(f"{kind} {count}" for kind, count in found.most_common()) or "nothing"
    print(f"{folder}: {size:.2f} MB, {size / max(seconds, 1e-9):.1f} MB/s, {found.total() / size:.1f} per MB ({kinds})")


def noise(alphabet: str) -> str:
    return "".join(random.Random(1).choices(alphabet, k=MEGABYTE))


def measure_hostile(redactor: Redactor) -> None:
    made: dict[str, Callable[[], str]] = {
        **{repr(unit): lambda unit=unit: unit * (MEGABYTE // len(unit.encode())) for unit in HOSTILE},
        "noise of base64": lambda: noise(string.ascii_letters + string.digits + "+/"),
        "noise of capitals": lambda: noise(string.ascii_uppercase + string.digits + " "),
        "noise of digits": lambda: noise(string.digits + " -+()"),
    }
    times: list[tuple[float, str]] = []
    for name, make in made.items():
        text = make()
        begin = time.process_time()
        redactor.redact(text)
        times.append((time.process_time() - begin, name))
    for seconds, name in sorted(times, reverse=True)[:8]:
        print(f"{seconds:.2f} s for 1 MB of {name:.50}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--regions", default="", help="countries whose national telephone numbers are looked for")
    parser.add_argument("--show", action="store_true", help="print what was found")
    options = parser.parse_args()
    redactor = Redactor(b"k" * 32, phone_regions=[region for region in options.regions.split(",") if region])
    redactor.redact("+90 532 123 45 67, 0532 123 45 67 and ada@corp.com")  # compiles what is compiled once
    for folder in options.folders:
        measure_folder(redactor, folder, show=options.show)
    measure_hostile(redactor)


if __name__ == "__main__":
    main()
