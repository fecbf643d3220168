"""Reads `nlpeval.yaml` into suites, after logging every mistake of the file at its place."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fnmatch import fnmatch
from pathlib import Path

from pytest_nlpeval.formats.json_schema import check_schema, nearest
from pytest_nlpeval.formats.source import FILE_KINDS, read_source
from pytest_nlpeval.formats.yaml import YAML_KINDS, Marked, read_yaml
from pytest_nlpeval.paths import label, repository_root
from pytest_nlpeval.problems import Kind, NlpevalError, Problem, ProblemLog
from pytest_nlpeval.resources import json_schema
from pytest_nlpeval.suite import Suite
from pytest_nlpeval.suite_reader import Surroundings, read_suite

CONFIG_FILES = ("nlpeval.yaml", "nlpeval.yml", "*.nlpeval.yaml", "*.nlpeval.yml")

_LEFT_OUT = (".*", "*.egg", "_darcs", "build", "CVS", "dist", "node_modules", "venv", "{arch}")

CONFIG_KINDS = {
    **FILE_KINDS,
    **YAML_KINDS,
    "config.empty": Kind("error", "the configuration is empty", fixed=True),
    "config.invalid": Kind("error", "the configuration does not have the structure it must have", fixed=True),
    "config.key": Kind("error", "a key that neither the configuration nor the task knows", fixed=True),
    "config.name": Kind("error", "two suites have the same name", fixed=True),
    "config.task": Kind("error", "no task of that name is installed", fixed=True),
    "config.option": Kind("error", "the task has no such option, or not with this value", fixed=True),
    "config.rule": Kind("error", "the task knows no problem of this code, or it cannot be changed", fixed=True),
    "config.path": Kind("error", "a path leaves the root folder, matches nothing, or has a wrong placeholder", fixed=True),
    "config.gate": Kind("error", "a gate has no condition, or one that nothing can meet", fixed=True),
    "config.measure": Kind("error", "a gate's measure does not exist", fixed=True),
    "config.unavailable": Kind("error", "what the configuration asks for is not yet available", fixed=True),
}


class ConfigError(NlpevalError):
    """A configuration that cannot be used; `problems` holds every mistake of the file, each with its place."""


def is_config(name: str, patterns: tuple[str, ...] = CONFIG_FILES) -> bool:
    """Whether a file of this name is a configuration."""
    return any(fnmatch(name, pattern) for pattern in patterns)


def find_configs(path: Path) -> Iterator[Path]:
    """Yield `path` itself if it is no folder, otherwise the configurations in and below it, sorted.

    Left out are the folders that pytest leaves out by default: hidden ones, virtual environments, build output.
    """
    try:
        entries = sorted(path.iterdir())
    except OSError:  # a file, or what cannot be read: reading it says why
        yield path
        return
    yield from (entry for entry in entries if is_config(entry.name) and entry.is_file())
    for entry in entries:
        if entry.is_dir() and not entry.is_symlink() and not _is_left_out(entry):
            yield from find_configs(entry)


def _is_left_out(folder: Path) -> bool:
    return any(fnmatch(folder.name, name) for name in _LEFT_OUT) or (folder / "pyvenv.cfg").exists()


def load_suites(
    path: str | Path, *, profile: str | None = None, root: Path | None = None, informational: bool = False
) -> list[Suite]:
    """Return the suites of a configuration file, one per suite and system, with their cases found; reads no other file.

    `profile` chooses a set of gates on top; a suite that does not have it keeps its own. No file may lie outside `root` (by default
    the repository of the file, or its folder) unless the configuration says `allow_outside: true`. `informational` makes
    every gate so.

    Raises:
        ConfigError: with every mistake of the file, each with line and column.
    """
    given = Path(path).absolute()
    config = given.parent.resolve() / given.name
    top = (root or repository_root(config)).resolve()
    log = ProblemLog(label(config, top), CONFIG_KINDS)
    source = read_source(config, log)
    document = read_yaml(source, log) if source else None
    suites, problems = _read_suites(Surroundings(config, top, document, profile, informational), log) if document else ([], [])
    problems = sorted((*log.problems(), *problems), key=lambda problem: (problem.line or 0, problem.column or 0))
    if problems:
        raise ConfigError(tuple(problems))
    return suites


def require_profile(profile: str | None, known: Collection[str]) -> None:
    """Raise `ConfigError` if a profile was asked for that is not among the `known` ones."""
    if profile is not None and profile not in known:
        message = f'no suite has a profile "{profile}"; {nearest(profile, known)}'
        raise ConfigError((Problem("config.profile", "error", "", None, None, "", message),))


def _read_suites(around: Surroundings, log: ProblemLog) -> tuple[list[Suite], list[Problem]]:
    suites: list[Suite] = []
    problems: list[Problem] = []
    for rank, fields in _listed(around.document, log):
        suite_log = ProblemLog(log.path, CONFIG_KINDS)
        suites += read_suite(around, rank, fields, suite_log)
        problems += suite_log.problems()
    return suites, problems


def _listed(document: Marked, log: ProblemLog) -> list[tuple[int, dict[str, object]]]:
    """Return the entries under `suites` that are mappings, after checking what stands around them."""
    value = document.value
    if value is None:
        log.add("config.empty", "is empty; `nlpeval init` writes a configuration to start from", 1)
        return []
    check_schema(document, _TOP_SCHEMA, (), "config.invalid", log)
    if not isinstance(value, dict):
        return []
    if isinstance(defaults := value.get("defaults"), dict) and "baseline" in defaults:
        place = document.place(("defaults", "baseline"))
        message = "baselines are not yet available; leave `baseline` out"
        log.add("config.unavailable", message, place.line, place.column, "defaults.baseline")
    suites = value.get("suites")
    listed = [(rank, item) for rank, item in enumerate(suites if isinstance(suites, list) else ()) if isinstance(item, dict)]
    _check_names(document, listed, log)
    return listed


def _check_names(document: Marked, listed: list[tuple[int, dict[str, object]]], log: ProblemLog) -> None:
    seen: dict[object, int] = {}
    for rank, fields in listed:
        name, place = fields.get("name"), document.place(("suites", rank, "name"))
        if isinstance(name, str) and name in seen:
            log.add("config.name", f'the name "{name}" stands on line {seen[name]} already', place.line, place.column)
        seen.setdefault(name if isinstance(name, str) else rank, place.line)


_SCHEMA = json_schema("nlpeval.schema.json")
_TOP_SCHEMA = {
    **_SCHEMA,
    "properties": {**_SCHEMA["properties"], "suites": {"type": "array", "minItems": 1, "items": {"type": "object"}}},
}
