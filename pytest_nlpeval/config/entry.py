"""Turns one entry under `suites` of a configuration into suites, one per system, after logging every mistake in it."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from pytest_nlpeval.config.checks import SUITE_KINDS, check_options, check_pattern, check_roles, find_task, may_lead_outside
from pytest_nlpeval.config.document_groups import DocumentGroups, document_groups, own_options
from pytest_nlpeval.config.meaning import (
    Fields,
    bare_number,
    baseline_reference,
    gate_fields,
    gate_groups,
    gate_of,
    inner,
    mapping,
    paths_of,
    suite_names,
    thresholds,
)
from pytest_nlpeval.config.production import NOT_PRODUCED, mistakes, production_of
from pytest_nlpeval.config.suite import Baseline, Case, Choices, Recipe, Statistics, Suite, find_cases
from pytest_nlpeval.files import is_inside, is_of_git, json_schema
from pytest_nlpeval.foreign import TaskError
from pytest_nlpeval.formats.json_schema import check_schema
from pytest_nlpeval.formats.yaml import Marked, Place, Steps
from pytest_nlpeval.gates import Entry, beyond_range, guard_mistake, matching
from pytest_nlpeval.group_measures import PREFIX
from pytest_nlpeval.guards import CONDITIONS, GUARDS, MaxWorse
from pytest_nlpeval.patterns import Pattern
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import OptionsError, Task
from pytest_nlpeval.wording import nearest

_DEFINITIONS = json_schema("nlpeval.schema.json")["$defs"]
_SUITE_SCHEMA = {"$defs": _DEFINITIONS, **{key: rule for key, rule in _DEFINITIONS["suite"].items() if key not in ("if", "then")}}
_OWN_KEYS = frozenset(_DEFINITIONS["suite"]["properties"])


class Surroundings(NamedTuple):
    """What a suite needs to know of its file: where it lies, the root, the whole document, and what the user chose."""

    config: Path
    root: Path
    document: Marked
    choices: Choices

    @property
    def may_lead_outside(self) -> bool:
        """Whether `allow_outside` of this configuration counts."""
        return may_lead_outside(self.config, self.choices.outside)

    @property
    def defaults(self) -> Fields:
        """The values for every suite; an empty mapping if they are missing or something else (which the schema check says)."""
        return inner(mapping(self.document.value), "defaults")


def read_suite(around: Surroundings, path: Steps, fields: Fields, log: ProblemLog) -> list[Suite]:
    """Return the suites of the entry `fields`, to which `path` leads in the document; none if there are errors in the log."""
    reader = _Reader(around, path, fields, log)
    try:
        return reader.read()
    except TaskError as error:
        reader.say_failed(error)
        return []


class _Reader(NamedTuple):
    around: Surroundings
    path: Steps
    fields: Fields
    log: ProblemLog

    def read(self) -> list[Suite]:
        name = self.fields.get("task")
        task = find_task(name, self._add) if isinstance(name, (str, Task)) else None
        own = _OWN_KEYS | {role.name for role in task.roles} if task else self.fields.keys()
        unknown = self.fields.keys() - own  # a misspelt `gates` is not also a path of the wrong type
        unknown |= {"task"} if isinstance(name, Task) else set()
        reference = task.reference(self.fields) if task else "gold"
        needed = {reference, *_SUITE_SCHEMA["required"], *(() if self._is_judged_by_test else ("system",))}
        schema = {**_SUITE_SCHEMA, "required": sorted(needed - unknown)}
        check_schema(self.around.document, schema, self.path, "config.invalid", self.log, without=unknown)
        for steps, gate in self._all_gates():
            self._check_gate(steps, gate)
        if task is None:
            return []
        self._check_rules(task)
        self._check_files()
        options = self._options(task)
        demanded = {reference, "system"}  # by the schema
        check_roles(task, options, demanded | self.fields.keys(), self._add, _OWN_KEYS)
        self._check_judgeable(reference)
        systems = self._systems(task, reference)
        self._check_produce()
        if options is not None or not task.options_schema.get("required"):
            self._check_measures(task, options or task.options())
        return [] if self.log.has_errors else self._suites(task, options, systems)

    def say_failed(self, error: TaskError) -> None:
        """Log that the task of another package fails."""
        self._add("config.task", error.problems[0].message, "task")

    def _suites(self, task: Task, options: object, systems: Mapping[str, Mapping[str, Pattern]]) -> list[Suite]:
        around, names = self.around, suite_names(self.fields)
        layers = tuple(self._layer(group) for group in gate_groups(self.fields, around.choices.profile))
        recipe = Recipe(task, options, self.fields.get("rules") or {}, None if self._may_leave_root else around.root)
        return [
            Suite(
                name=names[system],
                system=system,
                recipe=recipe,
                cases=tuple(self._produced(find_cases(task, patterns, around.root), patterns)),
                root=around.root,
                config=around.config,
                label=self.log.path,
                line=self._place("name").line,
                layers=layers,
                profiles=tuple(inner(self.fields, "profiles")),
                informational=around.choices.informational,
                baseline=self._baseline(),
                was=self.fields.get("was", ""),
                given=own_options(inner(self.fields, "options")),
                by_document=patterns[task.reference(patterns)].has_doc,
                judged_by_test=self._is_judged_by_test,
                groups=self._groups_of_documents,
                statistics=Statistics.of({**around.defaults.get("statistics", {}), **around.choices.statistics}),
            )
            for system, patterns in systems.items()
        ]

    def _produced(self, cases: Iterable[Case], patterns: Mapping[str, Pattern]) -> Iterator[Case]:
        """Yield cases with the commands that make the system's files, if the user asks for that."""
        fields, making = inner(self.fields, "produce"), self.around.choices.produce
        for case in cases:
            if not fields or making is None:
                yield case.with_cure(NOT_PRODUCED) if fields else case
            else:
                yield replace(case, production=production_of(fields, patterns["system"], case.name, making))

    @property
    def _groups_of_documents(self) -> DocumentGroups | None:
        return document_groups(inner(self.fields, "options"), self.around.config.parent, self.around.root)

    def _check_produce(self) -> None:
        fields, system = inner(self.fields, "produce"), self.fields.get("system")
        if not fields or self.log.has_errors:
            return
        if not isinstance(system, str):
            self._add("config.key", "makes the files of one system; give `system` as one path", "produce")
            return
        for key, message in mistakes(fields, self._pattern(system)):
            self._add("config.path", message, "produce", key)
        given = self._pattern(str(fields.get("input", "")))
        place = given.text if "\0" in given.text else given.fixed_folder
        if "input" in fields and (message := self._why_no_place(place, "files")):
            self._add("config.path", message, "produce", "input")
        for pattern in fields.get("depends", ()):
            parts, mistake = PurePosixPath(pattern).parts, ""
            if pattern.startswith("/") or ".." in parts:
                mistake = "leaves the folder of the configuration; name files below it"
            elif any("**" in part and part != "**" for part in parts):
                mistake = "has ** beside other characters; it stands for whole folders: write src/**/*.py"
            if mistake:
                self._add("config.path", f'"{pattern}" {mistake}', "produce", "depends")

    def _baseline(self) -> Baseline | None:
        around = self.around
        if around.choices.baseline is not None:
            return Baseline.of(around.choices.baseline, Path.cwd(), around.root)
        if (own := baseline_reference(self.fields, around.defaults)) is not None:
            named = Baseline.of(str(own), around.config.parent, around.root)
            return named if named is None or named.source or self._may_leave_root else replace(named, root=around.root)
        return Baseline.of(around.choices.default_baseline or "none", Path.cwd(), around.root)

    def _check_files(self) -> None:
        text = baseline_reference(self.fields, self.around.defaults)
        baseline = Baseline.of(text, self.around.config.parent, self.around.root) if isinstance(text, str) else None
        keys = ("baseline",) if "baseline" in self.fields else ()
        for named, what, steps in ((baseline, "baseline", keys), (self._groups_of_documents, "groups", ("options", "group"))):
            if named and named.file and (message := self._why_no_place(named.file.path, f"the {what}")):
                self._add("config.path", message, *steps)

    def _why_no_place(self, path: str | Path, what: str) -> str:
        """Return why files at this path are not read, and what to do; "" if they are."""
        if is_of_git(path):
            return f"leads into .git, which belongs to git; keep {what} elsewhere"
        if (self._may_leave_root and "\0" not in str(path)) or is_inside(path, self.around.root):
            return ""
        allowed = self.around.may_lead_outside
        cure = "or set `allow_outside: true`" if allowed else "for `allow_outside` does not count in this run"
        return f"leaves the root folder {self.around.root}; keep {what} inside it, {cure}"

    @property
    def _may_leave_root(self) -> bool:
        asks = self.fields.get("allow_outside", self.around.document.value.get("allow_outside")) is True
        return asks and self.around.may_lead_outside

    def _add(self, code: str, message: str, *steps: str | int | None) -> None:
        path = tuple(step for step in steps if step is not None)
        place = self._place(*path)
        self.log.add(code, message, place.line, place.column, ".".join(map(str, (*self.path, *path))))

    def _place(self, *steps: str | int) -> Place:
        return self.around.document.place((*self.path, *steps))

    def _check_rules(self, task: Task) -> None:
        changeable = {**task.problems, **SUITE_KINDS}
        for code in inner(self.fields, "rules"):
            if code not in changeable:
                self._add("config.rule", f'unknown problem "{code}"; {nearest(code, changeable)}', "rules", code)
            elif changeable[code].fixed:
                self._add("config.rule", f'"{code}" leaves nothing to score; its severity cannot change', "rules", code)

    def _options(self, task: Task) -> Any:
        """Return the task's options, None if they are wrong."""
        if "options" in self.fields:
            return check_options(task, self.around.document, (*self.path, "options"), inner(self.fields, "options"), self.log)
        if required := task.options_schema.get("required"):
            self._add("config.option", f"the task {task.name} needs the options " + ", ".join(map(str, required)))
            return None
        try:
            return task.options()
        except OptionsError as error:
            for _, message in error.mistakes:
                self._add("config.option", message)
            return None

    def _groups(self) -> list[tuple[str, ...]]:
        """Return the keys that lead to each group of gates, of whichever profile."""
        return [("gates",), *(("profiles", name) for name in inner(self.fields, "profiles"))]

    def _all_gates(self) -> Iterator[tuple[tuple[str, ...], Any]]:
        return (((*group, name), gate) for group in self._groups() for name, gate in inner(self.fields, *group).items())

    def _check_gate(self, steps: tuple[str, ...], gate: object) -> None:
        fields, bounds, bare = gate_fields(gate), thresholds(gate), bare_number(gate)
        if any(map(math.isinf, (*bounds.values(), bare or 0.0))):
            self._add("config.gate", "a limit must be a finite number", *steps)
        elif isinstance(gate, dict) and bounds.get("min", -math.inf) > bounds.get("max", math.inf):
            self._add("config.gate", f"min {gate['min']} is above max {gate['max']}: nothing can pass", *steps)
        if (
            steps[0] == "gates"
            and isinstance(gate, dict)
            and not (fields.keys() & CONDITIONS.keys() or self._is_bounded(steps[-1]))
        ):
            self._add("config.gate", f"has no condition; give a number, or one of {', '.join(CONDITIONS)}", *steps)
        elif steps[0] == "gates" and "alpha" in fields:
            comparing = sorted(name for name, condition in CONDITIONS.items() if condition.needs_baseline)
            if not fields.keys() & comparing:
                self._add("config.gate", f"`alpha` is about {', '.join(comparing)}, and there is none of them", *steps, "alpha")
        self._check_guards(steps, fields)

    def _is_bounded(self, name: str) -> bool:
        """Whether a pattern under `gates` gives conditions to this measure."""
        patterns = (entry for entry in self._layer(("gates",)) if entry.is_pattern and name != entry.pattern)
        return any(entry.matches(name) and (entry.conditions or entry.bare is not None) for entry in patterns)

    def _check_guards(self, steps: tuple[str, ...], fields: Fields) -> None:
        if steps[0] == "gates" and not fields.keys() & GUARDS.keys():
            for name in ("right", "strict"):
                if name in fields:
                    self._add("config.gate", f"`{name}` is about {', '.join(GUARDS)}, and there is none of them", *steps, name)
        numbers = (fields.get("right"), inner(fields, MaxWorse.name).get("by"))
        if any(math.isinf(number) for number in numbers if isinstance(number, (int, float))):
            self._add("config.gate", "`right` and `by` must be finite numbers", *steps)

    @property
    def _is_judged_by_test(self) -> bool:
        return self.fields.get("judged_by") == "test"

    def _check_judgeable(self, reference: str) -> None:
        """Log gates where there is no gold to judge by."""
        for group in self._groups() if reference != "gold" and "gold" not in self.fields else ():
            if inner(self.fields, *group):
                message = f'with "{reference}" instead of "gold", files are only validated: leave the gates out, or give "gold"'
                self._add("config.gate", message, *group)

    def _check_measures(self, task: Task, options: object) -> None:
        possible = task.measures(options, None)
        if possible is None:
            return
        names, measures_of = [measure.name for measure in possible], matching(possible)
        for steps, gate in self._all_gates():
            entry = self._gate(steps, gate)
            if inner(self.fields, "options").get("group") is not None and entry.pattern.startswith(PREFIX):
                continue  # files tell which groups there are
            if not (its_own := measures_of(entry)):
                what = "no measure matches" if entry.is_pattern else "no measure"
                hint = task.hint(options, steps[-1], names)
                self._add("config.measure", f'{what} "{steps[-1]}" in {task.name}; {hint}', *steps)
            elif mistake := beyond_range(entry, its_own) or guard_mistake(entry, its_own, possible):
                self._add("config.gate", mistake, *steps)

    def _layer(self, group: tuple[str, ...]) -> tuple[Entry, ...]:
        return tuple(self._gate((*group, name), gate) for name, gate in inner(self.fields, *group).items())

    def _gate(self, steps: tuple[str, ...], gate: object) -> Entry:
        return gate_of(steps[-1], gate, partial(self._place, *steps))

    def _systems(self, task: Task, reference: str) -> dict[str, dict[str, Pattern]]:
        """Return the patterns of all roles for each system; the system's name is "" if the configuration gives none.

        Any role but gold, or what stands instead of it, may have a path for each system, by the names under `system`.
        """
        systems = suite_names(self.fields).keys()
        roles = [role.name for role in task.roles if role.name in self.fields]
        for role in roles:
            self._check_paths(role, self.fields[role], systems, reference)
        return {
            system: {role: self._pattern(text) for role, text in paths_of(self.fields, roles, system).items()}
            for system in systems
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
        pattern = self._pattern(text)
        if "\0" not in text and (message := self._why_no_place(pattern.fixed_folder, "files")):
            self._add("config.path", message, *steps)
        else:
            check_pattern(role, pattern, (reference, self._pattern(gold)), self._add, *steps)
