"""Turns one entry under `suites` of a configuration into suites, one per system, after logging every mistake in it."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_nlpeval.conditions import CONDITIONS
from pytest_nlpeval.config.checks import SUITE_KINDS, check_options, check_pattern, check_roles, find_task
from pytest_nlpeval.config.suite import Baseline, Choices, Recipe, Statistics, Suite, find_cases
from pytest_nlpeval.files import is_inside, json_schema
from pytest_nlpeval.formats.json_schema import check_schema
from pytest_nlpeval.formats.yaml import Marked, Steps
from pytest_nlpeval.gates import Entry, beyond_range
from pytest_nlpeval.patterns import Pattern
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Task
from pytest_nlpeval.wording import nearest

_DEFINITIONS = json_schema("nlpeval.schema.json")["$defs"]
_SUITE_SCHEMA = {"$defs": _DEFINITIONS, **_DEFINITIONS["suite"]}
_OWN_KEYS = frozenset(_DEFINITIONS["suite"]["properties"])
_COMPARING = frozenset(name for name, condition in CONDITIONS.items() if condition.needs_baseline)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a suite needs to know of its file: where it lies, the root, the whole document, and what the user chose."""

    config: Path
    root: Path
    document: Marked
    choices: Choices

    @property
    def defaults(self) -> Mapping[str, Any]:
        """The values for every suite; an empty mapping if they are missing or something else (which the schema check says)."""
        found = self.document.value.get("defaults") if isinstance(self.document.value, dict) else None
        return found if isinstance(found, dict) else {}


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
        name = self.fields.get("task")
        task = find_task(name, self._add) if isinstance(name, str) else None
        known = _OWN_KEYS | {role.name for role in task.roles} if task else self.fields.keys()
        unknown = self.fields.keys() - known  # a misspelt `gates` is not also a path of the wrong type
        reference = task.reference(self.fields) if task else "gold"
        schema = {**_SUITE_SCHEMA, "required": [reference, *_SUITE_SCHEMA["required"]]}
        check_schema(self.around.document, schema, self.path, "config.invalid", self.log, without=unknown)
        for steps, gate in self._all_gates():
            self._check_gate(steps, gate)
        if task is None:
            return []
        self._check_rules(task)
        self._check_baseline()
        options = self._options(task)
        demanded = {reference, "system"}  # by the schema
        check_roles(task, options, demanded | self.fields.keys(), self._add, _OWN_KEYS)
        self._check_judgeable(reference)
        systems = self._systems(task, reference)
        if options is not None or not task.options_schema.get("required"):
            self._check_measures(task, options or task.options())
        return [] if self.log.has_errors else self._suites(task, options, systems)

    def _suites(self, task: Task, options: object, systems: Mapping[str, Mapping[str, Pattern]]) -> list[Suite]:
        around, name = self.around, self.fields["name"]
        recipe = Recipe(task, options, self.fields.get("rules") or {}, None if self._may_leave_root else around.root)
        profiles = self.fields.get("profiles") or {}
        profile = around.choices.profile
        chosen = [("profiles", profile)] if profile is not None and profile in profiles else []
        statistics = {**around.defaults.get("statistics", {}), **around.choices.statistics}
        layers = [self._entries(("gates",)), *map(self._entries, chosen)]
        return [
            Suite(
                name=f"{name}/{system}" if len(systems) > 1 else name,
                system=system,
                recipe=recipe,
                cases=find_cases(task, patterns, around.root),
                root=around.root,
                config=around.config,
                label=self.log.path,
                line=around.document.place((*self.path, "name")).line,
                layers=tuple(layers),
                profiles=tuple(profiles),
                informational=around.choices.informational,
                baseline=self._baseline(),
                statistics=Statistics.of(statistics),
            )
            for system, patterns in systems.items()
        ]

    def _baseline(self) -> Baseline | None:
        given = self.around.choices.baseline
        if given is not None:
            return Baseline.of(given, Path.cwd(), self.around.root)
        text = self.fields.get("baseline", self.around.defaults.get("baseline"))
        if text is None:
            return Baseline.of(self.around.choices.default_baseline or "none", Path.cwd(), self.around.root)
        return Baseline.of(text, self.around.config.parent, self.around.root)

    def _check_baseline(self) -> None:
        text = self.fields.get("baseline", self.around.defaults.get("baseline"))
        path = ("baseline",) if "baseline" in self.fields else ()
        if not isinstance(text, str) or text.startswith("git:") or text == "none":
            return
        if "\0" in text or not (self._may_leave_root or is_inside(self.around.config.parent / text, self.around.root)):
            message = f"leaves the root folder {self.around.root}; keep the baseline inside it, or set `allow_outside: true`"
            self._add("config.path", message, *path)

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

    def _check_rules(self, task: Task) -> None:
        known = {**task.problems, **SUITE_KINDS}
        for code in self._mapping("rules"):
            if code not in known:
                self._add("config.rule", f'unknown problem "{code}"; {nearest(code, known)}', "rules", code)
            elif known[code].fixed:
                self._add("config.rule", f'"{code}" leaves nothing to score; its severity cannot change', "rules", code)

    def _options(self, task: Task) -> Any:
        """Return the task's options, None if they are wrong."""
        if "options" in self.fields:
            return check_options(task, self.around.document, (*self.path, "options"), self._mapping("options"), self.log)
        if required := task.options_schema.get("required"):
            self._add("config.option", f"the task {task.name} needs the options " + ", ".join(map(str, required)))
            return None
        return task.options()

    def _all_gates(self) -> Iterator[tuple[tuple[str, ...], Any]]:
        groups = [("gates",), *(("profiles", name) for name in self._mapping("profiles"))]
        return (((*group, name), gate) for group in groups for name, gate in self._mapping(*group).items())

    def _check_gate(self, steps: tuple[str, ...], gate: object) -> None:
        fields: Mapping[str, Any] = gate if isinstance(gate, dict) else {"min": gate}
        thresholds = {name: fields[name] for name in CONDITIONS if isinstance(fields.get(name), (int, float))}
        if not all(map(math.isfinite, thresholds.values())):
            self._add("config.gate", "a threshold must be a finite number", *steps)
        elif thresholds.get("min", -math.inf) > thresholds.get("max", math.inf):
            self._add("config.gate", f"min {thresholds['min']} is above max {thresholds['max']}: nothing can pass", *steps)
        if steps[0] == "gates" and not fields.keys() & CONDITIONS.keys():
            self._add("config.gate", f"has no condition; give a number, or one of {', '.join(CONDITIONS)}", *steps)
        elif steps[0] == "gates" and "alpha" in fields and not fields.keys() & _COMPARING:
            self._add(
                "config.gate", f"`alpha` is about {', '.join(sorted(_COMPARING))}, and there is none of them", *steps, "alpha"
            )

    def _check_judgeable(self, reference: str) -> None:
        """Log gates where there is no gold to judge by."""
        groups = [("gates",), *(("profiles", name) for name in self._mapping("profiles"))]
        for group in groups if reference != "gold" and "gold" not in self.fields else ():
            if self._mapping(*group):
                message = f'with "{reference}" instead of "gold", files are only validated: leave the gates out, or give "gold"'
                self._add("config.gate", message, *group)

    def _check_measures(self, task: Task, options: object) -> None:
        possible = task.measures(options, None)
        if possible is None:
            return
        names = [measure.name for measure in possible]
        for steps, gate in self._all_gates():
            entry = self._entry(steps[:-1], steps[-1], gate)
            if not any(map(entry.matches, possible)):
                what = "no measure matches" if entry.is_pattern else "no measure"
                self._add("config.measure", f'{what} "{steps[-1]}" in {task.name}; {nearest(steps[-1], names)}', *steps)
            elif mistake := beyond_range(entry, possible):
                self._add("config.gate", mistake, *steps)

    def _entries(self, group: tuple[str, ...]) -> tuple[Entry, ...]:
        return tuple(self._entry(group, name, gate) for name, gate in self._mapping(*group).items())

    def _entry(self, group: tuple[str, ...], name: str, gate: object) -> Entry:
        fields: Mapping[str, Any] = gate if isinstance(gate, Mapping) else {"min": gate}
        path = (*self.path, *group, name)
        place = self.around.document.place(path)
        numbers = {key: fields[key] for key in CONDITIONS if isinstance(fields.get(key), (int, float))}
        conditions = {key: CONDITIONS[key](float(value)) for key, value in numbers.items()}
        lines = {key: self.around.document.place((*path, key)).line for key in conditions}
        return Entry(name, place.line, place.column, conditions, lines, fields.get("informational"), fields.get("alpha"))

    def _systems(self, task: Task, reference: str) -> dict[str, dict[str, Pattern]]:
        """Return the patterns of all roles for each system; the system's name is "" if the configuration gives none.

        Any role but gold, or what stands instead of it, may have a path for each system, by the names under `system`.
        """
        given = {role.name: self.fields[role.name] for role in task.roles if role.name in self.fields}
        system = given.get("system")
        names = list(system) if isinstance(system, dict) else [""]
        for role, value in given.items():
            self._check_paths(role, value, names, reference)
        return {
            name: {
                role: self._pattern(text)
                for role, value in given.items()
                if isinstance(text := value.get(name) if isinstance(value, dict) else value, str)
            }
            for name in names
        }

    def _check_paths(self, role: str, value: object, systems: Collection[str], reference: str) -> None:
        if not isinstance(value, dict):
            self._check_path(role, value, reference, role)
            return
        if role == reference:
            self._add("config.path", f"{role} is the same for all systems; expected one path", role)
            return
        for name, text in value.items():
            if name in systems:
                self._check_path(role, text, reference, role, name)
            else:
                self._add("config.path", f'there is no system "{name}"; {nearest(name, systems)}', role, name)
        missing = [name for name in systems if name not in value]
        if missing:
            self._add("config.path", f"lacks a path for {', '.join(missing)}; give one for each system, or one for all", role)

    def _pattern(self, text: str) -> Pattern:
        return Pattern(self.around.config.parent, text)

    def _check_path(self, role: str, text: object, reference: str, *steps: str) -> None:
        gold = self.fields.get(reference)
        if not (isinstance(text, str) and text and isinstance(gold, str)):
            return
        pattern, before = self._pattern(text), self.log.count("config.path")
        if "\0" not in text and not (self._may_leave_root or is_inside(pattern.fixed_folder, self.around.root)):
            message = f"leaves the root folder {self.around.root}; keep files inside it, or set `allow_outside: true`"
            self._add("config.path", message, *steps)
        if self.log.count("config.path") == before:
            check_pattern(role, pattern, (reference, self._pattern(gold)), self._add, *steps)

    @property
    def _may_leave_root(self) -> bool:
        return self.fields.get("allow_outside", self.around.document.value.get("allow_outside")) is True
