"""What all shards of a run must have in common, so that their evidence is that of one run."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Self

from pytest_nlpeval import __version__
from pytest_nlpeval.baselines.checkout import checkout_of
from pytest_nlpeval.config.suite import Choices, Recipe, Suite
from pytest_nlpeval.files import FILE_KINDS, read_source
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.run.digest import scoring_settings


class Selection(NamedTuple):
    """What a user chose for a run: `suites` by name (none for all), the `root` that no file may leave (None for the default), the rest."""

    choices: Choices
    suites: tuple[str, ...] = ()
    root: Path | None = None

    def to_json(self) -> dict[str, Any]:
        """Return a JSON object in which paths are relative to the current folder."""
        choices = self.choices
        return {
            "profile": choices.profile,
            "informational": choices.informational,
            "baseline": choices.baseline,
            "default_baseline": choices.default_baseline,
            "statistics": dict(choices.statistics),
            "outside": None if choices.outside is None else sorted(map(_from_here, choices.outside)),
            "suites": list(self.suites),
            "root": None if self.root is None else _from_here(self.root),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read back what `to_json` wrote, which follows the schema."""
        outside = data["outside"]
        choices = Choices(
            data["profile"],
            data["informational"],
            data["baseline"],
            data["default_baseline"],
            data["statistics"],
            None if outside is None else frozenset(str(Path(path).absolute()) for path in outside),
        )
        return cls(choices, tuple(data["suites"]), None if data["root"] is None else Path(data["root"]))


def facts_of(suites: Iterable[Suite], selection: Selection) -> dict[str, Any]:
    """Return what all shards of a run have in common, as a JSON object: program, commit, configurations, and what the user chose.

    Python's version is among them: which characters are letters depends on it.
    """
    configs = list(dict.fromkeys(suite.config for suite in suites if suite.config))
    checkout = checkout_of(config.parent for config in configs)
    return {
        "package": __version__,
        "python": ".".join(map(str, sys.version_info[:2])),
        "commit": checkout.commit.name if checkout else "",
        "configurations": [[_from_here(config), _digest_of(config)] for config in configs],
        "arguments": selection.to_json(),
    }


def settings_of(recipe: Recipe) -> str:
    """Return a digest of everything but files that the evidence of a suite depends on: task, its code, options, rules."""
    settings = scoring_settings(recipe)
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()


def differences(facts: Mapping[str, Any], others: Mapping[str, Any]) -> list[str]:
    """Return in words what two shards of a run do not have in common; nothing if they belong together."""
    told = []
    for name, what in (("package", "pytest-nlpeval"), ("python", "Python"), ("commit", "the commit")):
        if facts[name] != others[name]:
            told.append(f"{what} {facts[name] or 'none'} instead of {others[name] or 'none'}")
    arguments, other_arguments = facts["arguments"], others["arguments"]
    told += [
        _difference(name, arguments[name], other_arguments[name])
        for name in arguments
        if arguments[name] != other_arguments[name]
    ]
    configs, other_configs = dict(facts["configurations"]), dict(others["configurations"])
    if list(configs) != list(other_configs):
        told.append(f"the configurations {_brief(list(configs))} instead of {_brief(list(other_configs))}")
    else:
        told += [f"another {name}" for name, digest in configs.items() if other_configs[name] != digest]
    return told


def _difference(name: str, value: Any, other: Any) -> str:
    if name == "root" and None in (value, other):  # which pytest alone tells
        return f"counted by {'`nlpeval run` instead of pytest' if value is None else 'pytest instead of `nlpeval run`'}"
    return f"{name} {_brief(value)} instead of {_brief(other)}"


def _brief(value: Any) -> str:
    return json.dumps(value, sort_keys=True)[:60]


def _digest_of(path: Path) -> str:
    source = read_source(path, ProblemLog("", FILE_KINDS))
    return hashlib.sha256(source.data).hexdigest() if source else ""


def _from_here(path: str | Path) -> str:
    """Return a path from the current folder, with `/`."""
    try:
        return os.path.relpath(path).replace(os.sep, "/")
    except ValueError:  # on another drive
        return str(path)
