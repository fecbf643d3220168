"""The commands that tell about tasks; each returns the exit code. They need none of the libraries that reading files needs."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from pytest_nlpeval.cli.output import present
from pytest_nlpeval.cli.usage import UsageError, system_missing
from pytest_nlpeval.config.checks import require_task
from pytest_nlpeval.problems import NlpevalError, Problem
from pytest_nlpeval.reports.blocks import Said
from pytest_nlpeval.reports.starter import template
from pytest_nlpeval.reports.tasks import task_blocks, tasks_blocks
from pytest_nlpeval.tasks import FIRST, task_names


def tasks(options: argparse.Namespace) -> int:
    """List the tasks, or tell all about one."""
    present(tasks_blocks() if options.task is None else task_blocks(require_task(options.task)))
    return 0


def init(options: argparse.Namespace) -> int:
    """Write a configuration to start from: of files that are named or found, else with a task's usual paths."""
    _require_folder_or_task(options)
    path = (_folder(options) / "nlpeval.yaml") if len(options.names) < 2 else Path("nlpeval.yaml")
    if os.path.exists(path):  # noqa: PTH110 - never raises
        raise UsageError(f"{path} exists already; nothing was written")
    text, failures = _of_files(options)
    said = "`nlpeval run` or `pytest --nlpeval` runs it." if text else _PUT_FILES
    if not text and not options.task:
        said = f"{_NO_FILES} {said}"
    try:
        with path.open("x", encoding="utf-8") as stream:
            stream.write(text or template(require_task(options.task or FIRST)))
    except FileExistsError:
        raise UsageError(f"{path} exists already; nothing was written") from None
    except OSError as error:
        folder = path.parent
        hint = f"; for the task it is `nlpeval init --task {folder}`" if str(folder) in task_names() else ""
        if not os.path.exists(folder):  # noqa: PTH110 - never raises
            raise UsageError(f"there is no folder {folder} to write nlpeval.yaml into{hint}") from None
        raise UsageError(f"{path} cannot be written: {error.strerror}{hint}") from None
    present([Said(f"{path} written. {said}", "good")])
    if failures:
        raise NlpevalError(failures)
    return 0


_PUT_FILES = "Put your files where it says, or change the paths; then `nlpeval run` or `pytest --nlpeval`."
_NO_FILES = (
    f"It is for the task {FIRST}: no files here that are called like gold (gold, reference, y_true …) and output (system, run, y_pred …) "
    "are recognised. For yours, delete it, then `nlpeval init GOLD SYSTEM`; for another task, `nlpeval init --task T`."
)


def _folder(options: argparse.Namespace) -> Path:
    return Path(*options.names)


def _is_folder(path: Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112 - never raises


def _of_files(options: argparse.Namespace) -> tuple[str | None, tuple[Problem, ...]]:
    """Return the configuration of the files that are named; or, unless a task is, of those found in the folder, None if there are none.

    Beside it stands what went wrong in tasks that were asked.
    """
    if len(options.names) > 1:
        from pytest_nlpeval.cli.recognition import init_with_files

        return init_with_files(options, Path.cwd())
    if options.option:
        raise UsageError("--option goes with the files: nlpeval init GOLD SYSTEM --option K=V")
    from pytest_nlpeval.run.recognition.searching import likely_pairs

    folder = _folder(options)
    if options.task or not _is_folder(folder) or next(likely_pairs(folder), None) is None:
        return None, ()
    from pytest_nlpeval.cli.recognition import init_where_files_lie

    return init_where_files_lie(folder.resolve())


def _require_folder_or_task(options: argparse.Namespace) -> None:
    """Refuse a file in place of a folder, and to guess where a folder is called like a task: whoever names only that may mean either."""
    name = str(_folder(options))
    if os.path.isfile(name):  # noqa: PTH113 - never raises
        raise system_missing("init", name, "folder")
    if len(options.names) == 1 and options.task is None and name in task_names() and _is_folder(_folder(options)):
        here, there = f"`nlpeval init --task {name}`", f"`nlpeval init {name} --task {name}`"
        raise UsageError(
            f"{name} is a task, and a folder here: for the task it is {here}, in that folder {there}; nothing was written"
        )
