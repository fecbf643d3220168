"""What the configurations of a commit say: suites with their settings, and which files they are judged by. Nothing is evaluated."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any, Literal, TypeAlias

from pytest_settings import configuration_paths

from pytest_nlpeval.baselines.git import GitError
from pytest_nlpeval.baselines.tree import Tree
from pytest_nlpeval.config.checks import CONFIG_KINDS, check_options, find_task
from pytest_nlpeval.config.document_groups import KEY, OPTION, by_document
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
)
from pytest_nlpeval.config.suite import Baseline
from pytest_nlpeval.files import Source
from pytest_nlpeval.foreign import TaskError
from pytest_nlpeval.formats.yaml import YAML_KINDS, Marked, Place, Steps, read_yaml
from pytest_nlpeval.gates import Entry, Gate, bare_bound, resolve
from pytest_nlpeval.guards import KnownFailures, MustPass
from pytest_nlpeval.measures import Measure, Sample, Values
from pytest_nlpeval.patterns import DOC, Pattern
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.run.guard_lists import LIST_KINDS, entries_in

_FOR_ALL = ("baseline", "statistics")
"""What an entry takes from `defaults`."""

LISTS = (MustPass.name, KnownFailures.name)
"""The keys of gates whose values are lists of units."""

Direction: TypeAlias = Literal["higher", "lower"]
"""Which values of a measure are better."""

Files = Mapping[str, str]
"""Names of git's objects by the paths of files."""


@dataclass(frozen=True, slots=True)
class Configured:
    """An entry under `suites` of the configuration at `config`, a path from the top of the repository.

    `names` are those of its suites, one for each system. `settings` has every value by the keys that lead to it, as JSON, and `lines` those
    of their keys. `files` are, by role, those that it is judged by: all but the system's, and the baseline file. `orders` has the
    patterns of measures among the keys of each group of gates, in their order, by the keys that lead to the group. `watched` are all
    files of the commit that decide what is judged: the configuration, `files`, and lists of units. `fields` is the entry. `former` are
    the former names of measures, by those of now. `paths` are, by role, those of `files` and of lists, from the top, perhaps with `{doc}`.
    """

    config: str
    line: int
    name: str
    task: str
    names: tuple[str, ...]
    settings: Mapping[tuple[str, ...], str]
    lines: Mapping[tuple[str, ...], int]
    files: Mapping[str, Files]
    orders: Mapping[tuple[str, ...], Sequence[str]]
    watched: Files
    fields: Fields = field(repr=False)
    former: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    paths: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def conditions(self, profile: str | None, measures: Mapping[str, Direction]) -> dict[tuple[str, str], float]:
        """Return the thresholds by measure and condition, a pattern standing for those `measures` that it matches.

        The directions say what a bare number bounds; of a measure that has none it is a minimum.
        """
        return {
            (name, condition): gate.conditions[condition].threshold
            for name, gate in self.gates(profile, measures).items()
            for condition in gate.conditions
        }

    def gates(self, profile: str | None, measures: Mapping[str, Direction]) -> dict[str, Gate]:
        """Return the gates by measure as it is called now, with all entries applied in their order.

        Lists of units are those of their files.
        """
        layers = [
            [
                gate_of(name, self._with_units(gate, *group, name), lambda *_: Place(0, 0))
                for name, gate in inner(self.fields, *group).items()
            ]
            for group in gate_groups(self.fields, profile)
        ]
        plain = {entry.pattern for layer in layers for entry in layer if not entry.is_pattern}
        known = [
            Measure(name, "", "", _no_values, better=better, was=self.former.get(name, ())) for name, better in measures.items()
        ]
        names = {name for measure in known for name in (measure.name, *measure.was)}
        gates, _ = resolve(layers, [*known, *sorted(plain - names)])
        return {gate.measure: gate for gate in gates}

    def _with_units(self, gate: object, *keys: str) -> object:
        """Return the gate that these keys lead to with the units of its lists in place of the paths of their files."""
        lists = {key: self.settings.get((*keys, key)) for key in LISTS if key in mapping(gate)}
        return {**mapping(gate), **{key: json.loads(text) for key, text in lists.items() if text}} if lists else gate

    @property
    def leads_outside(self) -> bool:
        """Whether the entry says that files may lie outside the root."""
        return self.fields.get("allow_outside") is True

    @property
    def places(self) -> Mapping[tuple[str, ...], object]:
        """The paths of the entry by the keys that lead to them, as they are written."""
        groups = by_document(inner(self.fields, "options"))
        leaves = _leaves({key: value for key, value in self.fields.items() if key not in _NO_PATHS})
        paths = {
            keys: value
            for keys, value in leaves
            if keys[0] not in ("gates", "profiles") or (keys[-1] in LISTS and isinstance(value, str))
        }
        return {**paths, ("options", OPTION, KEY): groups} if isinstance(groups, str) else paths


def gate_keys(fields: Fields) -> Iterator[tuple[str, ...]]:
    """Yield the keys that lead to each group of gates of an entry."""
    yield ("gates",)
    yield from (("profiles", str(name)) for name in inner(fields, "profiles"))


_NO_PATHS = ("options", "rules", "statistics", "name", "task", "was")


def _no_values(sample: Sample) -> Values:
    raise NotImplementedError(f"nothing is evaluated here: {sample}")


def configured(tree: Tree, places: Sequence[str] = (".",), further: Sequence[str] = ()) -> list[Configured]:
    """Return all entries of all configurations of a commit, wherever they lie; what is not well-formed has none.

    `places` are the paths that pytest is given, from the top: they decide which of its settings count. `further` are patterns of names
    that are configurations as well.

    Raises:
        GitError: if an object is not there.
    """
    return list(entries_of(configuration_paths(tree, places, further), tree))


def moved_below(folder: str, entry: Configured) -> Configured:
    """Return an entry of a submodule as one of the repository that has the submodule in a folder."""

    def moved(files: Files) -> Files:
        return {f"{folder}/{path}": name for path, name in files.items()}

    files = {role: moved(files) for role, files in entry.files.items()}
    paths = {role: [f"{folder}/{path}" for path in of_role] for role, of_role in entry.paths.items()}
    return replace(entry, config=f"{folder}/{entry.config}", files=files, watched=moved(entry.watched), paths=paths)


def entries_of(configs: Sequence[str], tree: Tree) -> Iterator[Configured]:
    """Yield the entries of the configurations at some paths. One process of git reads all files.

    A file that is no configuration, or that is not well-formed, has no entries; so has a path that leads to no file.
    """
    objects = {config: name for config in configs if (name := object_at(tree, config))}
    texts = tree.repository.contents(objects.values()) if objects else ()
    for config, text in zip(objects, texts, strict=True):
        yield from _entries(config, text, tree)


def _entries(config: str, text: bytes, tree: Tree) -> Iterator[Configured]:
    document = read_yaml(Source(config, text), ProblemLog(config, YAML_KINDS))
    if document is None:
        return
    top = mapping(document.value)
    suites = top.get("suites")
    around = {key: top[key] for key in ("allow_outside",) if key in top}
    around |= {key: value for key, value in inner(top, "defaults").items() if key in _FOR_ALL}
    for rank, fields in enumerate(suites if isinstance(suites, list) else ()):
        if isinstance(fields, dict) and isinstance(fields.get("name"), str):
            yield _entry(config, document, ("suites", rank), {**around, **fields}, tree)


def _entry(config: str, document: Marked, steps: Steps, fields: Fields, tree: Tree) -> Configured:
    measures = _possible_measures(document, steps, fields)
    profiles = {str(name): _spelt_out(gates, measures) for name, gates in inner(fields, "profiles").items()}
    settings = dict(_flat({**fields, "gates": _spelt_out(fields.get("gates"), measures), "profiles": profiles}))
    folder = PurePosixPath(config).parent
    lists = {keys: value for keys, value in settings.items() if keys[-1] in LISTS}
    settings |= {keys: ids for keys, value in lists.items() if (ids := _ids(value, folder, tree))}
    paths = _judging_paths(folder, fields, tree)
    files = {role: {path: name for text in of_role for path, name in _objects(text, tree)} for role, of_role in paths.items()}
    of_lists = sorted({_from_top(folder / path, tree) for path in map(json.loads, lists.values()) if isinstance(path, str)})
    in_lists = [found for path in of_lists for found in _objects(path, tree)]
    if in_modules := {path: name for path, name in in_lists if tree.submodule(path)}:  # nobody knows their units
        files["list"] = in_modules
    return Configured(
        config,
        document.place((*steps, "name")).line,
        fields["name"],
        str(fields.get("task")),
        tuple(suite_names(fields).values()),
        settings,
        {keys: document.place((*steps, *keys)).line for keys in settings},
        files,
        {keys: [name for name in inner(fields, *keys) if "*" in name] for keys in gate_keys(fields)},
        {
            config: tree.blob(config).name,
            **dict(in_lists),
            **{path: name for role in files.values() for path, name in role.items()},
        },
        fields,
        {measure.name: measure.was for measure in measures if measure.was},
        {**paths, "list": of_lists},
    )


def _flat(value: object, keys: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the values of a mapping of mappings by the keys that lead to them; an empty mapping has none, but is one among options."""
    return ((steps, json.dumps(leaf, ensure_ascii=False, sort_keys=True)) for steps, leaf in _leaves(value, keys))


def _leaves(value: object, keys: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    if isinstance(value, dict) and (value or keys[:1] != ("options",) or not keys[1:]):
        for key, nested in value.items():
            yield from _leaves(nested, (*keys, str(key)))
    else:
        yield keys, value


def _ids(value: str, folder: PurePosixPath, tree: Tree) -> str:
    """Return the ids of a guard's list, sorted, as JSON; "" if the value is the path of a file that is not there, or is no text."""
    listed = json.loads(value)
    if isinstance(listed, str):
        try:
            (text,) = tree.repository.contents([tree.blob(_from_top(folder / listed, tree)).name])
        except GitError:
            return ""
        log = ProblemLog(listed, LIST_KINDS)
        ids = [entry.name for entry in entries_in(Source(listed, text), log)]
        listed = None if any(problem.severity == "error" for problem in log.problems()) else ids
    return json.dumps(sorted(map(str, listed)), ensure_ascii=False) if isinstance(listed, list) else ""


def _possible_measures(document: Marked, steps: Steps, fields: Fields) -> Sequence[Measure]:
    """Return the measures that the entry's task can have; none if only files can tell, or if its options are wrong."""
    task, log = find_task(str(fields.get("task")), lambda *_: None), ProblemLog("", CONFIG_KINDS)
    if task is None or ("options" not in fields and task.options_schema.get("required")):
        return ()
    with suppress(TaskError):  # whoever judges says so
        options = task.options() if "options" not in fields else None
        if options is None and isinstance(fields["options"], dict):
            options = check_options(task, document, (*steps, "options"), fields["options"], log)
        return () if options is None else task.measures(options, None) or ()
    return ()


def _spelt_out(gates: object, measures: Sequence[Measure]) -> dict[str, Any]:
    """Return gates with their fields; a bare number is the bound that it is for all measures that its name can mean, if it is one."""
    return {str(name): _fields(str(name), gate, measures) for name, gate in mapping(gates).items()}


def _fields(name: str, gate: object, measures: Sequence[Measure]) -> object:
    number = bare_number(gate)
    if number is None:
        return gate_fields(gate) if isinstance(gate, dict) else gate
    entry = Entry(name, 0, 0)
    bounds = {bare_bound(measure).name for measure in measures if entry.matches(measure)}
    return dict.fromkeys(bounds, number) if len(bounds) == 1 else number


def _judging_paths(folder: PurePosixPath, fields: Fields, tree: Tree) -> dict[str, list[str]]:
    """Return the paths of what a suite is judged by, by role, from the top."""
    task = find_task(str(fields.get("task")), lambda *_: None)
    roles = [role.name for role in (task.roles if task else ()) if role.side == "gold"]
    paths = [paths_of(fields, roles, system) for system in suite_names(fields)]
    judging = {role: {by_role[role] for by_role in paths if role in by_role} for role in roles}
    text = baseline_reference(fields, {})
    baseline = Baseline.of(text, Path(folder), Path()) if isinstance(text, str) else None
    if baseline and baseline.file:
        judging["baseline"] = {str(text)}
    if isinstance(groups := by_document(mapping(fields.get("options"))), str):
        judging["groups"] = {groups}
    return {role: [_from_top(folder / text, tree) for text in sorted(texts)] for role, texts in judging.items()}


def _from_top(path: PurePosixPath, tree: Tree) -> str:
    """Return a path without `..`, unless it leads through a link: the folder above a link is that above where it leads."""
    if ".." in path.parts:
        with suppress(GitError):  # it leads nowhere
            if len(tree.trail(str(path.parent))) > 1:
                return str(path)
    return os.path.normpath(path)


def object_at(tree: Tree, path: str) -> str | None:
    """Return the name of the object that a path leads to at a commit; None if it leads to no file."""
    try:
        return tree.blob(path).name
    except GitError:
        return None


def _objects(pattern: str, tree: Tree) -> Iterator[tuple[str, str]]:
    """Yield the files that a path, perhaps with `{doc}`, stands for, and their objects; of each submodule that has some its commit."""
    modules: set[str] = set()

    def names_in(folder: str) -> Collection[str]:
        with suppress(GitError):  # a link that leads nowhere, beside which there are others
            if module := tree.submodule(folder):
                modules.add(module)
            return tree.names_in(folder)
        return ()

    for path in (pattern.replace(DOC, document) for document in Pattern(Path(), pattern).documents(names_in)):
        if name := object_at(tree, path):
            yield path, name
        else:
            with suppress(GitError):  # likewise
                modules.add(tree.submodule(path))
    yield from ((module, tree.blobs[module].name) for module in sorted(modules - {""}))
