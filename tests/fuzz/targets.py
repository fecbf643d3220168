"""The table of targets. A target takes any bytes; it raises if the program breaks a promise, and returns if the bytes are merely wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from pytest_nlpeval.tasks import TASKS
from tests.fuzz import file_targets, project_targets, reading_targets, task_targets

MOST_BYTES = 8192


@dataclass(frozen=True, slots=True)
class Target:
    """What is called with any bytes, the inputs that mutation begins with, and how long an input is, unless a seed is longer."""

    run: Callable[[bytes], None]
    seeds: Callable[[], Iterable[bytes]]
    most_bytes: int = MOST_BYTES


def _reading(run: Callable[[bytes], None], seeds: Callable[[], Iterable[bytes]]) -> Target:
    return Target(run, seeds, reading_targets.MOST_BYTES)


_NAMES = tuple(dict.fromkeys(("text", "ranking", "scores", "labels", "qa", "spans", *TASKS)))


TARGETS = {
    **{task: Target(partial(task_targets.run_task, task), partial(task_targets.seeds_of_task, task)) for task in _NAMES},
    "project": Target(project_targets.run_project, project_targets.seeds_of_projects),
    "recognition": Target(project_targets.run_recognition, project_targets.seeds_of_recognition),
    "configuration": Target(file_targets.run_configuration, file_targets.seeds_of_configurations),
    "baseline": Target(file_targets.run_baseline, file_targets.seeds_of_baselines),
    "evidence": Target(file_targets.run_evidence, file_targets.seeds_of_evidence),
    "report": Target(file_targets.run_report, file_targets.seeds_of_reports),
    "store": Target(file_targets.run_store, file_targets.seeds_of_stores),
    "entry": Target(task_targets.run_entry, task_targets.seeds_of_entries),
    **{
        f"read-{task}": _reading(partial(reading_targets.run_readers, task), partial(reading_targets.seeds_of_readers, task))
        for task in _NAMES
    },
    "json": _reading(reading_targets.run_json, partial(reading_targets.seeds_of_files, ".json")),
    "json-lines": _reading(reading_targets.run_json_lines, partial(reading_targets.seeds_of_files, ".jsonl")),
    "csv": _reading(reading_targets.run_csv, partial(reading_targets.seeds_of_files, ".csv")),
    "yaml": _reading(reading_targets.run_yaml, partial(reading_targets.seeds_of_files, ".yaml")),
    "xml": _reading(reading_targets.run_xml, partial(reading_targets.seeds_of_files, ".xml")),
}
"""Three kinds of targets.

A task's name: options, and a file for each role, are read, validated, counted, measured and reported as in a run. `read-` and a task's
name: they are only read and validated, from memory, which is several times as fast. The others: what the name says, read from one file.
"""
