"""The tasks: one explicit table, and the entry-point group through which others join."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from pytest_nlpeval.task import Task

TASKS = {
    "are": "pytest_nlpeval.tasks.are:TASK",
    "best": "pytest_nlpeval.tasks.best:TASK",
    "cat": "pytest_nlpeval.tasks.cat:TASK",
    "exemplar": "pytest_nlpeval.tasks.exemplar:TASK",
    "rte": "pytest_nlpeval.tasks.rte:TASK",
}
"""The tasks of this package: name to `module:attribute`, imported when first used."""

ENTRY_POINT_GROUP = "nlpeval.tasks"


def task_names() -> tuple[str, ...]:
    """Return the names of all tasks, those of installed packages included, sorted."""
    return tuple(sorted({*TASKS, *(point.name for point in entry_points(group=ENTRY_POINT_GROUP))}))


@cache
def load_task(name: str) -> Task:
    """Return the task of that name.

    Raises `KeyError` if there is none, `TypeError` if an installed package's entry point is not a `Task`. A task of this package
    cannot be replaced from outside.
    """
    points = [EntryPoint(name, TASKS[name], ENTRY_POINT_GROUP)] if name in TASKS else list(_external(name))
    if not points:
        raise KeyError(name)
    task = points[0].load()
    if not isinstance(task, Task):
        raise TypeError(f"the entry point {points[0].value} for the task {name} is not a pytest_nlpeval.Task")
    return task


def is_named(task: Task) -> bool:
    """Whether `load_task` gives this very task for its name."""
    try:
        return load_task(task.name) is task
    except Exception:  # noqa: BLE001 - whatever another package's entry point raises: this task was not loaded by it
        return False


def _external(name: str) -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=ENTRY_POINT_GROUP, name=name))
