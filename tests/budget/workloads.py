"""What the budget counts: small suites of every task, and what surrounds their scoring. A workload has a size, in units of its own.

A workload writes its files into the current folder and returns the work whose calls are counted; what it does before is not counted.
"""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pytest_nlpeval import cli
from tests.budget.corpora import CORPORA, Texts, exemplar
from tests.unit.baselines.repositories import commit, start

Work = Callable[[], object]
Workload = Callable[[int], Work]

SMALL = 28
"""Units of a suite in its smallest size, of which a seventh is wrong: few enough to be counted quickly."""

FEWER = {"cat": 14, "records": 7}
"""Units of tasks that make thousands of calls for each."""

SUFFIXES: Mapping[str, str] = {"labels": ".tsv", "scores": ".jsonl", "records": ".jsonl"}
"""How files end of tasks that tell a format by that; "" for the others."""

OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "are": {"subtask": 2},
    "labels": {"group": "kind"},
    "scores": {
        "repeats": 2,
        "group": "kind",
        "results": {"right": {"pass": True, "range": [0, 1]}, "seconds": {"better": "lower"}},
    },
}


def command(*arguments: str, code: int = 0) -> None:
    """Run the command in this process, with what it prints swallowed; it must end with this exit code."""
    with contextlib.redirect_stdout(io.StringIO()) as said:
        ended = cli.main(arguments)
    assert ended == code, said.getvalue()


def run(*arguments: str, code: int = 0) -> None:
    """Run `nlpeval run` of the suite in this folder, in one process, with nothing from a store."""
    command("run", "--no-cache", "--jobs=1", *arguments, code=code)


def write(texts: Texts, suffix: str = "") -> None:
    """Write a file for each role."""
    for role, text in texts.items():
        path = Path(f"{role}{suffix}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def configure(task: str, files: Mapping[str, str], *, with_intervals: bool = False, **entries: Any) -> None:
    """Write the configuration of one suite; JSON is YAML."""
    suite = {"name": "suite", "task": task, **files, "options": OPTIONS.get(task, {}), **entries}
    statistics = {"resamples": 100} if with_intervals else {"confidence": "off"}
    document = {"version": 1, "defaults": {"statistics": statistics}, "suites": [suite]}
    Path("nlpeval.yaml").write_text(json.dumps(document), encoding="utf-8")


def of_task(task: str, size: int) -> Work:
    """Score a suite of one document, with a JSON report."""
    _make(task, size)
    return partial(run, "--report=json:report.json")


def _make(task: str, size: int, *, with_intervals: bool = False, **entries: Any) -> None:
    texts, suffix = CORPORA[task](size * FEWER.get(task, SMALL)), SUFFIXES.get(task, "")
    write(texts, suffix)
    configure(task, {role: f"{role}{suffix}" for role in texts}, with_intervals=with_intervals, **entries)


def small_documents(size: int) -> Work:
    """Score documents of two units each."""
    for rank in range(size * 10):
        write(exemplar(2), f"/d{rank}.tsv")
    configure("exemplar", {role: f"{role}/{{doc}}.tsv" for role in ("gold", "system")})
    return run


def small_json_documents(size: int) -> Work:
    """Score documents of two texts with spans each, in JSON Lines."""
    record = {"text": "Ann lives in Senn", "spans": [{"start": 0, "end": 3, "label": "PER"}]}
    line = f"{json.dumps(record)}\n"
    for rank in range(size * 10):
        said = line if rank % 7 else line.replace("PER", "LOC")
        write({"gold": line * 2, "system": line + said}, f"/d{rank}.jsonl")
    configure("spans", {role: f"{role}/{{doc}}.jsonl" for role in ("gold", "system")}, options={"format": "jsonl"})
    return run


def stored_evidence(size: int) -> Work:
    """Score documents whose evidence is in a store."""
    for rank in range(size * 5):
        write(exemplar(20 + rank % 3), f"/d{rank}.tsv")
    configure("exemplar", {role: f"{role}/{{doc}}.tsv" for role in ("gold", "system")})
    work = partial(command, "run", "--jobs=1", "--cache-dir=store")
    work()
    return work


def intervals(size: int) -> Work:
    """Score a suite with intervals, by group too, and show them on the terminal alone."""
    _make("labels", size, with_intervals=True)
    return run


def intervals_in_a_report(size: int) -> Work:
    """Score a suite with intervals, by group too, and report them."""
    _make("labels", size, with_intervals=True)
    return partial(run, "--report=json:report.json")


def reports(size: int) -> Work:
    """Score a suite and write a report in every other format."""
    _make("exemplar", size)
    return partial(run, *(f"--report={name}:report.{name}" for name in ("html", "markdown", "csv", "changes")))


def validate(size: int) -> Work:
    """Check files without scoring them."""
    _make("spans", size)
    return partial(command, "validate", "--jobs=1")


def failing_gates(size: int) -> Work:
    """Say why gates fail, one for each of many labels."""
    number = 6 * size
    rows = {
        role: [f"{rank}\tlabel{(rank + 3 * (role == 'system' and rank % 7 == 3)) % number}" for rank in range(10 * number)]
        for role in ("gold", "system")
    }
    write({role: "\n".join(["id\tlabel", *lines, ""]) for role, lines in rows.items()}, ".tsv")
    configure(
        "labels", {role: f"{role}.tsv" for role in rows}, options={}, gates={f"label{rank}.f1": 1 for rank in range(number)}
    )
    return partial(run, code=1)


def _worse(size: int, items: int) -> None:
    """Write a system's output that finds no relation in the first items."""
    head, *lines = exemplar(size * SMALL)["system"].splitlines()
    found = [line.replace("founded", "---") if rank < items else line for rank, line in enumerate(lines)]
    write({"system": "\n".join([head, *found, ""])})


def baseline_file(size: int) -> Work:
    """Compare with a baseline file."""
    _make("exemplar", size)
    run("--save-baseline=baseline.json")
    _make("exemplar", size, baseline="baseline.json", with_intervals=True, gates={"f1": {"max_drop": 0}})
    _worse(size, size * SMALL // 2)
    return partial(run, "--report=json:report.json", code=1)


def history(size: int) -> Work:
    """Follow a suite over so many commits."""
    start(Path())
    _make("exemplar", 1)
    for rank in range(size + 1):
        _worse(1, rank)
        commit(Path(), f"change {rank}")
    return partial(command, "history", "--no-cache", "--report=html:history.html")


def many_suites(size: int) -> Work:
    """Score suites of tasks that take turns, none of which the commit before has."""
    start(Path())
    commit(Path())
    for task in QUICK:
        write({f"{role}/{task}": text for role, text in CORPORA[task](1).items()}, SUFFIXES.get(task, ""))
    suites = [_quick_suite(rank) for rank in range(10 * size)]
    document = {"version": 1, "defaults": {"statistics": {"confidence": "off"}, "baseline": "git:HEAD"}, "suites": suites}
    Path("nlpeval.yaml").write_text(json.dumps(document), encoding="utf-8")
    return run


QUICK = ("exemplar", "labels", "rte", "are", "spans")
"""Tasks that make few calls for a suite of one unit: two texts of a configuration for each are more than are remembered at once."""


def _quick_suite(rank: int) -> Mapping[str, Any]:
    task = QUICK[rank % len(QUICK)]
    files = {role: f"{role}/{task}{SUFFIXES.get(task, '')}" for role in ("gold", "system")}
    return {"name": f"suite{rank}", "task": task, **files, "options": OPTIONS.get(task, {})}


def merge(size: int) -> Work:
    """Merge two shards of a run."""
    for rank in range(size * 5):
        write(exemplar(20), f"/d{rank}.tsv")
    configure("exemplar", {role: f"{role}/{{doc}}.tsv" for role in ("gold", "system")})
    parts = [f"part{number}.json" for number in (1, 2)]
    for number, part in enumerate(parts, 1):
        run(f"--shard={number}/2", f"--report=evidence:{part}")
    return partial(command, "merge", *parts, "--no-cache", "--report=json:report.json")


WORKLOADS: Mapping[str, Workload] = {
    **{task: partial(of_task, task) for task in CORPORA},
    **{
        work.__name__: work
        for work in (
            small_documents,
            small_json_documents,
            stored_evidence,
            intervals,
            intervals_in_a_report,
            reports,
            validate,
            failing_gates,
            baseline_file,
            history,
            many_suites,
            merge,
        )
    },
}
"""By name."""
