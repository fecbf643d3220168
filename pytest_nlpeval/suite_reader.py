"""Turns one entry under `suites` of a configuration into suites, one per system, after logging every mistake in it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_nlpeval.formats.json_schema import check_schema, nearest
from pytest_nlpeval.formats.yaml import Marked
from pytest_nlpeval.formats.yaml import Path as Steps
from pytest_nlpeval.gates import BOUNDS, Entry
from pytest_nlpeval.paths import Pattern, is_inside
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.resources import json_schema
from pytest_nlpeval.suite import Recipe, Suite, find_cases
from pytest_nlpeval.task import Task
from pytest_nlpeval.tasks import load_task, task_names

DELTA_FIELDS = ("max_drop", "max_drop_relative", "alpha")

_DEFINITIONS = json_schema("nlpeval.schema.json")["$defs"]
_SUITE_SCHEMA = {"$defs": _DEFINITIONS, "$ref": "#/$defs/suite"}
_OWN_KEYS = frozenset(_DEFINITIONS["suite"]["properties"])


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a suite needs to know of its file: where it lies, the root, the whole document, and what the user chose."""

    config: Path
    root: Path
    document: Marked
    profile: str | None
    informational: bool


def read_suite(around: Surroundings, rank: int, fields: Mapping[str, Any], log: ProblemLog) -> list[Suite]:
    """Return the suites of the entry `fields`, the `rank`-th under `suites`; none if there are errors in the log."""
    return _Reader(around, ("suites", rank), fields, log).read()


@dataclass(frozen=True, slots=True)
class _Reader:
    around: Surroundings
    path: Steps
    fields: Mapping[str, Any]
    log: ProblemLog

    def read(self) -> list[Suite]:
        check_schema(self.around.document, _SUITE_SCHEMA, self.path, "config.invalid", self.log)
        task = self._task()
        for steps, gate in self._all_gates():
            self._check_gate(steps, gate)
        if task is None:
            return []
        self._check_keys(task)
        self._check_rules(task)
        options = self._options(task)
        self._check_roles(task, options)
        systems = self._systems(task)
        if options is not None or not task.options_schema.get("required"):
            self._check_measures(task, options or task.options())
        return [] if self.log.has_errors else self._suites(task, options, systems)

    def _suites(self, task: Task, options: object, systems: Mapping[str, Mapping[str, Pattern]]) -> list[Suite]:
        around, name = self.around, self.fields["name"]
        recipe = Recipe(task, options, self.fields.get("rules") or {}, None if self._may_leave_root else around.root)
        profiles = self.fields.get("profiles") or {}
        chosen = [("profiles", around.profile)] if around.profile is not None and around.profile in profiles else []
        layers = [self._entries(("gates",)), *map(self._entries, chosen)]
        return [
            Suite(
                name=f"{name}/{system}" if len(systems) > 1 else name,
                system=system,
                recipe=recipe,
                cases=find_cases(patterns, around.root),
                root=around.root,
                config=around.config,
                label=self.log.path,
                line=around.document.place((*self.path, "name")).line,
                layers=tuple(layers),
                profiles=tuple(profiles),
                informational=around.informational,
            )
            for system, patterns in systems.items()
        ]

    def _add(self, code: str, message: str, *steps: str | int | None) -> None:
        path = (*self.path, *(step for step in steps if step is not None))
        place = self.around.document.place(path)
        self.log.add(code, message, place.line, place.column, ".".join(map(str, path)))

    def _mapping(self, *steps: str) -> Mapping[str, Any]:
        """Return the mapping at `steps`; an empty one if it is missing or something else (which the schema check says)."""
        found: Any = self.fields
        for step in steps:
            found = found.get(step) if isinstance(found, dict) else None
        return found if isinstance(found, dict) else {}

    def _task(self) -> Task | None:
        name = self.fields.get("task")
        if not isinstance(name, str):
            return None
        try:
            return load_task(name)
        except KeyError:
            self._add("config.task", f'no task "{name}"; {nearest(name, task_names())}', "task")
        except (TypeError, ImportError, AttributeError) as error:
            self._add("config.task", f'the task "{name}" cannot be loaded: {error}', "task")
        return None

    def _check_keys(self, task: Task) -> None:
        known = _OWN_KEYS | {role.name for role in task.roles}
        for key in self.fields:
            if key not in known:
                self._add("config.key", f'unknown key "{key}"; {nearest(key, known)}', key)

    def _check_roles(self, task: Task, options: object) -> None:
        needed = set(task.needed(options)) - {"gold", "system"}
        for name in sorted(needed - set(self.fields)):
            self._add("config.key", f'the task {task.name} needs "{name}": {task.role(name).summary}')

    def _check_rules(self, task: Task) -> None:
        for code in self._mapping("rules"):
            if code not in task.problems:
                self._add("config.rule", f'unknown problem "{code}"; {nearest(code, task.problems)}', "rules", code)
            elif task.problems[code].fixed:
                self._add("config.rule", f'"{code}" leaves nothing to score; its severity cannot change', "rules", code)

    def _options(self, task: Task) -> Any:
        """Return the task's options, None if they are wrong."""
        given = self._mapping("options")
        if "options" in self.fields:
            check_schema(self.around.document, task.options_schema, (*self.path, "options"), "config.option", self.log)
        elif required := task.options_schema.get("required"):
            self._add("config.option", f"the task {task.name} needs the options " + ", ".join(map(str, required)))
        return None if self.log.count("config.option") else task.options(**given)

    def _all_gates(self) -> Iterator[tuple[tuple[str, ...], Any]]:
        groups = [("gates",), *(("profiles", name) for name in self._mapping("profiles"))]
        return (((*group, name), gate) for group in groups for name, gate in self._mapping(*group).items())

    def _check_gate(self, steps: tuple[str, ...], gate: object) -> None:
        fields: Mapping[str, Any] = gate if isinstance(gate, dict) else {"min": gate}
        for name in DELTA_FIELDS:
            if name in fields:
                message = f"`{name}` is not yet available: there are no baselines to compare with; use `min` or `max`"
                self._add("config.unavailable", message, *steps, name)
        limits = {name: fields[name] for name in BOUNDS if isinstance(fields.get(name), (int, float))}
        if any(not math.isfinite(limit) for limit in limits.values()):
            self._add("config.gate", "a threshold must be a finite number", *steps)
        elif len(limits) == len(BOUNDS) and limits["min"] > limits["max"]:
            self._add("config.gate", f"min {limits['min']} is above max {limits['max']}: nothing can pass", *steps)
        if steps[0] == "gates" and not fields.keys() & {*BOUNDS, *DELTA_FIELDS}:
            self._add("config.gate", "has no condition; give a number, or `min` or `max`", *steps)

    def _check_measures(self, task: Task, options: object) -> None:
        possible = task.measures(options, None)
        names = [measure.name for measure in possible or ()]
        for steps, _ in self._all_gates() if possible is not None else ():
            if not any(map(Entry(steps[-1], 0, 0).matches, names)):
                what = "no measure matches" if "*" in steps[-1] else "no measure"
                self._add("config.measure", f'{what} "{steps[-1]}" in {task.name}; {nearest(steps[-1], names)}', *steps)

    def _entries(self, group: tuple[str, ...]) -> tuple[Entry, ...]:
        return tuple(self._entry(group, name, gate) for name, gate in self._mapping(*group).items())

    def _entry(self, group: tuple[str, ...], name: str, gate: float | Mapping[str, Any]) -> Entry:
        fields: Mapping[str, Any] = gate if isinstance(gate, Mapping) else {"min": gate}
        path = (*self.path, *group, name)
        place = self.around.document.place(path)
        bounds = {bound: float(fields[bound]) for bound in BOUNDS if bound in fields}
        lines = {bound: self.around.document.place((*path, bound)).line for bound in bounds}
        return Entry(name, place.line, place.column, bounds, lines, fields.get("informational"))

    def _systems(self, task: Task) -> dict[str, dict[str, Pattern]]:
        """Return the patterns of all roles for each system; the name is "" if the configuration gives none."""
        system = self.fields.get("system")
        texts = {role.name: self.fields.get(role.name) for role in task.roles if role.name != "system"}
        for role, text in texts.items():
            self._check_path(role, text, role)
        for name, text in (system if isinstance(system, dict) else {None: system}).items():
            self._check_path("system", text, "system", name)
        result: dict[str, dict[str, Pattern]] = {}
        for name, text in (system if isinstance(system, dict) else {"": system}).items():
            all_texts = {role.name: text if role.name == "system" else texts[role.name] for role in task.roles}
            result[name] = {role: self._pattern(value) for role, value in all_texts.items() if isinstance(value, str)}
        return result

    def _pattern(self, text: str) -> Pattern:
        return Pattern(self.around.config.parent, text)

    def _check_path(self, role: str, text: object, *steps: str | None) -> None:
        gold = self.fields.get("gold")
        if not (isinstance(text, str) and text and isinstance(gold, str)):
            return
        pattern, gold_has_doc = self._pattern(text), self._pattern(gold).has_doc
        if "\0" in text:
            self._add("config.path", "has a NUL character; no file is called so", *steps)
        elif unknown := pattern.unknown_placeholders:
            self._add("config.path", f"unknown placeholder {unknown[0]}; the only one is {{doc}}", *steps)
        elif pattern.has_doc and not gold_has_doc:
            self._add("config.path", "has {doc}, but gold has not; use it in both or in none", *steps)
        elif role == "system" and gold_has_doc and not pattern.has_doc:
            self._add("config.path", "lacks {doc}, but gold has it; each document needs its own system file", *steps)
        elif not (self._may_leave_root or is_inside(pattern.fixed_folder, self.around.root)):
            message = f"leaves the root folder {self.around.root}; keep files inside it, or set `allow_outside: true`"
            self._add("config.path", message, *steps)
        elif role == "gold" and gold_has_doc and not pattern.documents():
            self._add("config.path", f'no file matches "{text}"', *steps)

    @property
    def _may_leave_root(self) -> bool:
        return self.fields.get("allow_outside", self.around.document.value.get("allow_outside")) is True
