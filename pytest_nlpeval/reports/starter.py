"""What `nlpeval init` writes: a configuration to start from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml

from pytest_nlpeval.measures import leading_share
from pytest_nlpeval.reports.blocks import PROSE, folded
from pytest_nlpeval.task import Role, StarterGate, Task


def template(task: Task) -> str:
    """Return a configuration with one suite of the task, to start from."""
    lines = [
        "# Suites of pytest-nlpeval. `nlpeval run` runs them, and so does `pytest --nlpeval`.",
        "version: 1",
        "suites:",
        f"  - name: {task.name}",
        f"    task: {task.name}  # `nlpeval tasks {task.name}` tells all about it",
        *_file_entries(task),
        *_option_entries(task),
        *_gate_entries(task),
    ]
    return "".join(f"{line}\n" for line in lines)


def _file_entries(task: Task) -> Iterator[str]:
    yield "    # files of the same {doc} belong together; a path without {doc} is one file"
    options = starting_options(task)
    needed = task.needed(None if options is None else task.options(**options))
    for role in task.roles:
        yield from entry("    ", f"{role.name}: {usual_path(role)}", role.summary, is_active=role.name in needed)


def _option_entries(task: Task) -> Iterator[str]:
    given, required = starting_options(task) or task.starter.options, required_options(task)
    has_any = bool(given or required)
    schemas = option_schemas(task)
    if schemas:
        yield "    options:" if has_any else "    # options:"
    for name, schema in schemas.items():
        value = given.get(name, _example(schema))
        default = f" Default: {inline(schema['default'])}." if "default" in schema else ""
        text = f"{name}: {inline(value)}" if value is not None else f"{name}:"
        is_active = name in given or name in required
        items = [inline(item) for item in value] if is_active and isinstance(value, (list, tuple)) and len(value) > 1 else []
        yield from entry(
            "      " if has_any else "    ",
            f"{name}:" if items else text if has_any else f"  {text}",
            f"{schema.get('description', '')}{default}",
            is_active=is_active,
        )
        yield from (f"        - {item}" for item in items)


def _gate_entries(task: Task) -> Iterator[str]:
    gates = task.starter.gates or tuple(_first_share(task))
    if gates:
        yield "    gates:  # examples: put what `nlpeval run` shows, and a margin on the side of the worse"
    else:
        yield "    # gates: {MEASURE: 0.5}  # `nlpeval run` shows which measures there are"
    for gate in gates:
        meaning = f"{gate.only}: {gate.meaning}" if gate.only else gate.meaning
        yield from entry("      ", f"{inline(gate.measure)}: {gate.worst:g}", meaning, is_active=not gate.only)


def _first_share(task: Task) -> Iterator[StarterGate]:
    options = starting_options(task)
    measures = None if options is None else task.measures(task.options(**options), None)
    yield from (StarterGate(measure.name, 0.5, measure.definition) for measure in leading_share(measures or ()))


def entry(indent: str, text: str, comment: str, *, is_active: bool) -> list[str]:
    """Return a line of YAML, commented out unless it is active, with a comment beside it, or above where there is no room."""
    line = f"{indent}{'' if is_active else '# '}{text}"
    beside = f"{line}  # {' '.join(comment.split())}"
    return [beside] if len(beside) <= PROSE else [*folded(comment, f"{indent}# ", f"{indent}# "), line]


def _example(schema: Mapping[str, Any]) -> Any:
    """Return the first value that a schema names: its default, an example or a choice; None if it names none."""
    default = [schema["default"]] if "default" in schema else []
    return next(iter([*default, *schema.get("examples", []), *schema.get("enum", [])]), None)


def option_schemas(task: Task) -> Mapping[str, Mapping[str, Any]]:
    """Return the JSON Schema of each option of a task."""
    schemas: Mapping[str, Mapping[str, Any]] = task.options_schema.get("properties", {})
    return schemas


def required_options(task: Task) -> Sequence[str]:
    """Return the names of the options that a task requires."""
    names: Sequence[str] = task.options_schema.get("required", ())
    return names


def inline(value: object) -> str:
    """Return a value as YAML in one line."""

    def dumped(*, allow_unicode: bool) -> str:
        text: str = yaml.safe_dump(
            [value], default_flow_style=True, width=float("inf"), sort_keys=False, allow_unicode=allow_unicode
        )
        return text.strip("\n")[1:-1]

    text = dumped(allow_unicode=True)
    return text if _LINE_BREAKS.isdisjoint(text) else dumped(allow_unicode=False)


_LINE_BREAKS = frozenset("\x85\u2028\u2029")
"""What YAML takes for the end of a line, and a reader for a blank: it must be escaped."""


def starting_options(task: Task) -> dict[str, Any] | None:
    """Return the options that a new configuration sets, or None if the values of a required one are unknown."""
    required = {name: _example(option_schemas(task)[name]) for name in required_options(task)}
    options = required | dict(task.starter.options)
    return None if any(value is None for value in options.values()) else options


def usual_path(role: Role) -> str:
    """Return where the files of a role usually are: `gold/{doc}.xml`."""
    return f"{role.name}{'' if role.once else '/{doc}'}{role.suffixes[0]}"
