"""Write the committed results of benchmarks into the pages that show them, or with --check say whether they differ.

Usage: python scripts/write_figures.py [--check]
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
EXPLAINED = ("explanation/audit", "explanation/redaction", "explanation/store", "testing-engines")
PAGES = (ROOT / "README.md", *(ROOT / "docs" / f"{name}.md" for name in EXPLAINED))
RESULTS = ROOT / "docs" / "benchmarks"
SYSTEMS = ("bm25", "dense", "rrf", "auto")


def quality_table() -> str:
    """Return nDCG@10 of every system on every data set, and the Hit@1, Hit@5 and MRR@10 of auto."""
    results = json.loads((RESULTS / "quality.json").read_text(encoding="utf-8"))
    lines = [
        "| data set | BM25 | vectors | plain RRF | **auto** | Hit@1 | Hit@5 | MRR@10 |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, systems in results.items():
        ndcg = [f"{systems[system]['ndcg']:.3f}" for system in SYSTEMS]
        auto = [f"{systems['auto'][measure]:.3f}" for measure in ("hit1", "hit5", "mrr")]
        lines.append(f"| {name} | {' | '.join(ndcg[:3])} | **{ndcg[3]}** | {' | '.join(auto)} |")
    return "\n".join(lines)


def speed_table() -> str:
    """Return CPU milliseconds a query of every leg, recall, and how many times as much LanceDB takes, by share visible."""
    runs = json.loads((RESULTS / "speed.json").read_text(encoding="utf-8"))["runs"]
    lines = [
        "| chunks | visible | BM25 | vectors | hybrid p50 (p95) | recall | LanceDB hybrid |",
        "|---|---|---|---|---|---|---|",
    ]
    for run in runs:
        for share in ("100 %", "10 %", "1 %"):
            legs = run[share]
            bm25, dense = legs["bm25"]["cpu_p50"], legs["dense"]["cpu_p50"]
            hybrid = f"{legs['hybrid']['cpu_p50']:.1f} ({legs['hybrid']['cpu_p95']:.1f})"
            ratio = run["lancedb"][share]["cpu_p50"] / legs["hybrid"]["cpu_p50"]
            row = f"{share} | {bm25:.1f} | {dense:.1f} | {hybrid} | {legs['dense']['recall']:.3f} | {ratio:.0f} × as much"
            lines.append(f"| {run['chunks']:,} | {row} |")
    return "\n".join(["Milliseconds of CPU a query, without the embedding of the query:", "", *lines, "", *map(_facts, runs)])


def _facts(run: dict[str, Any]) -> str:
    start = run["start"]
    size = f"{start['disk_mb']:,.0f} MB on disk, {start['rss_anon_mb']:.0f} MB of memory beside the files"
    first = (
        f"{start['first_bm25_ms']:.0f} ms from start to the first BM25 answer, {start['first_dense_ms']:.0f} more to vectors"
    )
    floor = f"reading the bytes of the scan once takes the same machine {run['floor_ms']:.1f} ms"
    return f"{run['chunks']:,} chunks: {size}; {first}; {floor}.\n"


KINDS = {
    **{"EMAIL": "e-mail addresses", "CARD": "payment cards", "IBAN": "IBANs", "TCKN": "Turkish identity numbers"},
    **{"CN_ID": "Chinese identity numbers", "US_SSN": "US social security numbers, after a word"},
}
REAL = ("address in use", "key published as an example", "made-up address at a domain in use")


def redaction_table() -> str:
    """Return what each system finds of what is there and of what is not, and how fast."""
    results = json.loads((RESULTS / "redaction.json").read_text(encoding="utf-8"))
    systems = results["systems"]
    rows = [
        _found(results, "secrets", "secrets, in sentences and code"),
        _found(results, "formats", "secrets in formats that Kingfisher knows", ("secrets",)),
        *(_found(results, "persons", name, (kind, f"{kind}, no word", f"{kind}, own")) for kind, name in KINDS.items()),
        _found(results, "persons", "telephone numbers, after a word", ("PHONE",)),
        _found(results, "persons", "telephone numbers, without one", ("PHONE, no word",)),
        _found(results, "labelled", "values in presidio-research's sample"),
        _found(results, "look_alikes", "**look-alikes**, taken for real"),
        *_repositories(results),
    ]
    head = ["what", *(f"{name} {facts['version']}".strip() for name, facts in systems.items())]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])


def _found(results: dict[str, Any], part: str, what: str, kinds: tuple[str, ...] | None = None) -> list[str]:
    """Return a row of shares; a dash where a system has no rules for that."""
    cells, total = [], 0
    for name, facts in results["systems"].items():
        counts = results[part][name]
        chosen = [counts[kind] for kind in kinds or counts if kind in counts]
        yes, total = (sum(numbers) for numbers in zip(*chosen, strict=True))
        known = facts["secrets"] if part in ("secrets", "formats") else bool(facts["kinds"])
        known = known and (part != "persons" or kinds is None or kinds[0].split(",")[0] in facts["kinds"])
        cells.append(_percent(yes, total) if known or part == "look_alikes" else "–")
    return [f"{what} ({total:,})", *cells]


def _percent(yes: int, total: int) -> str:
    """Return a share that says 100 % only of all, and 0 % only of none."""
    share = 100 * yes / total
    return f"{share:.0f} %" if share in (0, 100) else f"{min(max(share, 0.1), 99.9):.1f} %"


def _repositories(results: dict[str, Any]) -> list[list[str]]:
    repositories, systems = results["repositories"].values(), results["systems"]
    size = sum(one["mb"] for one in repositories)
    seconds = {name: sum(one["mb"] / one["mb_per_second"][name] for one in repositories) for name in systems}
    slowest = results["slowest"]

    def found(*what: str) -> list[str]:
        return [str(sum(one["found"][name].get(key, 0) for one in repositories for key in what)) for name in systems]

    ours = next(iter(systems))
    rates = [
        f"{size / taken:.1f}" + f" (1/{taken / seconds[ours]:.0f})" * (taken > 1.5 * seconds[ours])
        for taken in seconds.values()
    ]
    worst = [f"{one['seconds']:.1f} s for {one['kilobytes']:,} kB" for one in slowest.values()]
    return [
        [
            f"found in {len(repositories)} public repositories: addresses in use, literal keys, made-up addresses",
            *found(*REAL),
        ],
        ["found there: addresses at domains for examples", *found("address at a domain for examples")],
        ["found there: **false alarms**", *found("false alarm")],
        [f"MB/s of CPU over their {size:.1f} MB", *rates],
        ["the slowest of the texts made to be slow", *worst],
    ]


def audit_sentences() -> str:
    """Return what the audit costs, in a paragraph."""
    facts = json.loads((RESULTS / "audit.json").read_text(encoding="utf-8"))
    who, tenth, most = (
        facts[f"who_saw_a_document{which}_seconds"] for which in ("", "_of_a_tenth_of_all_lines", "_of_nine_tenths")
    )
    slow, did = facts["microseconds_a_line_with_fsync"] / 1000, facts["what_a_user_did_seconds"]
    return (
        f"At {facts['lines']:,} lines ({facts['megabytes']:.0f} MB), on two cores: a line costs"
        f" {facts['microseconds_a_line']:.0f} µs, and {slow:.1f} ms where it is required and so waits for the disk."
        f" Who saw an ordinary document is told in {who:.2f} s; one that is in a tenth of all lines, in {tenth:.2f} s,"
        f" in nine tenths, in {most:.1f} s; what somebody did, in {did:.1f} s."
        f" `grep` reads the same files in {facts['grep_seconds']:.1f} s and counts lines; a loop over the JSON takes"
        f" {facts['json_loop_seconds']:.1f} s. `verify` checks {facts['check_lines_a_second']:,} lines a second."
    )


def masking_sentence() -> str:
    """Return what it costs to search only what a reader may see."""
    worst = json.loads((RESULTS / "masking.json").read_text(encoding="utf-8"))["worst_ratio"]
    return (
        f"In one run at 10,000 and 100,000 chunks, a search by a reader of half, a tenth or a hundredth of them took"
        f" {worst:.2f} times as long as by a reader of all at most (`make bench-masking`)."
    )


ENGINES = {
    "embedded": "embedded",
    "noida": "noida-db, with Qdrant's core",
    "elasticsearch": "Elasticsearch, with Qdrant's core",
    "opensearch": "OpenSearch, with Qdrant's core",
    "milvus-2.5": "Milvus Lite 2.5 (C++ core)",
    "milvus": "Milvus Lite 3 (pure Python)",
}


def fuzzed_table() -> str:
    """Return how many fuzzed filters each store was asked with, and what came of it."""
    results = json.loads((RESULTS / "fuzzed-filters.json").read_text(encoding="utf-8"))
    lines = ["| store | cases | errors | unlike the oracle | found something |", "|---|---|---|---|---|"]
    for kind, name in ENGINES.items():
        if run := results.get(kind):
            figures = (run["cases"], run["errors"], run["unlike_the_oracle"], run["found_something"])
            lines.append(f"| {name} | {' | '.join(f'{figure:,}' for figure in figures)} |")
    return "\n".join(lines)


def demo_screen() -> str:
    """Return the recorded output of the demo."""
    recorded = (RESULTS / "demo.txt").read_text(encoding="utf-8").rstrip()
    return f"```console\n{recorded}\n```"


BLOCKS = {"quality": quality_table, "speed": speed_table, "redaction": redaction_table, "demo": demo_screen}
BLOCKS |= {"audit": audit_sentences, "masking": masking_sentence, "fuzzed": fuzzed_table}


def written(text: str) -> str:
    """Return ``text`` with every marked block replaced by its figures."""
    for name, figures in BLOCKS.items():
        if f"<!-- {name} -->" in text:
            block = f"<!-- {name} -->\n{figures()}\n<!-- /{name} -->"
            text = re.sub(rf"<!-- {name} -->.*?<!-- /{name} -->", lambda _, block=block: block, text, flags=re.DOTALL)
    return text


def main() -> int:
    """Write the pages, or compare them."""
    before = {page: page.read_text(encoding="utf-8") for page in PAGES}
    after = {page: written(text) for page, text in before.items()}
    if "--check" in sys.argv:
        return int(before != after)
    for page, text in after.items():
        page.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
