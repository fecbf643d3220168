"""What `nlpeval tasks` tells and `nlpeval init` writes."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from pytest_nlpeval.reports.table import table
from pytest_nlpeval.task import Task
from pytest_nlpeval.tasks import load_task, task_names


def tasks_lines() -> list[str]:
    """Return one line per task; of one that cannot be loaded, why."""
    return table(("task", "summary"), ((name, _summary(name)) for name in task_names()))


def _summary(name: str) -> str:
    try:
        return load_task(name).summary
    except Exception as error:  # noqa: BLE001 - another package's code may raise anything
        return f"cannot be loaded: {type(error).__name__}: {error}"


def task_lines(task: Task) -> Iterator[str]:
    """Yield all that a user needs to know of a task: roles, options, measures, problems."""
    yield f"{task.name}: {task.summary}"
    yield from ("", "Files")
    yield from _indented(table(("role", "file"), ((role.name, role.summary) for role in task.roles)))
    yield from ("", "Options")
    properties = task.options_schema.get("properties", {})
    options = [(name, _values(schema), schema.get("description", "")) for name, schema in properties.items()]
    yield from _indented(table(("option", "values", "meaning"), options) if options else ["(none)"])
    yield from ("", "Measures")
    measures = task.measures(task.options(), None) if not task.options_schema.get("required") else None
    for measure in measures or ():
        yield f"  {measure.name}"
        yield from textwrap.wrap(
            f"{measure.definition} {measure.formula}", 100, initial_indent="      ", subsequent_indent="      "
        )
    if measures is None:
        yield "  (they depend on the options; `nlpeval score` shows them)"
    yield from ("", "Problems")
    problems = [(code, f"{kind.severity}{', fixed' if kind.fixed else ''}", kind.summary) for code, kind in task.problems.items()]
    yield from _indented(table(("code", "severity", "meaning"), problems))


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)


def _values(schema: dict[str, object]) -> str:
    allowed, types = schema.get("enum"), schema.get("type", "any")
    return " | ".join(map(str, allowed if isinstance(allowed, list) else types if isinstance(types, list) else [types]))


def template(task: Task) -> str:
    """Return a configuration with one suite of the task, to start from."""
    roles = [role for role in task.roles if role.required]
    paths = {role.name: f"{role.name}{'' if role.once else '/{doc}'}{role.suffixes[0]}" for role in roles}
    files = "\n".join(f"    {role.name}: {paths[role.name]}  # {role.summary}" for role in roles)
    required = task.options_schema.get("required", [])
    options = "".join(f"      {name}:  # {task.options_schema['properties'][name].get('description', '')}\n" for name in required)
    measures = task.measures(task.options(), None) if not required else None
    gates = (
        f"    gates:\n      {measures[0].name}: 0.5  # fails below; take what `nlpeval run` shows, less a margin\n"
        if measures
        else ""
    )
    return (
        "# Suites of pytest-nlpeval. `nlpeval run` runs them, and so does `pytest --nlpeval`.\n"
        f"version: 1\nsuites:\n  - name: {task.name}\n    task: {task.name}  # `nlpeval tasks {task.name}` tells all about it\n"
        f"{files}\n" + (f"    options:\n{options}" if options else "") + gates
    )
