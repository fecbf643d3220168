"""Records of ten fields, and long lists: how long it takes to read, check and score them, against `json.loads` of the lines alone.

    python benchmarks/records_flat.py [RECORDS]

Makes files of that many flat records (100,000 unless said otherwise) in a temporary folder: texts, dates, numbers and a boolean, the
system's in another order, of which one field in twenty is wrong and one in fifty is missing. Prints seconds of the processor, medians of
three turns that follow one another: `json.loads` of each line of both files, and this package from the files to the scores, in this process
without intervals, and as the whole command with its start, its intervals and its explanations, of which the store has the evidence from
the second turn on, and once more without a store. Then one record with a list of 500 objects against one of
1,000 of which a tenth is not identical, one of which nothing is (the most that may be compared is 1,000,000 pairs), and lists of 1,000
objects with a key. Compare within one run.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from pytest_nlpeval import evaluate
from pytest_nlpeval.config.adhoc import suite_of_paths
from pytest_nlpeval.config.suite import Statistics

WORDS = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliett", "kilo", "lima"]
COMPARE: dict[str, Any] = {"total": "number", "tax": "number", "date": "date"}


def flat_record(chance: random.Random) -> dict[str, Any]:
    """Return a record of ten fields."""
    return {
        "vendor": " ".join(chance.choices(WORDS, k=3)),
        "city": chance.choice(WORDS),
        "date": f"2024-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}",
        "total": round(chance.random() * 1000, 2),
        "tax": round(chance.random() * 100, 2),
        "count": chance.randint(1, 50),
        "paid": chance.random() < 0.5,
        "currency": chance.choice(["EUR", "USD", "CHF"]),
        "category": chance.choice(WORDS),
        "note": " ".join(chance.choices(WORDS, k=5)),
    }


def held_object(sku: str, chance: random.Random) -> dict[str, Any]:
    """Return an object of five fields: a record may have 5,000 values in all."""
    record = flat_record(chance)
    return {"sku": sku, **{key: record[key] for key in ("vendor", "date", "total", "count")}}


def answered(record: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Return the record with one field in twenty wrong, and one in fifty missing."""
    other = flat_record(chance)
    return {
        key: other.get(key, value) if chance.random() < 0.05 else value
        for key, value in record.items()
        if chance.random() >= 0.02
    }


def write_lines(path: Path, records: list[dict[str, Any]]) -> Path:
    """Write records as JSON Lines."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def write_flat(folder: Path, number: int) -> tuple[Path, Path]:
    """Write the flat records of both sides."""
    chance = random.Random(1)
    gold = [{"id": f"d{rank}", **flat_record(chance)} for rank in range(number)]
    system = [
        {"id": record["id"], **answered({key: value for key, value in record.items() if key != "id"}, chance)} for record in gold
    ]
    chance.shuffle(system)
    return write_lines(folder / "gold.jsonl", gold), write_lines(folder / "system.jsonl", system)


def parsed(*paths: Path) -> None:
    """Parse each line of files."""
    for path in paths:
        with path.open(encoding="utf-8") as file:
            for line in file:
                json.loads(line)


def scored(gold: Path, system: Path, compare: dict[str, Any]) -> None:
    """Score files in this process, without intervals."""
    suite = suite_of_paths("records", {"gold": gold, "system": system}, {"compare": compare}, Path.cwd())
    result = evaluate(replace(suite, statistics=Statistics(confidence=None)))
    if result.outcome != "ok":
        raise SystemExit(str(result.all_problems()))


def seconds(function: Callable[[], object]) -> float:
    """Return the seconds of the processor that a call takes, those of child processes included."""
    before = sum(_times())
    function()
    return sum(_times()) - before


def _times() -> tuple[float, ...]:
    import resource

    own = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return tuple(usage.ru_utime + usage.ru_stime for usage in own)


def compare_flat(folder: Path, number: int) -> None:
    """Print the times of flat records."""
    gold, system = write_flat(folder, number)
    options = [f"--option=compare={json.dumps(COMPARE)}"]
    command = [sys.executable, "-m", "pytest_nlpeval", "score", "records", f"--gold={gold}", f"--system={system}", *options]
    turns: dict[str, list[float]] = {"json.loads": [], "in process": [], "command, stored": [], "command, without a store": []}
    for _ in range(3):
        turns["json.loads"].append(seconds(lambda: parsed(gold, system)))
        turns["in process"].append(seconds(lambda: scored(gold, system, COMPARE)))
        for name, arguments in (("command, stored", command), ("command, without a store", [*command, "--no-cache"])):
            turns[name].append(seconds(partial(subprocess.run, arguments, capture_output=True, check=True, cwd=folder)))
    bare = statistics.median(turns["json.loads"])
    for name, times in turns.items():
        print(
            f"{number:,} flat records, {name}: {statistics.median(times):.2f} s, {statistics.median(times) / bare:.1f} times json.loads"
        )


def compare_lists(folder: Path) -> None:
    """Print the times of single records with long lists."""
    chance = random.Random(2)
    objects = [held_object(f"s{rank}", chance) for rank in range(500)]
    noisy = [answered(held, chance) if chance.random() < 0.1 else held for held in objects]
    spare = [held_object(f"t{rank}", chance) for rank in range(500)]
    other = [held_object(f"u{rank}", chance) for rank in range(1000)]
    keyed = [held_object(f"s{rank}", chance) for rank in range(1000)]
    wrong = [{**answered(held, chance), "sku": held["sku"]} for held in keyed]
    for what, mine, theirs, rule in (
        ("500 objects against 1,000, a tenth not identical", objects, noisy + spare, "multiset"),
        ("500 objects against 1,000, nothing identical", objects, other, "multiset"),
        ("1,000 objects against 1,000, by key", keyed, wrong, {"key": "sku"}),
    ):
        gold = write_lines(folder / "gold-list.jsonl", [{"id": 1, "items": mine}])
        system = write_lines(folder / "system-list.jsonl", [{"id": 1, "items": chance.sample(theirs, len(theirs))}])
        start = time.process_time()
        scored(gold, system, {"items": rule})
        print(f"{what}: {time.process_time() - start:.2f} s", flush=True)


def main() -> None:
    """Run the benchmark."""
    with tempfile.TemporaryDirectory() as folder:
        compare_flat(Path(folder), int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
        compare_lists(Path(folder))


if __name__ == "__main__":
    main()
