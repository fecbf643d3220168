"""The table of targets. A target takes any bytes; it raises if the program breaks a promise, and returns if the bytes are merely wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from pytest_nlpeval.tasks import TASKS
from tests.fuzz import file_targets, task_targets


@dataclass(frozen=True, slots=True)
class Target:
    """What is called with any bytes, and the inputs that mutation begins with."""

    run: Callable[[bytes], None]
    seeds: Callable[[], Iterable[bytes]]


TARGETS = {
    **{
        task: Target(partial(task_targets.run_task, task), partial(task_targets.seeds_of_task, task))
        for task in ("text", "ranking", "scores", "labels", "qa", "spans", *TASKS)
    },
    "configuration": Target(file_targets.run_configuration, file_targets.seeds_of_configurations),
    "baseline": Target(file_targets.run_baseline, file_targets.seeds_of_baselines),
    "report": Target(file_targets.run_report, file_targets.seeds_of_reports),
    "store": Target(file_targets.run_store, file_targets.seeds_of_stores),
    "entry": Target(task_targets.run_entry, task_targets.seeds_of_entries),
}
