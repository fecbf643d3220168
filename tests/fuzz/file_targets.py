"""Targets that read one file: a configuration, a baseline file, a shard's evidence, a JSON report (then rendered), the store's database."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp
from zlib import crc32

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from pytest_nlpeval import ConfigError, NlpevalError, evaluate, load_suites
from pytest_nlpeval.baselines.circumstances import circumstances_of
from pytest_nlpeval.baselines.stored import baseline_text, read_stored
from pytest_nlpeval.config.sharding import Shard
from pytest_nlpeval.config.suite import Baseline, Choices, File
from pytest_nlpeval.files import json_schema
from pytest_nlpeval.problems import Problem
from pytest_nlpeval.reports import render
from pytest_nlpeval.reports.formats import formats_of
from pytest_nlpeval.reports.kinds import RUN
from pytest_nlpeval.reports.run.document import report_of
from pytest_nlpeval.reports.stored import stored_report
from pytest_nlpeval.reports.view import Setting
from pytest_nlpeval.run.conclusion import conclude
from pytest_nlpeval.run.engine import Engine
from pytest_nlpeval.run.evidence_file import evidence_log, evidence_pieces, read_evidence
from pytest_nlpeval.run.merging import _part
from pytest_nlpeval.run.sharding import Selection, settings_of
from pytest_nlpeval.run.store import FILE, Entry, EvidenceStore
from pytest_nlpeval.tasks import TASKS
from tests.fuzz.task_targets import check_problems, check_result, seeds_of_task, suite_of_input

REPOSITORY = Path(__file__).parent.parent.parent
MOST_SEEDS = 2
"""How many cases of each task become seeds of baseline files and reports."""


@cache
def _folder(process: int) -> Path:
    """Return the folder of a process, in memory where the system has files there."""
    memory = Path("/dev/shm")
    return Path(mkdtemp(prefix="nlpeval-fuzz-", dir=memory if memory.is_dir() else None))


def written(name: str, data: bytes | None) -> Path:
    """Return the path of a file of this process's own, after writing it, or removing it where there are no bytes."""
    path = _folder(os.getpid()) / name
    if data is None:
        path.unlink(missing_ok=True)
    else:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    return path


def _check_schema(path: Path, schema: str) -> None:
    """Check that a JSON file which was accepted follows its schema, all of it: readers look at one of many like parts."""
    error = best_match(Draft202012Validator(json_schema(schema)).iter_errors(json.loads(path.read_text(encoding="utf-8-sig"))))
    if error is not None:
        raise AssertionError(f"accepted, although {error.message[:200]}")


def run_configuration(data: bytes) -> None:
    """Load a configuration, and work out the gates of its suites."""
    path = written("nlpeval.yaml", data)
    for name, text in (("gold.tsv", b"id\tlabel\n1\ta\n2\tb\n"), ("system.tsv", b"id\tlabel\n1\ta\n2\ta\n")):
        if not path.with_name(name).exists():
            written(name, text)
    try:
        suites = load_suites(path)
    except ConfigError as error:
        check_problems(error.problems, {path.name: data})
        if not error.problems:
            raise AssertionError("refused without a word") from error
        return
    for suite in suites:
        suite.gates(suite.measures(None))


def seeds_of_configurations() -> Iterator[bytes]:
    """Yield the configurations of the examples."""
    first = b"version: 1\nsuites:\n  - {name: dev, task: labels, gold: gold.tsv, system: system.tsv, "
    yield first + b"gates: {accuracy: 0.5, '*_f1': {min: 0.2, max_drop: 0.1}}}\n"
    for path in sorted(REPOSITORY.glob("examples/**/nlpeval.yaml")):
        yield path.read_bytes()


def run_baseline(data: bytes) -> None:
    """Read a baseline file; what is one is written and read again, and a suite is compared with it."""
    file = File(str(written("base.json", data)), "base.json")
    try:
        origin, runs = read_stored(file)
    except NlpevalError as error:
        if not error.problems:
            raise AssertionError("refused without a word") from error
        return
    _check_schema(Path(file.path), "baseline.schema.json")
    text = baseline_text(runs, origin)
    again = File(str(written("again.json", text.encode())), "again.json")
    if baseline_text(*read_stored(again)[::-1]) != text:
        raise AssertionError("another text when written again")
    for task in {run.circumstances.task for run in runs.values() if run.circumstances} & TASKS.keys():
        suite = suite_of_input(task, _first_valid(task))
        if suite is not None:
            names = [name for name, run in runs.items() if run.circumstances and run.circumstances.task == task]
            result = evaluate(replace(suite, name=names[0], baseline=Baseline("base.json", file=file)))
            check_result(result, {})
            render("json", report_of([result]))


@cache
def _first_valid(task: str) -> bytes:
    return next(_valid_seeds(task))


def _valid_seeds(task: str) -> Iterator[bytes]:
    for seed in seeds_of_task(task):
        suite = suite_of_input(task, seed)
        if suite is not None and evaluate(suite).outcome == "ok":
            yield seed


def seeds_of_baselines() -> Iterator[bytes]:
    """Yield baseline files of small valid cases of each task."""
    for task in TASKS:
        for _, seed in zip(range(MOST_SEEDS), _valid_seeds(task), strict=False):
            suite = suite_of_input(task, seed)
            if suite is not None:
                run = evaluate(suite, explain=True).run
                yield baseline_text({task: replace(run, circumstances=circumstances_of(suite))}).encode()


def run_evidence(data: bytes) -> None:
    """Take an evidence file, whose digest is always right, for what a shard has counted; what it says is judged and reported.

    Each of its suites is that of the task it is called after, with the first valid case of that task.
    """
    content, sign, _ = data.rpartition(b'"sha256"')
    body = (content if sign else data).rstrip() + b"\n"
    seal = b'"sha256": "%s"}\n' % sha256(body).hexdigest().encode()
    log = evidence_log("part.json")
    path = written("part.json", body + seal)
    file = read_evidence(path, log)
    if (file is None) != log.has_errors:
        raise AssertionError("refused without a word")
    if file is not None:
        _check_schema(path, "evidence.schema.json")
    for key in file.suites if file else ():
        suite = suite_of_input(key[1], _first_valid(key[1])) if key[1] in TASKS else None
        if file is None or suite is None or not file.shard.share(suite).cases:
            continue
        suite = replace(suite, name=key[1])
        settings = {"settings": settings_of(suite.recipe)}  # which are others with every change of the program
        part = _part(replace(file, suites={key: {**file.suites[key], **settings}}), suite, key)
        if isinstance(part, Problem):
            check_problems([part], {})
            continue
        result = conclude(suite, part)
        check_result(result, {})
        formats = sorted(formats_of(RUN.name))
        render(formats[crc32(data) % len(formats)], report_of([result]))


def seeds_of_evidence() -> Iterator[bytes]:
    """Yield the evidence files of small valid cases of each task."""
    for task in TASKS:
        for _, seed in zip(range(MOST_SEEDS), _valid_seeds(task), strict=False):
            suite = suite_of_input(task, seed)
            if suite is not None:
                suite = replace(suite, name=task)
                part = Engine(explain=True, digests=True).count(suite)
                yield "".join(evidence_pieces(Shard(1, 1), [suite], [part], Selection(Choices()))).encode()


def run_report(data: bytes) -> None:
    """Read a JSON report and render it in every format that a run has; what is rendered as JSON is a report again."""
    path = written("report.json", data)
    try:
        report = stored_report(path)
    except NlpevalError as error:
        if not error.problems:
            raise AssertionError("refused without a word") from error
        return
    _check_schema(path, "report.schema.json")
    for name in formats_of(RUN.name):
        render(name, report, Setting(limit=4000 if name == "markdown" else None))
    text = render("json", report)
    if render("json", stored_report(written("again.json", text.encode()))) != text:
        raise AssertionError("another text when rendered again")


def seeds_of_reports() -> Iterator[bytes]:
    """Yield JSON reports of small cases of each task, valid and invalid ones, and one with gates and a baseline."""
    for task in TASKS:
        for _, seed in zip(range(2 * MOST_SEEDS), seeds_of_task(task), strict=False):
            suite = suite_of_input(task, seed)
            if suite is not None:
                yield render("json", report_of([evaluate(suite, explain=True)])).encode()
    for path in REPOSITORY.glob("examples/groups/nlpeval.yaml"):
        yield render("json", report_of([evaluate(suite) for suite in load_suites(path)])).encode()


def run_store(data: bytes) -> None:
    """Use a database that somebody else wrote as a store: it is used or begun anew, and keeps an entry."""
    path = written(FILE, data)
    for end in ("-wal", "-shm", "-journal"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    store, key = EvidenceStore(path.parent), b"key"
    entry: Entry = {"evidence": None, "problems": [], "explanations": None}
    if store.get([key]):
        raise AssertionError("an entry that nobody stored")
    store.put({key: entry})
    if store.get([key]) not in ({}, {key: entry}):
        raise AssertionError("another entry than was stored")
    store.close()


def seeds_of_stores() -> Iterator[bytes]:
    """Yield a store with an entry, and no database at all."""
    folder = Path(mkdtemp(prefix="nlpeval-fuzz-"))
    store = EvidenceStore(folder)
    store.put({b"another": {"evidence": None, "problems": [], "explanations": None}})
    store.close()
    yield (folder / FILE).read_bytes()
    yield b""
    yield b"SQLite format 3\x00"
