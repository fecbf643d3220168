"""What `nlpeval tasks` tells and `nlpeval init` writes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, product
from math import inf
from typing import Any

import yaml

from pytest_nlpeval.measures import SHARE, Measure, leading_share
from pytest_nlpeval.problems import Kind
from pytest_nlpeval.reports.blocks import INDENT, PROSE, Block, Look, Said, Table, folded, joined
from pytest_nlpeval.task import Role, StarterGate, Task
from pytest_nlpeval.tasks import load_task, task_names

_NONE = Said(f"{' ' * INDENT}(none)")

LOOKS: Mapping[str, Look] = {"error": "bad", "warning": "warning", "off": "faint"}
"""What the severities of problems look like."""


def tasks_blocks() -> list[Block]:
    """Return a table with a row per task; of one that cannot be loaded, why."""
    return [Table(("task", "summary"), [(name, _summary(name)) for name in task_names()])]


def _summary(name: str) -> Said:
    try:
        return Said(load_task(name).summary)
    except Exception as error:  # noqa: BLE001 - another package's code may raise anything
        return Said(f"cannot be loaded: {type(error).__name__}: {error}", "bad")


def task_blocks(task: Task) -> list[Block]:
    """Return all that a user needs to know of a task: roles, options, measures, problems."""
    variants = _variants(task)
    files = [(role.name, _needed(role, variants), _usual_path(role), role.summary) for role in task.roles]
    problems = [(code, _severity(kind), kind.summary) for code, kind in task.problems.items()]
    return joined(
        [
            [Said(f"{task.name}: {task.summary}", "title", hang=2)],
            [Said("Files", "title"), _table(("role", "required", "usual path", "file"), files)],
            [Said("Options", "title"), *(_options(task) or [_NONE])],
            [Said("Measures", "title"), *_measures(task, variants)],
            [Said("Problems", "title"), _table(("code", "severity", "meaning"), problems)],
        ]
    )


def _severity(kind: Kind) -> Said:
    return Said(f"{kind.severity}{', fixed' if kind.fixed else ''}", LOOKS[kind.severity])


def _table(header: Sequence[str], rows: Sequence[Sequence[Said | str]]) -> Block:
    return Table(header, rows, prose=True) if rows else _NONE


def _variants(task: Task) -> dict[str, Any]:
    """Return options that roles and measures may differ in, by what is said of them.

    These are all choices for the required options; if none is required, no options and the starter's. Nothing if the values of a
    required option are unknown.
    """
    required, start = task.options_schema.get("required", []), _starting_options(task)
    if start is None:
        return {}
    if required:
        choices = [_property(task, name).get("enum", [start[name]]) for name in required]
        chosen = [dict(zip(required, values, strict=True)) for values in product(*choices)]
        return {f"with {_said_of(values)}": task.options(**{**start, **values}) for values in chosen}
    if not start:
        return {"": task.options()}
    return {
        f"without {', '.join(start)}": task.options(),
        f"with the options of `nlpeval init --task {task.name}`": task.options(**start),
    }


def _said_of(options: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {_inline(value)}" for name, value in options.items())


def _starting_options(task: Task) -> dict[str, Any] | None:
    """Return the options that a new configuration sets, or None if the values of a required one are unknown."""
    required = {name: _example(_property(task, name)) for name in task.options_schema.get("required", [])}
    options = required | dict(task.starter.options)
    return None if any(value is None for value in options.values()) else options


def _needed(role: Role, variants: Mapping[str, Any]) -> str:
    """Return whether files of the role are required, or with which options."""
    if role.instead_of_gold:
        return "instead of gold"
    if not callable(role.required):
        return "yes" if role.required else "no"
    found = [said for said, options in variants.items() if role.required(options)]
    if not variants:
        return "depends on options"
    if len(found) in (0, len(variants)):
        return "yes" if found else "no"
    option = f"{found[0].rpartition(' ')[0]} "
    return ", ".join([found[0], *(said.removeprefix(option) for said in found[1:])])


def _usual_path(role: Role) -> str:
    return f"{role.name}{'' if role.once else '/{doc}'}{role.suffixes[0]}"


def _options(task: Task) -> list[Said]:
    found = []
    for name, schema in task.options_schema.get("properties", {}).items():
        found.append(Said(f"  {name}: {_allowed(schema)}{_default(task, name)}", hang=8))
        found += [Said(f"      {schema['description']}", hang=0)] if "description" in schema else []
    return found


def _default(task: Task, name: str) -> str:
    schema = _property(task, name)
    if name in task.options_schema.get("required", []):
        return " (required)"
    return f" (default: {_inline(schema['default'])})" if "default" in schema else ""


def _allowed(schema: Mapping[str, Any]) -> str:
    """Return in a few words which values satisfy a schema."""
    if "enum" in schema:
        return " | ".join(dict.fromkeys(map(str, schema["enum"])))
    types = schema.get("type", "text" if "$ref" in schema else "any value")
    words = [_kind(name, schema) for name in (types if isinstance(types, list) else [types])]
    return " | ".join(words) + (f", such as {', '.join(map(_inline, schema['examples']))}" if "examples" in schema else "")


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
    found = {said: measures for said, options in variants.items() if (measures := task.measures(options, None)) is not None}
    if not found:
        yield Said("  (they depend on options and files; `nlpeval score` shows them)")
    for _, same in groupby(found.items(), lambda item: [measure.name for measure in item[1]]):
        (said, measures), *others = same
        labels = [said, *(label for label, _ in others)]
        if len(labels) < len(variants):
            yield Said(f"  {said[0].upper()}{', or '.join(labels)[1:]}:", "title", hang=0)
        yield from _folded(measures)


def _folded(measures: Sequence[Measure]) -> Iterator[Said]:
    """Yield what measures are; those that several groups have once, after the others, with a `*` for the group."""
    alike: dict[tuple[str, str, str], list[Measure]] = {}
    for measure in measures:
        alike.setdefault(_described(measure, "*"), []).append(measure)
    for measure, *others in alike.values():
        if not others:
            yield from _paragraph(*_described(measure))
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
    """Return name, formula and definition of a measure, with the placeholder, if there is one, for the last part of its group."""
    low, high, is_whole = measure.range
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
    options = _starting_options(task)
    needed = task.needed(None if options is None else task.options(**options))
    for role in task.roles:
        yield from _entry("    ", f"{role.name}: {_usual_path(role)}", role.summary, is_active=role.name in needed)


def _option_entries(task: Task) -> Iterator[str]:
    given, required = _starting_options(task) or task.starter.options, task.options_schema.get("required", [])
    has_any = bool(given or required)
    schemas = task.options_schema.get("properties", {})
    if schemas:
        yield "    options:" if has_any else "    # options:"
    for name, schema in schemas.items():
        value = given.get(name, _example(schema))
        default = f" Default: {_inline(schema['default'])}." if "default" in schema else ""
        text = f"{name}: {_inline(value)}" if value is not None else f"{name}:"
        is_active = name in given or name in required
        items = [_inline(item) for item in value] if is_active and isinstance(value, (list, tuple)) and len(value) > 1 else []
        yield from _entry(
            "      " if has_any else "    ",
            f"{name}:" if items else text if has_any else f"  {text}",
            f"{schema.get('description', '')}{default}",
            is_active=is_active,
        )
        yield from (f"        - {item}" for item in items)


def _gate_entries(task: Task) -> Iterator[str]:
    gates = task.starter.gates or tuple(_first_share(task))
    if gates:
        yield "    gates:  # examples: put what `nlpeval run` shows, less a margin"
    else:
        yield "    # gates: {MEASURE: 0.5}  # `nlpeval run` shows which measures there are"
    for gate in gates:
        meaning = f"{gate.only}: {gate.meaning}" if gate.only else gate.meaning
        yield from _entry("      ", f"{_inline(gate.measure)}: {gate.least:g}", meaning, is_active=not gate.only)


def _first_share(task: Task) -> Iterator[StarterGate]:
    options = _starting_options(task)
    measures = None if options is None else task.measures(task.options(**options), None)
    yield from (StarterGate(measure.name, 0.5, measure.definition) for measure in leading_share(measures or ()))


def _entry(indent: str, text: str, comment: str, *, is_active: bool) -> list[str]:
    """Return a line of YAML, commented out unless it is active, with a comment beside it, or above where there is no room."""
    line = f"{indent}{'' if is_active else '# '}{text}"
    beside = f"{line}  # {' '.join(comment.split())}"
    return [beside] if len(beside) <= PROSE else [*folded(comment, f"{indent}# ", f"{indent}# "), line]


def _example(schema: Mapping[str, Any]) -> Any:
    """Return a value that the schema names, or None: its default before all others."""
    return next(
        iter([*([schema["default"]] if "default" in schema else []), *schema.get("examples", []), *schema.get("enum", [])]), None
    )


def _property(task: Task, name: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = task.options_schema["properties"][name]
    return found


def _inline(value: object) -> str:
    """Return a value as YAML in one line."""
    text: str = yaml.safe_dump([value], default_flow_style=True, width=float("inf"), sort_keys=False, allow_unicode=True)
    return text.strip()[1:-1]
