"""How much of what is secret or personal is found, how often what is neither, and how fast, beside other detectors.

    python scripts/bench_redaction.py --labelled DATA/pii-secrets --json redaction.json httpx flask datasette

The folders are clones of public repositories. What is found there is a false alarm, unless somebody has looked at it and
written down what it is: by the hash of its value, in docs/benchmarks/redaction-reviewed.json. ``--show`` prints what nobody
has written down. Overlapping finds of one system count once. Times are of CPU.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import platform
import re
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from redaction_formats import formats
from redaction_peers import Find, Span, System, systems
from redaction_samples import Sample, person_samples, secret_samples
from redaction_traps import slow_texts, trap_samples

SEED = 20_261
REVIEWED = Path(__file__).resolve().parents[1] / "docs" / "benchmarks" / "redaction-reviewed.json"
REGIONS = ("US", "GB", "DE", "TR")
"""The countries whose telephone numbers are looked for in the repositories."""

LARGEST = 1_000_000
LABELS = {
    **{"EMAIL_ADDRESS": "EMAIL", "CREDIT_CARD": "CARD", "IBAN_CODE": "IBAN", "PHONE_NUMBER": "PHONE", "US_SSN": "US_SSN"},
}
"""Our kinds, for those of the labelled set; names, places, dates and domains are none of ours."""

FALSE = "false alarm"
EXAMPLE = re.compile(r"(?i)\S+@(?:[\w.-]+\.)?(?:example\.(?:com|org|net)|example|test|invalid|localhost)")
"""Addresses at the domains that RFC 2606 keeps for examples."""

SLOW_SIZES = {"citewell": 1_000_000, "citewell + kingfisher": 1_000_000}
SLOW_SIZE = 100_000
"""Bytes of the texts that are made to be slow: peers get a tenth, or they would take hours."""


class Finders:
    """What finds, by system and region: made once each."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._made: dict[tuple[str, ...], Find] = {}

    def __call__(self, text: str, regions: tuple[str, ...] = REGIONS, *, name: str = "text.txt") -> list[Span]:
        if regions not in self._made:
            self._made[regions] = self._system.for_regions(regions)
        return self._made[regions](text, name)


def is_covered(sample: Sample, found: Iterable[Span]) -> bool:
    """Say whether no character of the value is left."""
    position = sample.start
    for start, end, _ in sorted(found):
        if start <= position < end:
            position = end
    return position >= sample.end


def is_touched(sample: Sample, found: Iterable[Span]) -> bool:
    return any(start < sample.end and sample.start < end for start, end, _ in found)


def counted(
    samples: list[Sample], find: Finders, judge: Callable[[Sample, Iterable[Span]], bool]
) -> dict[str, tuple[int, int]]:
    """Return for every kind how many samples ``judge`` says yes to, and of how many."""
    yes: Counter[str] = Counter()
    for sample in samples:
        regions = (sample.region,) if sample.region else REGIONS
        yes[sample.kind] += judge(sample, find(sample.text, regions))
    return {kind: (yes[kind], total) for kind, total in Counter(sample.kind for sample in samples).items()}


def by_issuer(counts: dict[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """Return how many secrets were found, and of how many formats every one."""
    found, total = (sum(numbers) for numbers in zip(*counts.values(), strict=True))
    return {"secrets": (found, total), "formats": (sum(yes == of for yes, of in counts.values()), len(counts))}


def labelled_samples(path: Path) -> list[Sample]:
    """Return the values of our kinds in a file of labelled texts."""
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [
        Sample(LABELS[span["type"]], line["text"], span["start"], span["end"])
        for line in lines
        for span in line["spans"]
        if span["type"] in LABELS
    ]


def texts_of(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the texts below ``folder`` by their paths, without large ones and what is no text."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and ".git" not in path.parts and path.stat().st_size <= LARGEST:
            data = path.read_bytes()
            if b"\0" not in data:
                yield f"{folder.name}/{path.relative_to(folder)}", data.decode("utf-8", "replace")


def hash_of(value: str) -> str:
    return hashlib.sha256(value.encode()).hexdigest()[:12]


def masked(value: str) -> str:
    return f"{value[:3]}…{value[-2:]} ({len(value)})".replace("\n", "\\n")


def merged(spans: Iterable[Span]) -> list[Span]:
    """Return ``spans`` with those that overlap as one."""
    made: list[Span] = []
    for start, end, kind in sorted(spans):
        if made and start < made[-1][1]:
            made[-1] = (made[-1][0], max(end, made[-1][1]), made[-1][2])
        else:
            made.append((start, end, kind))
    return made


def classes(text: str, found: dict[str, list[Span]], reviewed: dict[str, str]) -> Iterator[tuple[str, Span, str]]:
    """Yield what each system found in ``text``, with what it is; what overlaps something that is known is the same."""
    known = [
        (span, what)
        for spans in found.values()
        for span in spans
        if (what := reviewed.get(hash_of(text[span[0] : span[1]]))) is not None
    ]
    for name, spans in found.items():
        for span in merged(spans):
            same = [what for (start, end, _), what in known if span[0] < end and start < span[1]]
            reserved = "address at a domain for examples" if EXAMPLE.fullmatch(text[span[0] : span[1]]) else FALSE
            yield name, span, same[0] if same else reserved


def scan(folder: Path, finders: dict[str, Finders], reviewed: dict[str, str], *, show: bool) -> dict[str, Any]:
    """Return what each system finds in a repository, by what it is, and how fast it was."""
    texts = list(texts_of(folder))
    size = sum(len(text.encode()) for _, text in texts) / 1e6
    found: dict[str, list[list[Span]]] = {}
    rates = {}
    for name, find in finders.items():
        find("")  # loads what is loaded once
        begin = time.process_time()
        found[name] = [find(text, name=Path(path).name) for path, text in texts]
        rates[name] = round(size / (time.process_time() - begin), 2)
    told: dict[str, Counter[str]] = {name: Counter() for name in finders}
    for number, (path, text) in enumerate(texts):
        for name, span, what in classes(text, {name: spans[number] for name, spans in found.items()}, reviewed):
            told[name][what] += 1
            if show and what == FALSE:
                value, line = text[span[0] : span[1]], text.count("\n", 0, span[0]) + 1
                print(f"  {name:21} {span[2]:24} {path}:{line} {masked(value)} {hash_of(value)}")
    return {"commit": commit_of(folder), "mb": round(size, 2), "found": told, "mb_per_second": rates}


def commit_of(folder: Path) -> str:
    command = ["git", "-C", str(folder), "rev-parse", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def slowest(name: str, find: Finders) -> dict[str, Any]:
    """Return how long the worst of the texts takes that are made to be slow."""
    size = SLOW_SIZES.get(name, SLOW_SIZE)
    worst = (0.0, "")
    for what, text in slow_texts(size):
        begin = time.process_time()
        find(text)
        worst = max(worst, (time.process_time() - begin, what))
    return {"seconds": round(worst[0], 2), "kilobytes": size // 1000, "text": worst[1][:40]}


def bench(options: argparse.Namespace) -> dict[str, Any]:
    installed = [system for system in systems() if isinstance(system, System) or print(system)]
    finders = {system.name.split("/")[0]: Finders(system) for system in installed if isinstance(system, System)}
    secrets, persons = list(secret_samples(SEED, options.each)), list(person_samples(SEED, options.each))
    traps, forms = list(trap_samples(SEED, options.each)), list(formats(SEED))
    results: dict[str, Any] = {
        "machine": platform.processor() or platform.machine(),
        "systems": {system.name.split("/")[0]: described(system) for system in installed if isinstance(system, System)},
        "secrets": {name: counted(secrets, find, is_covered) for name, find in finders.items()},
        "formats": {name: by_issuer(counted(forms, find, is_covered)) for name, find in finders.items()},
        "persons": {name: counted(persons, find, is_covered) for name, find in finders.items()},
        "look_alikes": {name: counted(traps, find, is_touched) for name, find in finders.items()},
    }
    if options.labelled and options.labelled.exists():
        samples = labelled_samples(options.labelled)
        results["labelled"] = {name: counted(samples, find, is_covered) for name, find in finders.items()}
    else:
        print(f"left out: the labelled set, which is not at {options.labelled}")
    reviewed = json.loads(REVIEWED.read_text(encoding="utf-8"))
    results["repositories"] = {
        folder.name: scan(folder, finders, reviewed, show=options.show) for folder in map(Path, options.repositories)
    }
    results["slowest"] = {name: slowest(name, find) for name, find in finders.items()} if not options.quick else {}
    return results


def described(system: System) -> dict[str, Any]:
    return {"version": system.name.partition("/")[2], "kinds": sorted(system.kinds), "secrets": system.secrets}


def share(counts: dict[str, tuple[int, int]], kinds: Iterable[str] | None = None) -> str:
    chosen = counts.values() if kinds is None else [counts[kind] for kind in kinds if kind in counts]
    yes, total = (sum(numbers) for numbers in zip(*chosen, strict=True)) if chosen else (0, 0)
    return f"{yes}/{total}"


def report(results: dict[str, Any]) -> str:
    lines = []
    for part in ("secrets", "formats", "persons", "look_alikes", "labelled"):
        for name, counts in results.get(part, {}).items():
            detail = ", ".join(
                f"{kind} {yes}/{total}" for kind, (yes, total) in counts.items() if part not in ("secrets", "formats")
            )
            lines.append(f"{part:12} {name:21} {share(counts)}  {detail}")
    for repository, figures in results["repositories"].items():
        for name, found in figures["found"].items():
            lines.append(f"{repository:12} {name:21} {dict(found)}, {figures['mb_per_second'][name]} MB/s")
    lines += [f"slowest      {name:21} {figures}" for name, figures in results["slowest"].items()]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="*", help="folders of clones")
    parser.add_argument("--labelled", type=Path, help="a file of labelled texts, one JSON object a line")
    parser.add_argument("--each", type=int, default=60, help="how many values of every kind and locale")
    parser.add_argument("--show", action="store_true", help="print what is found in the repositories and not reviewed")
    parser.add_argument("--quick", action="store_true", help="without the texts that are made to be slow")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    results = bench(options)
    print(report(results))
    if options.json:
        written = re.sub(r"\[\s+(\d+),\s+(\d+)\s+\]", r"[\1, \2]", json.dumps(results, indent=1, ensure_ascii=False))
        options.json.write_text(written + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
