"""The commands that tell about tasks; each returns the exit code. They need none of the libraries that reading files needs."""

from __future__ import annotations

import argparse

from pytest_nlpeval.cli.output import present
from pytest_nlpeval.cli.usage import UsageError
from pytest_nlpeval.config.checks import require_task
from pytest_nlpeval.reports.blocks import Said
from pytest_nlpeval.reports.tasks import task_blocks, tasks_blocks, template
from pytest_nlpeval.tasks import FIRST, task_names


def tasks(options: argparse.Namespace) -> int:
    """List the tasks, or tell all about one."""
    present(tasks_blocks() if options.task is None else task_blocks(require_task(options.task)))
    return 0


def init(options: argparse.Namespace) -> int:
    """Write a configuration to start from."""
    _require_folder_or_task(options)
    text = template(require_task(options.task or FIRST))
    path = options.folder / "nlpeval.yaml"
    try:
        with path.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        raise UsageError(f"{path} exists already; nothing was written") from None
    except OSError as error:
        hint = f"; for the task it is `nlpeval init --task {options.folder}`" if str(options.folder) in task_names() else ""
        raise UsageError(f"{path} cannot be written: {error.strerror}{hint}") from None
    said = "Put your files where it says, or change the paths; then `nlpeval run` or `pytest --nlpeval`."
    present([Said(f"{path} written. {said}", "good")])
    return 0


def _require_folder_or_task(options: argparse.Namespace) -> None:
    """Refuse to guess where a folder is called like a task: whoever names only that may mean either."""
    name = str(options.folder)
    if options.task is None and name in task_names() and options.folder.is_dir():
        here, there = f"`nlpeval init --task {name}`", f"`nlpeval init {name} --task {name}`"
        raise UsageError(
            f"{name} is a task, and a folder here: for the task it is {here}, in that folder {there}; nothing was written"
        )
