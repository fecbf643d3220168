"""Reads `nlpeval.yaml` into suites, after logging every mistake of the file at its place."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pytest_nlpeval.config.checks import CONFIG_KINDS, ConfigError, may_lead_outside
from pytest_nlpeval.config.entry import Surroundings, read_suite
from pytest_nlpeval.config.production import Making
from pytest_nlpeval.config.pyproject import misplaced_tables
from pytest_nlpeval.config.suite import Choices, Suite
from pytest_nlpeval.files import json_schema, label, read_source, repository_root
from pytest_nlpeval.formats.json_schema import check_schema
from pytest_nlpeval.formats.yaml import Marked, read_yaml
from pytest_nlpeval.problems import Problem, ProblemLog


def load_suites(  # noqa: PLR0913 - each is a choice of the user, by name
    path: str | Path,
    *,
    profile: str | None = None,
    root: Path | None = None,
    informational: bool = False,
    baseline: str | None = None,
    default_baseline: str | None = None,
    statistics: Mapping[str, Any] | None = None,
    outside: Collection[str] | None = None,
    produce: Making | None = None,
) -> list[Suite]:
    """Return the suites of a configuration file, one per suite and system, with their cases found; reads no other file.

    `profile` chooses a set of gates on top; a suite that does not have it keeps its own. No file may lie outside `root` (by default
    the repository of the file, or its folder) unless the configuration says `allow_outside: true`. `informational` makes
    every gate so. `baseline` (`none` for none; a path is relative to the current folder) and `statistics` replace those of the
    configuration; `default_baseline` is for suites that name none. With `outside`, `allow_outside` counts in the configurations at these
    paths only, and no other configuration is itself read outside the root. With `produce`, evaluating a suite first runs its command
    `produce`.

    Raises:
        ConfigError: with every mistake of the file, each with line and column.
    """
    given = Path(path).absolute()
    config = given.parent.resolve() / given.name
    top = (root or repository_root(config)).resolve()
    choices = Choices(profile, informational, baseline, default_baseline, statistics or {}, outside, produce)
    log = ProblemLog(label(config, top), CONFIG_KINDS)
    source = read_source(config, log, root=None if may_lead_outside(config, outside) else top)
    document = read_yaml(source, log) if source else None
    suites, problems = _read_suites(Surroundings(config, top, document, choices), log) if document else ([], [])
    problems = sorted((*log.problems(), *problems), key=lambda problem: (problem.line or 0, problem.column or 0))
    problems += misplaced_tables(config.parent, top)
    if problems:
        raise ConfigError(tuple(problems), top)
    return [replace(suite, arguments=choices.arguments) for suite in suites]


def _read_suites(around: Surroundings, log: ProblemLog) -> tuple[list[Suite], list[Problem]]:
    suites: list[Suite] = []
    problems: list[Problem] = []
    for rank, fields in _listed(around.document, log):
        suite_log = ProblemLog(log.path, CONFIG_KINDS)
        suites += read_suite(around, ("suites", rank), fields, suite_log)
        problems += suite_log.problems()
    return suites, problems


def _listed(document: Marked, log: ProblemLog) -> list[tuple[int, dict[str, object]]]:
    """Return the entries under `suites` that are mappings, after checking what is around them."""
    value = document.value
    if value is None:
        log.add("config.empty", "is empty; `nlpeval init` writes a configuration to start from", 1)
        return []
    check_schema(document, _TOP_SCHEMA, (), "config.invalid", log)
    if not isinstance(value, dict):
        return []
    suites = value.get("suites")
    listed = [(rank, item) for rank, item in enumerate(suites if isinstance(suites, list) else ()) if isinstance(item, dict)]
    _check_names(document, listed, log)
    return listed


def _check_names(document: Marked, listed: list[tuple[int, dict[str, object]]], log: ProblemLog) -> None:
    seen: dict[object, int] = {}
    for rank, fields in listed:
        name, place = fields.get("name"), document.place(("suites", rank, "name"))
        if isinstance(name, str) and name in seen:
            log.add("config.name", f'the name "{name}" is already used on line {seen[name]}', place.line, place.column)
        seen.setdefault(name if isinstance(name, str) else rank, place.line)


_SCHEMA = json_schema("nlpeval.schema.json")
_TOP_SCHEMA = {
    **_SCHEMA,
    "properties": {**_SCHEMA["properties"], "suites": {"type": "array", "minItems": 1, "items": {"type": "object"}}},
}
