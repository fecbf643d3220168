"""The tasks: one explicit table, and the entry-point group through which others join."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, cast

from pytest_nlpeval.entry_points import load_point
from pytest_nlpeval.libraries import metadata
from pytest_nlpeval.task import Deferred, Task

TASKS = {
    "are": "pytest_nlpeval.tasks.are:TASK",
    "best": "pytest_nlpeval.tasks.best:TASK",
    "cat": "pytest_nlpeval.tasks.cat:TASK",
    "coref": "pytest_nlpeval.tasks.coref:TASK",
    "exemplar": "pytest_nlpeval.tasks.exemplar:TASK",
    "labels": "pytest_nlpeval.tasks.labels:TASK",
    "qa": "pytest_nlpeval.tasks.qa:TASK",
    "ranking": "pytest_nlpeval.tasks.ranking:TASK",
    "records": "pytest_nlpeval.tasks.records:TASK",
    "rte": "pytest_nlpeval.tasks.rte:TASK",
    "scores": "pytest_nlpeval.tasks.scores:TASK",
    "spans": "pytest_nlpeval.tasks.spans:TASK",
    "text": "pytest_nlpeval.tasks.text:TASK",
    "ud": "pytest_nlpeval.tasks.ud:TASK",
}
"""The tasks of this package: name to `module:attribute`, imported when first used."""

FIRST = "rte"
"""The task of a new configuration, unless said otherwise."""

ENTRY_POINT_GROUP = "nlpeval.tasks"


def task_names() -> tuple[str, ...]:
    """Return the names of all tasks, those of installed packages included, sorted."""
    return tuple(sorted({*TASKS, *(point.name for point in metadata.entry_points(group=ENTRY_POINT_GROUP))}))


@cache
def load_task(name: str) -> Task:
    """Return the task of that name.

    Raises `KeyError` if there is none, `TypeError` if an installed package's entry point is not a `Task` of that name, and `ImportError` if
    it cannot be imported (`entry_points.load_point`). A task of this package cannot be replaced from outside. The functions of any other
    tell what goes wrong in them (`foreign_tasks.guarded`).
    """
    if name in TASKS:
        return cast("Task", Deferred(TASKS[name]).load())
    from pytest_nlpeval.foreign_tasks import guarded  # what it needs, tasks of this package do not
    from pytest_nlpeval.foreign_types import checked_task

    task = load_point(ENTRY_POINT_GROUP, name)
    if not isinstance(task, Task):
        raise TypeError(f"its entry point leads to {type(task).__name__}, not to a pytest_nlpeval.Task")
    task = checked_task(task)
    if task.name != name:  # reports, baselines and workers know it by its own
        raise TypeError(f"its entry point leads to a task that calls itself {task.name}; give both one name")
    return guarded(task)


def modules_of(name: str) -> list[str]:
    """Return the modules that scoring with a task of this package needs, for a process that is to have them before it starts; else none."""
    if name not in TASKS:
        return []
    task = load_task(name)
    functions: list[object] = [task.count, *(role.read for role in task.roles)]
    deferred = (function.place for function in functions if isinstance(function, Deferred))
    return list(dict.fromkeys(place.partition(":")[0] for place in (TASKS[name], *deferred)))


def is_named(task: Task) -> bool:
    """Whether `load_task` gives this very task for its name, or guards it."""
    try:
        loaded = load_task(task.name)
        if loaded is task or task.name in TASKS:
            return loaded is task
        from pytest_nlpeval.foreign_tasks import guarded

        return loaded == guarded(task)
    except Exception:  # noqa: BLE001 - whatever another package's entry point raises: this task was not loaded by it
        return False


def code_digest(task: Task) -> str | None:
    """Return a digest of the code that a task from elsewhere consists of: all Python files of the packages of its functions.

    "" for a task of this package, whose `version` tells when its scores change; None if the code cannot be found.
    """
    readers = (role.read for role in task.roles)
    at_once = (task.count_together,) if task.count_together else ()
    functions: tuple[Callable[..., Any], ...] = (task.options, task.count, *at_once, task.measures, task.signature, *readers)
    packages = {_plain(function).__module__.partition(".")[0] for function in functions}
    return _digest_of(tuple(sorted(packages - {__name__.partition(".")[0]})))


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return what a function calls in the end, through guards and `functools.partial`."""
    while hasattr(function, "func"):
        function = function.func
    return function


@lru_cache(maxsize=64)
def _digest_of(packages: tuple[str, ...]) -> str | None:
    digest = hashlib.sha256()
    for package in packages:
        files = sorted(_files_of(package))
        if not files:
            return None
        for path in files:
            digest.update(f"{path.name} {path.stat().st_size} ".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest() if packages else ""


def _files_of(package: str) -> Iterator[Path]:
    module = sys.modules.get(package)
    file = getattr(module, "__file__", None)
    folders = list(getattr(module, "__path__", ()))
    for folder in folders:
        yield from Path(folder).rglob("*.py")
    if file is not None and not folders:
        yield Path(file)
