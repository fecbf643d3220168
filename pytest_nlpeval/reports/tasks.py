"""What `nlpeval tasks` tells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, product
from math import inf
from typing import Any

from pytest_nlpeval.foreign import said_of
from pytest_nlpeval.measures import SHARE, Measure
from pytest_nlpeval.problems import LONGEST, Kind
from pytest_nlpeval.reports.blocks import INDENT, Block, Look, Said, Table, joined
from pytest_nlpeval.reports.starter import inline, option_schemas, required_options, starting_options, usual_path
from pytest_nlpeval.task import Role, Task
from pytest_nlpeval.tasks import load_task, task_names
from pytest_nlpeval.wording import plural

_NONE = Said(f"{' ' * INDENT}(none)")

MOST = 1_000
"""How many rows of a table, and how many measures with the same options, are shown."""

LOOKS: Mapping[str, Look] = {"error": "bad", "warning": "warning", "off": "faint"}
"""What the severities of problems look like."""


def tasks_blocks() -> list[Block]:
    """Return a table with a row per task; of one that cannot be loaded, why."""
    return [Table(("task", "summary"), [(name, _summary(name)) for name in task_names()])]


def _summary(name: str) -> Said:
    try:
        return _cut(Said(load_task(name).summary))
    except Exception as error:  # noqa: BLE001 - another package's code may raise anything
        return Said(f"cannot be loaded: {said_of(error)}", "bad")


def task_blocks(task: Task) -> list[Block]:
    """Return all that a user needs to know of a task: roles, options, measures, problems."""
    variants = _variants(task)
    files = [(role.name, _needed(role, variants), usual_path(role), role.summary) for role in task.roles]
    problems = [(code, _severity(kind), kind.summary) for code, kind in task.problems.items()]
    blocks = joined(
        [
            [Said(f"{task.name}: {task.summary}", "title", hang=2)],
            [Said("Files", "title"), _table(("role", "required", "usual path", "file"), files)],
            [Said("Options", "title"), *(list(_options(task)) or [_NONE])],
            [Said("Measures", "title"), *_measures(task, variants)],
            [Said("Problems", "title"), _table(("code", "severity", "meaning"), problems)],
        ]
    )
    return [block if isinstance(block, Table) else _cut(block) for block in blocks]


def _cut(cell: Said | str) -> Said:
    """Return a text, cut where it is long: a task of another package may have any."""
    said = cell if isinstance(cell, Said) else Said(cell)
    return said if len(said.text) <= LONGEST else said._replace(text=f"{said.text[:LONGEST]}…")


def _severity(kind: Kind) -> Said:
    return Said(f"{kind.severity}{', fixed' if kind.fixed else ''}", LOOKS[kind.severity])


def _table(header: Sequence[str], rows: Sequence[Sequence[Said | str]]) -> Block:
    shown: list[Sequence[Said | str]] = [tuple(map(_cut, row)) for row in rows[:MOST]]
    if len(rows) > MOST:
        shown.append((_left_out(len(rows), "row"), *("" for _ in header[1:])))
    return Table(header, shown, prose=True) if rows else _NONE


def _left_out(number: int, what: str) -> Said:
    return Said(f"… and {plural(number - MOST, f'more {what}')}", "warning")


def _variants(task: Task) -> dict[str, Any]:
    """Return sets of options in which roles and measures may differ, by what is said of each set.

    The sets are all choices for the required options; if none is required, no options and the starter's. There are none if the values
    of a required option are unknown.
    """
    required, start = required_options(task), starting_options(task)
    if start is None:
        return {}
    if required:
        choices = [option_schemas(task)[name].get("enum", [start[name]]) for name in required]
        chosen = [dict(zip(required, values, strict=True)) for values in product(*choices)]
        return {f"with {_said_of(values)}": task.options(**{**start, **values}) for values in chosen}
    if not start:
        return {"": task.options()}
    return {
        f"without {', '.join(start)}": task.options(),
        f"with the options of `nlpeval init --task {task.name}`": task.options(**start),
    }


def _said_of(options: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {inline(value)}" for name, value in options.items())


def _needed(role: Role, variants: Mapping[str, Any]) -> str:
    """Return whether files of the role are required, or with which options."""
    if role.instead_of_gold:
        return "instead of gold"
    if not callable(role.required):
        return "yes" if role.required else "no"
    needing = [said for said, options in variants.items() if role.required(options)]
    if not variants:
        return "depends on options"
    if len(needing) in (0, len(variants)):
        return "yes" if needing else "no"
    option = f"{needing[0].rpartition(' ')[0]} "
    return ", ".join([needing[0], *(said.removeprefix(option) for said in needing[1:])])


def _options(task: Task) -> Iterator[Said]:
    for name, schema in option_schemas(task).items():
        default = f" (default: {inline(schema['default'])})" if "default" in schema else ""
        note = " (required)" if name in required_options(task) else default
        yield Said(f"  {name}: {_allowed(schema)}{note}", hang=8)
        if "description" in schema:
            yield Said(f"      {schema['description']}", hang=0)


def _allowed(schema: Mapping[str, Any]) -> str:
    """Return in a few words which values satisfy a schema."""
    if "enum" in schema:
        return " | ".join(dict.fromkeys(map(str, schema["enum"])))
    types = schema.get("type", "text" if "$ref" in schema else "any value")
    words = [_kind(name, schema) for name in (types if isinstance(types, list) else [types])]
    return " | ".join(words) + (f", such as {', '.join(map(inline, schema['examples']))}" if "examples" in schema else "")


def _kind(name: str, schema: Mapping[str, Any]) -> str:
    if name == "array":
        return f"list of {_allowed(schema.get('items', {}))}"
    if name == "object":
        return f"{{{', '.join(f'{key}: {_allowed(value)}' for key, value in schema.get('properties', {}).items())}}}"
    if name in ("integer", "number"):
        return _numbers(schema.get("minimum", -inf), schema.get("maximum", inf), is_whole=name == "integer")
    return {"boolean": "true | false", "string": "text"}.get(name, name)


def _numbers(low: float, high: float, *, is_whole: bool) -> str:
    return f"{'whole ' * is_whole}number{f' from {low:g}' * (low > -inf)}{f' to {high:g}' * (high < inf)}"


def _measures(task: Task, variants: Mapping[str, Any]) -> Iterator[Said]:
    fixed = {said: measures for said, options in variants.items() if (measures := task.measures(options, None)) is not None}
    if not fixed:
        yield Said("  (they depend on options and files; `nlpeval score` shows them)")
    for _, same in groupby(fixed.items(), lambda variant: [measure.name for measure in variant[1]]):
        labels, measures = zip(*same, strict=True)
        if len(labels) < len(variants):
            label = ", or ".join(labels)
            yield Said(f"  {label[0].upper()}{label[1:]}:", "title", hang=0)
        yield from _folded(measures[0][:MOST])
        if len(measures[0]) > MOST:
            yield _left_out(len(measures[0]), "measure")


def _folded(measures: Sequence[Measure]) -> Iterator[Said]:
    """Yield what measures are: first those of one group alone, then those that several groups have, with a `*` for the group."""
    alike: dict[tuple[str, str, str], list[Measure]] = {}
    for measure in measures:
        alike.setdefault(_described(measure, "*"), []).append(measure)
    for same in alike.values():
        if len(same) == 1:
            yield from _paragraph(*_described(same[0]))
    shared: dict[tuple[str, ...], list[tuple[str, str, str]]] = {}
    for general, same in alike.items():
        if len(same) > 1:
            shared.setdefault(tuple(_group(measure) for measure in same), []).append(general)
    for groups, generals in shared.items():
        yield Said(f"  For each * of {', '.join(groups)}:", "title", hang=0)
        for general in generals:
            yield from _paragraph(*general)


def _paragraph(name: str, formula: str, definition: str) -> Iterator[Said]:
    yield Said(f"    {name}: {formula}", hang=6)
    yield Said(f"        {definition}", hang=0)


def _described(measure: Measure, placeholder: str = "") -> tuple[str, str, str]:
    """Return name, formula and definition of a measure; the last part of its group is replaced by the placeholder, if one is given."""
    low, high, is_whole, _ = measure.range
    facts = [] if measure.range == SHARE else [_numbers(low, high, is_whole=is_whole)]
    facts += ["lower is better"] if measure.better == "lower" else []
    definition = measure.definition + (f" [{', '.join(facts)}]" if facts else "")
    if not placeholder or not measure.group:
        return measure.name, measure.formula, definition
    pattern = re.compile(rf"\b{re.escape(_group(measure))}\b")
    name, formula, definition = (pattern.sub(placeholder, text) for text in (measure.name, measure.formula, definition))
    return name, formula, definition


def _group(measure: Measure) -> str:
    return measure.group.rpartition(".")[2]
