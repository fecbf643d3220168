"""What an entry under `suites` of a configuration means: the names of its suites, their paths, gates and baseline.

These are functions of the mapping alone. The reader of today's configuration asks them, and so does whoever reads that of an earlier
commit, which nobody checked: a value of the wrong type counts as missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytest_nlpeval.conditions import NoGroupFalls
from pytest_nlpeval.entry_points import load_point
from pytest_nlpeval.foreign_process import announce
from pytest_nlpeval.gates import Entry
from pytest_nlpeval.guards import CONDITIONS, GUARDS
from pytest_nlpeval.libraries import metadata
from pytest_nlpeval.task import Deferred

if TYPE_CHECKING:
    from pytest_nlpeval.formats.yaml import Place

Fields = Mapping[str, Any]
"""An entry under `suites`, or another mapping of a configuration."""


def mapping(value: object) -> Fields:
    """Return a mapping itself, and an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def inner(fields: Fields, *steps: str) -> Fields:
    """Return the mapping that keys lead to, an empty one if there is none."""
    for step in steps:
        fields = mapping(fields.get(step))
    return fields


def suite_names(entry: Fields) -> dict[str, str]:
    """Return the name of each system's suite by the system's name, which is "" if `system` is a single path.

    >>> suite_names({"name": "dev", "system": {"ours": "a.txt", "old": "b.txt"}})
    {'ours': 'dev/ours', 'old': 'dev/old'}
    >>> suite_names({"name": "dev", "system": "a.txt"})
    {'': 'dev'}
    """
    systems = list(entry["system"]) if isinstance(entry.get("system"), dict) else [""]
    name = str(entry.get("name"))
    return {system: f"{name}/{system}" if len(systems) > 1 else name for system in systems}


def base_name(suite: str, system: str) -> str:
    """Return the name that an entry gives its suites, from that of the suite of one system.

    >>> base_name("dev/ours", "ours"), base_name("dev", "ours"), base_name("dev", "")
    ('dev', 'dev', 'dev')
    """
    return suite.removesuffix(f"/{system}") if system else suite


def paths_of(entry: Fields, roles: Iterable[str], system: str) -> dict[str, str]:
    """Return the path or pattern of each role for a system; a role may have one path for all systems, or one for each."""
    given = {role: entry.get(role) for role in roles}
    chosen = {role: value.get(system) if isinstance(value, dict) else value for role, value in given.items()}
    return {role: text for role, text in chosen.items() if isinstance(text, str)}


def gate_groups(entry: Fields, profile: str | None) -> list[tuple[str, ...]]:
    """Return the keys that lead to the gates that apply: the entry's own, then those of the profile if the entry has it."""
    return [("gates",), *([("profiles", profile)] if profile is not None and profile in inner(entry, "profiles") else [])]


def gate_fields(gate: object) -> Fields:
    """Return the fields of a gate, all thresholds of one kind; a bare number has none.

    >>> gate_fields({"max": 2, "informational": True})
    {'max': 2.0, 'informational': True}
    """
    return {key: float(value) if _is_number(value) else value for key, value in mapping(gate).items()}


def bare_number(gate: object) -> float | None:
    """Return the number that a gate is, None for a gate with fields."""
    return float(gate) if isinstance(gate, (int, float)) and not isinstance(gate, bool) else None


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def thresholds(gate: object) -> dict[str, float]:
    """Return the thresholds of a gate by condition, those of guards left out."""
    fields = gate_fields(gate)
    numbers = {name: fields[name] for name in CONDITIONS if name not in GUARDS and isinstance(fields.get(name), float)}
    of_groups = mapping(fields.get(NoGroupFalls.name)).get("max_drop")
    return numbers | ({NoGroupFalls.name: float(of_groups)} if isinstance(of_groups, (int, float)) else {})


def gate_of(name: str, gate: object, place: Callable[..., Place]) -> Entry:
    """Return an entry under `gates`; `place` gives the place of the entry, and of the keys in it."""
    fields, here = gate_fields(gate), place()
    conditions = {key: CONDITIONS[key](threshold) for key, threshold in thresholds(gate).items()}
    conditions |= {key: guard.of(fields[key]) for key, guard in GUARDS.items() if key in fields}
    level = mapping(fields.get(NoGroupFalls.name)).get("alpha")
    if level is not None and NoGroupFalls.name in conditions:
        conditions[NoGroupFalls.name] = replace(conditions[NoGroupFalls.name], alpha=level)
    lines = {key: place(key).line for key in conditions}
    informational, alpha = fields.get("informational"), fields.get("alpha")
    bare, right, strict = bare_number(gate), fields.get("right"), fields.get("strict")
    if_no_value = fields.get("if_no_value")
    return Entry(name, here.line, here.column, conditions, lines, informational, alpha, bare, right, strict, if_no_value)


SOURCES = {"git": "pytest_nlpeval.baselines.git_revision:run_of", "": "pytest_nlpeval.baselines.baseline_file:run_of"}
"""Where baselines come from: a `baselines.Source` as `module:attribute`, imported when used, by the word before a reference's colon.

A reference that begins with none of these words is the path of a file, whose source is that of "".
"""

SOURCE_GROUP = "nlpeval.baselines"
"""The entry-point group through which installed packages add sources. A source of this package cannot be replaced."""


def source_of(reference: str) -> str:
    """Return the word of the source that gives what a reference names, "" for the path of a file; announce one of another package.

    >>> [source_of(reference) for reference in ("git:origin/main", "none.json", "git/main.json", "C:/main.json")]
    ['git', '', '', '']
    """
    word, colon, _ = reference.partition(":")
    if colon and word not in SOURCES and metadata.entry_points(group=SOURCE_GROUP, name=word):
        announce(word)
        return word
    return word if colon and word in SOURCES else ""


def load_source(word: str) -> Any:
    """Return the source of that word; `ImportError` if that of an installed package cannot be imported (`entry_points.load_point`)."""
    return Deferred(SOURCES[word]).load() if word in SOURCES else load_point(SOURCE_GROUP, word)


def baseline_reference(entry: Fields, defaults: Fields) -> object:
    """Return what an entry names as its baseline, or else what the `defaults` of its configuration name; None if nobody does."""
    return entry.get("baseline", defaults.get("baseline"))
