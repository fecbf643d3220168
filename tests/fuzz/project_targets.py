"""Targets that judge a folder.

`project`: a configuration with gates, guards, groups and profiles, a `pyproject.toml`, and the files they name. `recognition`: gold and
a system, for which a configuration is written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any
from zlib import crc32

import yaml

from pytest_nlpeval import ConfigError, SuiteResult, evaluate, load_suites
from pytest_nlpeval.config.suite import Statistics
from pytest_nlpeval.reports import render
from pytest_nlpeval.reports.formats import formats_of
from pytest_nlpeval.reports.found import FoundSuite, configuration, suite_name
from pytest_nlpeval.reports.kinds import RUN
from pytest_nlpeval.reports.run.document import report_of
from pytest_nlpeval.run.recognition.deciding import grouped, recognised
from pytest_nlpeval.tasks import TASKS
from tests.fuzz.file_targets import written
from tests.fuzz.parts import joined, split
from tests.fuzz.task_targets import check_problems, check_result, seeds_of_task

CONFIGURATION = "nlpeval.yaml"

NAMES = (
    CONFIGURATION,
    "gold.tsv",
    "system.tsv",
    "system.jsonl",
    "must.txt",
    "known.txt",
    "groups.tsv",
    "schema.json",
    "pyproject.toml",
)
"""What a folder may hold. A part of another name is no file of it, since a name is a path."""

MOST_SUITES = 3
_PROFILES = (None, "release")


def run_project(data: bytes) -> None:
    """Judge the suites of a folder under one of two profiles, check that each gate by name has a verdict, and report them."""
    parts = {name: content for name, content in split(data).items() if name in NAMES}
    paths = {name: written(f"project/{name}", parts.get(name)) for name in NAMES}
    draw = crc32(data)
    profile = _PROFILES[draw % 2]
    try:
        suites = load_suites(paths[CONFIGURATION], profile=profile)[:MOST_SUITES]
    except ConfigError as error:
        check_problems(error.problems, parts)
        if not error.problems:
            raise AssertionError("refused without a word") from error
        return
    results = [evaluate(replace(suite, statistics=_quick(suite.statistics), baseline=None), explain=True) for suite in suites]
    for result in results:
        check_result(result, {})
        check_problems(result.all_problems(), parts)
        _check_gates(result, parts[CONFIGURATION], profile)
    formats = sorted(formats_of(RUN.name))
    render(formats[draw // 2 % len(formats)], report_of(results))


def _quick(statistics: Statistics) -> Statistics:
    return replace(statistics, resamples=min(statistics.resamples, 50))


def _check_gates(result: SuiteResult, text: bytes, profile: str | None) -> None:
    """Check that whatever gate a suite has by the name of a measure is judged, or said to be wrong."""
    try:
        entries = yaml.safe_load(text)["suites"]
    except (yaml.YAMLError, ValueError, TypeError):
        return  # this reader is of another version of YAML
    told = {verdict.measure for verdict in result.verdicts}
    if any(problem.severity == "error" for problem in result.problems):
        return
    for entry in entries:
        if entry.get("name") in (result.suite.name, result.suite.name.rpartition("/")[0]):
            layers = (entry.get("gates") or {}, (entry.get("profiles") or {}).get(profile) or {})
            names = {name for layer in layers for name in layer if isinstance(name, str) and "*" not in name}
            if not names <= told:
                raise AssertionError(f"not judged: {sorted(names - told)}")


_LABELS: Mapping[str, bytes] = {
    "gold.tsv": b"id\tlabel\tdomain\n"
    + b"".join(b"q%d\t%s\t%s\n" % (n, b"ab"[n % 2 :][:1], b"xyz"[n % 3 :][:1]) for n in range(9)),
    "system.tsv": b"id\tlabel\n" + b"".join(b"q%d\t%s\n" % (n, b"ab"[n % 4 // 3 :][:1]) for n in range(9)),
    "must.txt": b"# these\nq0\nq4\n",
    "known.txt": b"q1\nq3\nq5\n",
    "pyproject.toml": b"[tool.other]\nnlpeval = 1\n",
}

_RECORDS: Mapping[str, bytes] = {
    "gold.tsv": b"id\tname\tage\nr1\tAda\t36\nr2\tBo\t7\n",
    "system.jsonl": b'{"id": "r1", "name": "Ada", "age": 36}\n{"id": "r2", "name": "Bob", "age": "7"}\n',
    "groups.tsv": b"document\tgroup\nr1\tnews\nr2\tlaw\n",
    "schema.json": json.dumps(
        {
            "$defs": {"age": {"type": "integer", "minimum": 0, "maximum": 150}},
            "type": "object",
            "properties": {"name": {"type": "string", "pattern": "^[A-Z]", "maxLength": 9}, "age": {"$ref": "#/$defs/age"}},
            "required": ["name"],
            "additionalProperties": False,
        }
    ).encode(),
}


def run_recognition(data: bytes) -> None:
    """Find out what two files are; the configuration that is written for them loads, scores what was scored, and all its gates hold."""
    names = {name.partition(".")[0]: name for name in split(data) if _FILE.fullmatch(name)}
    if len(names) < 2:
        return
    folder = written("recognition/x", None).parent
    for path in folder.glob("*"):
        path.unlink()
    for name in names.values():
        written(f"recognition/{name}", split(data)[name])
    for found in grouped(recognised(names["gold"], names["system"], folder)):
        suite = found.calls[0].suite(folder)
        result = evaluate(replace(suite, statistics=_quick(suite.statistics)))
        check_result(result, {})
        if result.outcome != "ok":
            continue
        text = configuration([FoundSuite(suite_name(found, {}), found, [result])])
        (again,) = load_suites(written(f"recognition/{CONFIGURATION}", text.encode()))
        judged = evaluate(replace(again, statistics=_quick(again.statistics)))
        check_result(judged, {})
        if judged.outcome != "ok" or judged.scores != result.scores:
            raise AssertionError("a new configuration fails, or scores otherwise")


_FILE = re.compile(r"(gold|system)\.[a-z]{1,8}")
MOST_SEEDS = 8


def seeds_of_recognition() -> Iterator[bytes]:
    """Yield small cases of each task in which all is right."""
    for task in TASKS:
        yield from islice(seeds_of_task(task, "valid/perfect*"), MOST_SEEDS)


def seeds_of_projects() -> Iterator[bytes]:
    """Yield folders of two tasks, with each kind of gate that needs no baseline, lists of units, groups, profiles and a schema."""
    labels: dict[str, Any] = {"name": "a", "task": "labels", "gold": "gold.tsv", "system": "system.tsv"}
    records: dict[str, Any] = {
        "name": "r",
        "task": "records",
        "gold": "gold.tsv",
        "system": {"one": "system.jsonl", "two": "gold.tsv"},
    }
    lists = {"must_pass": "must.txt", "known_failures": "known.txt"}
    for gates, more in (
        ({"accuracy": 0.5, "*.f1": {"min": 0.2, "informational": True}}, {"options": {"group": "domain"}}),
        ({"accuracy": {"min": 0.1, **lists}, "macro.f1": {"max": 0.9}}, {"profiles": {"release": {"accuracy": 0.9}}}),
        ({"group.*.accuracy": 0.3, "accuracy": {"must_pass": ["q0"], "strict": True}}, {"options": {"group": "domain"}}),
        ({"a.precision": {"min": 0.1, "max": 1}}, {"rules": {"labels.missing-id": "warning"}, "judged_by": "test"}),
    ):
        yield _folder({**labels, "gates": gates, **more}, _LABELS)
    yield _folder({**records, "gates": {"exact": 0.4, "valid": {"min": 0.5}}, "schema": "schema.json"}, _RECORDS)
    yield _folder({**records, "gates": {"micro.f1": 0.2}, "options": {"group": {"documents": "groups.tsv"}}}, _RECORDS)


def _folder(suite: Mapping[str, Any], files: Mapping[str, bytes]) -> bytes:
    text = yaml.safe_dump({"version": 1, "suites": [dict(suite)]}, sort_keys=False)
    return joined({CONFIGURATION: text.encode(), **files})
