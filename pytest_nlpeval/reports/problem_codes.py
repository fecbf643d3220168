"""All codes of problems: what each means, an example, and how it is mended; for `nlpeval explain` and the page of codes.

What a code means stands where it is declared (`Kind`). How it is mended, and an example, stand in `mending/`, in a file for each word
before the dot. Codes of installed packages' tasks have what these declare.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import cache
from pathlib import Path
from typing import Any

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import Kind
from pytest_nlpeval.reports.blocks import Block, Look, Said, Table
from pytest_nlpeval.reports.tasks import LOOKS
from pytest_nlpeval.task import Task
from pytest_nlpeval.tasks import load_task, task_names
from pytest_nlpeval.wording import plural

FOLDER = Path(__file__).parent / "mending"

_ACTION = {
    "action.args": Kind("error", "the input `args` cannot be split into words", fixed=True),
    "action.base": Kind("error", "the base commit, or its configurations, cannot be read", fixed=True),
    "action.changed": Kind(
        "warning", "a setting, a gold file or a baseline file differs from the base, and loosens nothing", fixed=True
    ),
    "action.converted": Kind("error", "a file is not what its commit has, or no commit can tell", fixed=True),
    "action.ended": Kind("error", "pytest ended before all was judged and told", fixed=True),
    "action.gone": Kind("error", "a suite, a system or a gate that the base has is not there any more", fixed=True),
    "action.loosened": Kind(
        "warning",
        "a change that may let something pass that did not pass before; an error with the input `strict-config`",
        fixed=True,
    ),
    "action.outside": Kind("error", "a pull request lets a suite read files outside the repository", fixed=True),
    "action.report-dir": Kind("error", "reports cannot be written where the input `report-dir` says", fixed=True),
    "action.tests": Kind("error", "tests besides gates failed", fixed=True),
    "action.unjudged": Kind("error", "a suite of the repository was not judged", fixed=True),
    "comment.conclusion": Kind("error", "the workflow of a pull request failed, although its report passed", fixed=True),
    "comment.refused": Kind("error", "there is no report to comment on: its artifact cannot be used", fixed=True),
}
"""The codes of the GitHub Action, which is no part of the package."""

_OF_RUNS = {
    "baseline.none": Kind("error", "no suite names a baseline file to write", fixed=True),
    "baseline.refused": Kind("error", "results that cannot be a baseline", fixed=True),
    "baseline.shared": Kind(
        "error",
        "two configurations, or two results of one name, have one place in a baseline file, or the file is for something else",
        fixed=True,
    ),
    "config.none": Kind("error", "no configuration was found", fixed=True),
    "suite.unjudged": Kind("error", "no test of a whole run judged a suite that is left to tests", fixed=True),
    "task.failed": Kind("error", "a function of another package's task raised an exception", fixed=True),
    "task.worker": Kind("error", "a task cannot be sent to worker processes", fixed=True),
}
"""The codes of runs as a whole, which stand in no file's log."""


@light_dataclass(frozen=True, slots=True)
class Code:
    """A code: its kind, by task where tasks report it (else by ""), how it is mended, and the message of an example with its line."""

    name: str
    kinds: Mapping[str, Kind]
    mend: str = ""
    example: Mapping[str, str] = field(default_factory=dict)

    @property
    def kind(self) -> Kind:
        """The kind of the task that is first by name."""
        return next(iter(self.kinds.values()))

    @property
    def severity(self) -> str:
        """Its severity, where tasks differ with the tasks: `error (are, rte), off (best)`."""
        tasks: dict[str, list[str]] = {}
        for task, kind in self.kinds.items():
            tasks.setdefault(kind.severity, []).append(task)
        if len(tasks) == 1:
            return next(iter(tasks))
        return "; ".join(f"{severity} in {', '.join(names)}" for severity, names in tasks.items())


def codes() -> dict[str, Code]:
    """Return all codes by name, sorted; those of tasks that cannot be loaded are not among them."""
    kinds: dict[str, dict[str, Kind]] = {}
    for task, known in _declared():
        for name, kind in known.items():
            kinds.setdefault(name, {})[task] = kind
    return {name: Code(name, kinds[name], **_mending(name)) for name in sorted(kinds)}


def _declared() -> Iterator[tuple[str, Mapping[str, Kind]]]:
    """Yield the kinds of each task by its name, then those of everything else, by ""; a code of both belongs to the tasks."""
    from pytest_nlpeval.baselines.kinds import BASELINE_KINDS
    from pytest_nlpeval.config.checks import CONFIG_KINDS, SUITE_KINDS
    from pytest_nlpeval.config.pyproject import PYPROJECT_KINDS
    from pytest_nlpeval.formats import CSV_KINDS, JSON_KINDS, text_kinds
    from pytest_nlpeval.formats.xml import XML_KINDS
    from pytest_nlpeval.reports.report_kinds import REPORT_KINDS
    from pytest_nlpeval.run.executor_kinds import EXECUTOR_KINDS
    from pytest_nlpeval.run.producing import PRODUCE_KINDS
    from pytest_nlpeval.run.shard_kinds import SHARD_KINDS

    of_tasks: set[str] = set()
    for name in task_names():
        if task := _loaded(name):
            of_tasks.update(task.problems)
            yield name, task.problems
    others = CONFIG_KINDS | SUITE_KINDS | PYPROJECT_KINDS | BASELINE_KINDS | REPORT_KINDS | PRODUCE_KINDS | SHARD_KINDS
    formats = CSV_KINDS | JSON_KINDS | XML_KINDS | text_kinds("error")
    yield (
        "",
        {name: kind for name, kind in (others | EXECUTOR_KINDS | _OF_RUNS | _ACTION | formats).items() if name not in of_tasks},
    )


def unread_tasks() -> list[str]:
    """Return the names of installed packages' tasks that cannot be loaded, so that their codes are not known."""
    return [name for name in task_names() if _loaded(name) is None]


def _loaded(name: str) -> Task | None:
    try:
        return load_task(name)
    except Exception:  # noqa: BLE001 - another package's code may raise anything
        return None


def _mending(name: str) -> dict[str, Any]:
    return _of_prefix(name.partition(".")[0]).get(name, {})


@cache
def _of_prefix(prefix: str) -> dict[str, dict[str, Any]]:
    path = FOLDER / f"{prefix}.json"
    return json.loads(path.read_text(encoding="utf-8")) if prefix.isidentifier() and path.is_file() else {}


def list_blocks(every: Mapping[str, Code]) -> list[Block]:
    """Return a table with a row for each code."""
    rows = [(code.name, Said(code.kind.severity, LOOKS[code.kind.severity]), code.kind.summary) for code in every.values()]
    return [Table(("code", "severity", "meaning"), rows, prose=True), Said(""), Said(f"{plural(len(rows), 'code')}")]


def code_blocks(code: Code) -> list[Block]:
    """Return all that there is to tell of a code."""
    return [
        Said(f"{code.name}: {code.kind.summary}", "title", hang=2),
        *(Said(f"  {name}: {text}", look, hang=4) for name, text, look in _told(code) if text),
    ]


def _told(code: Code) -> Iterator[tuple[str, str, Look]]:
    yield "severity", code.severity, LOOKS[code.kind.severity]
    yield "rules", rule_of(code), ""
    yield "tasks", ", ".join(filter(None, code.kinds)), ""
    yield "example", code.example.get("message", ""), ""
    yield "its line", code.example.get("line", ""), "faint"
    yield "how to mend it", code.mend, "good"


def rule_of(code: Code) -> str:
    """Return whether `rules` of a suite may change the severity, and how that is written."""
    if code.kind.fixed:
        return "none can change the severity"
    instead = "warning" if code.kind.severity == "error" else "error"
    return f"`rules: {{{code.name}: {instead}}}` in a suite; also {'warning' if code.kind.severity == 'off' else 'off'}"
