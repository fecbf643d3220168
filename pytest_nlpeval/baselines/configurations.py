"""What the configurations of a commit say: suites with their settings, and which files they are judged by. Nothing is evaluated."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from pytest_nlpeval.baselines.git import Blob, Repository
from pytest_nlpeval.conditions import CONDITIONS
from pytest_nlpeval.config.checks import find_task
from pytest_nlpeval.config.finding import is_config
from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.yaml import YAML_KINDS, Marked, Steps, read_yaml
from pytest_nlpeval.gates import Entry, resolve
from pytest_nlpeval.patterns import DOC, Pattern
from pytest_nlpeval.problems import ProblemLog

_MOST_LINKS = 10
_FOR_ALL = ("baseline", "statistics")
"""What an entry takes from `defaults`."""

Files = Mapping[str, str]
"""Names of git's objects by the paths of files."""


@dataclass(frozen=True, slots=True)
class Configured:
    """An entry under `suites` of the configuration at `config`, a path from the top of the repository.

    `names` are those of its suites, one for each system. `settings` has every value by the keys that lead to it, as JSON, and `lines` those
    of their keys. `files` are, by role, those that it is judged by: all but the system's, and the baseline file. `fields` is the entry.
    """

    config: str
    line: int
    name: str
    task: str
    names: tuple[str, ...]
    settings: Mapping[tuple[str, ...], str]
    lines: Mapping[tuple[str, ...], int]
    files: Mapping[str, Files]
    fields: Mapping[str, Any] = field(repr=False)

    def conditions(self, profile: str | None, measures: Iterable[str]) -> dict[tuple[str, str], float]:
        """Return the thresholds by measure and condition, a pattern standing for those `measures` that it matches."""
        groups = [self.fields.get("gates"), _mapping(self.fields.get("profiles")).get(profile or "")]
        layers = [[_gate(name, gate) for name, gate in _mapping(group).items()] for group in groups]
        plain = (entry.pattern for layer in layers for entry in layer if not entry.is_pattern)
        gates, _ = resolve(layers, [*measures, *plain])
        return {(gate.measure, name): condition.threshold for gate in gates for name, condition in gate.conditions.items()}


def configured(repository: Repository, commit: str) -> list[Configured]:
    """Return all entries of all configurations of a commit, wherever they lie; what is not well-formed has none.

    Raises:
        GitError: if an object is not there.
    """
    tree = _Tree(repository, repository.files(commit))
    return [entry for path in config_paths(tree.files) for entry in _entries(path, tree)]


def config_paths(files: Iterable[str]) -> list[str]:
    """Return the paths that are those of configurations."""
    return [path for path in files if is_config(PurePosixPath(path).name)]


@dataclass(frozen=True, slots=True)
class _Tree:
    """The files of a commit, and where links among them lead."""

    repository: Repository
    files: Mapping[str, Blob]

    def text(self, path: str) -> bytes:
        (text,) = self.repository.contents([self.files[path].name])
        return text

    def resolved(self, path: str) -> str:
        """Return where a path leads through the links among its parts; "" if they lead out of the repository, or round in circles."""
        path = os.path.normpath(path)
        for _ in range(_MOST_LINKS):
            link = next((start for start in _starts(path) if start in self.files and self.files[start].is_link), None)
            if link is None:
                return "" if path.startswith(("..", "/")) else path
            rest = os.path.relpath(path, link)
            path = os.path.normpath(PurePosixPath(link).parent / os.fsdecode(self.text(link)) / rest)
        return ""

    def matching(self, path: str) -> dict[str, str]:
        """Return the objects of the files that a path, perhaps with `{doc}`, stands for; of a submodule its commit."""
        path = self.resolved(path)
        modules = {
            start: self.files[start].name for start in _starts(path) if start in self.files and self.files[start].is_submodule
        }
        if modules or not path:
            return modules
        pattern = Pattern(Path(), path)
        names = (name for name in self.files if pattern.match(name) is not None) if DOC in path else [path]
        targets = {name: self.resolved(name) for name in names}
        return {name: self.files[target].name for name, target in targets.items() if target in self.files}


def _starts(path: str) -> Iterator[str]:
    """Yield the folders that a path goes through, then itself."""
    parts = PurePosixPath(path).parts
    return ("/".join(parts[: rank + 1]) for rank in range(len(parts)))


def _entries(config: str, tree: _Tree) -> Iterator[Configured]:
    target = tree.resolved(config)
    if target not in tree.files or tree.files[target].is_submodule:
        return
    document = read_yaml(Source(config, tree.text(target)), ProblemLog(config, YAML_KINDS))
    top = _mapping(document.value) if document else {}
    suites = top.get("suites")
    defaults = {key: value for key, value in _mapping(top.get("defaults")).items() if key in _FOR_ALL}
    around = {**({"allow_outside": top["allow_outside"]} if "allow_outside" in top else {}), **defaults}
    for rank, fields in enumerate(suites if isinstance(suites, list) else ()):
        if document and isinstance(fields, dict) and isinstance(fields.get("name"), str):
            yield _entry(config, document, ("suites", rank), {**around, **fields}, tree)


def _entry(config: str, document: Marked, steps: Steps, fields: Mapping[str, Any], tree: _Tree) -> Configured:
    name, systems = fields["name"], _mapping(fields.get("system"))
    settings = dict(_flat({**fields, "gates": _spelt_out(fields.get("gates")), "profiles": _profiles(fields)}))
    return Configured(
        config,
        document.place((*steps, "name")).line,
        name,
        str(fields.get("task")),
        tuple(f"{name}/{system}" for system in systems) if len(systems) > 1 else (name,),
        settings,
        {keys: document.place((*steps, *keys)).line for keys in settings},
        _judging_files(config, fields, tree),
        fields,
    )


def _flat(value: object, keys: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the values of a mapping of mappings by the keys that lead to them; an empty mapping has none."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(inner, (*keys, str(key)))
    else:
        yield keys, json.dumps(value, ensure_ascii=False, sort_keys=True)


def _profiles(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {str(name): _spelt_out(group) for name, group in _mapping(fields.get("profiles")).items()}


def _spelt_out(gates: object) -> dict[str, Any]:
    """Return gates with `{min: NUMBER}` for NUMBER, and all numbers of one kind."""
    full = {str(name): gate if isinstance(gate, dict) else {"min": gate} for name, gate in _mapping(gates).items()}
    return {
        name: {key: float(value) if _is_number(value) else value for key, value in gate.items()} for name, gate in full.items()
    }


def _gate(name: str, gate: object) -> Entry:
    (fields,) = _spelt_out({name: gate}).values()
    return Entry(name, 0, 0, {key: CONDITIONS[key](fields[key]) for key in CONDITIONS if isinstance(fields.get(key), float)})


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _judging_files(config: str, fields: Mapping[str, Any], tree: _Tree) -> dict[str, Files]:
    """Return the objects that a suite is judged by, by role and path."""
    folder = PurePosixPath(config).parent
    task = find_task(str(fields.get("task")), lambda *_: None)
    given = {role.name: fields.get(role.name) for role in (task.roles if task else ()) if role.side == "gold"}
    if not str(fields.get("baseline", "none")).startswith(("git:", "none")):
        given["baseline"] = fields["baseline"]
    texts = {role: list(text.values()) if isinstance(text, dict) else [text] for role, text in given.items()}
    return {
        role: {
            path: name for text in several if isinstance(text, str) for path, name in tree.matching(str(folder / text)).items()
        }
        for role, several in texts.items()
    }
