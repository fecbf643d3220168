"""The circumstances of a suite as its files are now, and what of those that a baseline file tells is another thing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import MISSING, asdict, fields, replace
from operator import itemgetter
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pytest_nlpeval.conditions import NonInferior
from pytest_nlpeval.config.checks import SUITE_KINDS
from pytest_nlpeval.config.suite import File, Recipe, Suite
from pytest_nlpeval.files import FILE_KINDS
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.runs import Circumstances, Run


def circumstances_of(suite: Suite) -> Circumstances:
    """Return the circumstances of a suite as its files are now; a gold file that cannot be read has the digest of nothing."""
    recipe, gold = suite.recipe, digests(suite, "gold")
    return Circumstances(
        recipe.task.name, recipe.task.version, plain_options(asdict(recipe.options)), dict(sorted(recipe.rules.items())), gold
    )


def digests(suite: Suite, side: Literal["gold", "system"]) -> dict[str, str]:
    """Return a digest of each document's files on one side, as they are now."""
    roles = [role.name for role in suite.recipe.task.roles if role.side == side]
    return {case.name: _digest([case.files[role] for role in roles if role in case.files]) for case in suite.cases}


def with_unchanged(run: Run, suite: Suite, earlier: Suite | None = None) -> Run:
    """Return a run with the documents whose system files are the same bytes today, if a gate of the suite needs to know.

    The run's own files are those of the `earlier` suite, or else have the digests that the run tells.
    """
    conditions = (condition for layer in suite.layers for entry in layer for condition in entry.conditions.values())
    if not any(isinstance(condition, NonInferior) for condition in conditions):
        return run
    outputs, today = digests(earlier, "system") if earlier else run.outputs, digests(suite, "system")
    return replace(run, unchanged=frozenset(name for name, digest in outputs.items() if today.get(name) == digest))


class Difference(NamedTuple):
    """What is another thing for a suite now than for its stored run: `facts` in words, nothing if the two can be compared.

    `golds` are the documents whose gold changed, and of which the stored run has the items: these say what can be compared.
    """

    facts: list[str]
    golds: frozenset[str]


def difference(stored: Run, suite: Suite) -> Difference:
    """Return what is another thing for a suite now than for its stored run."""
    today = completed(Run("", circumstances=circumstances_of(suite)), suite.recipe).circumstances
    before = completed(stored, suite.recipe).circumstances
    if before is None or today is None:
        return Difference([], frozenset())
    golds = frozenset(before.changed_gold(today)) & stored.items.keys()
    others = {name: digest for name, digest in before.gold.items() if name not in golds}
    return Difference(replace(before, gold=others).differences(today), golds)


def completed(run: Run, recipe: Recipe) -> Run:
    """Return a run whose circumstances tell all options and rules of its task: one that is absent has its default.

    So a baseline file stays comparable when the task gains an option, or a kind of problem. The circumstances of another task stay as
    they are, and so does an option or rule that the task no longer has: nobody knows what it did.
    """
    circumstances, task = run.circumstances, recipe.task
    if circumstances is None or circumstances.task != task.name:
        return run
    options = {**_defaults(recipe.options), **circumstances.options}
    rules = {code: kind.severity for code, kind in {**task.problems, **SUITE_KINDS}.items()} | dict(circumstances.rules)
    return replace(run, circumstances=replace(circumstances, options=options, rules=rules))


def _defaults(options: Any) -> dict[str, Any]:
    """Return the default of each option that has one."""
    made = {option.name: option.default_factory() for option in fields(options) if option.default_factory is not MISSING}
    given = {option.name: option.default for option in fields(options) if option.default is not MISSING}
    return plain_options(made | given)


def plain_options(options: dict[str, Any]) -> dict[str, Any]:
    """Return options as JSON has them, the same in every process: a set is in order, for Python has its elements in any.

    So are things with names, such as results: the order of these in a configuration is that of a report.

    >>> plain_options({"normalise": frozenset({"punctuation", "lower"}), "threshold": 1.0})
    {'normalise': ['lower', 'punctuation'], 'threshold': 1.0}
    """
    plain: dict[str, Any] = json.loads(json.dumps(options, sort_keys=True, default=_plain))
    return {name: _in_order(value) for name, value in plain.items()}


def _in_order(value: Any) -> Any:
    """Return a list of things with names in the order of these; anything else as it is."""
    is_named = isinstance(value, list) and all(isinstance(each, dict) and isinstance(each.get("name"), str) for each in value)
    return sorted(value, key=itemgetter("name")) if is_named else value


def _plain(value: object) -> object:
    return sorted(value, key=str) if isinstance(value, (set, frozenset)) else str(value)


def _digest(files: Sequence[File]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(bytes.fromhex(digest_now(file) if file.digest is None else file.digest) or _OF_NOTHING)
    return digest.hexdigest()


_OF_NOTHING = hashlib.sha256(b"").digest()


def digest_now(file: File, root: Path | None = None) -> str:
    """Return the digest of a file's bytes as they are now (SHA-256), "" if it cannot be read, or lies outside `root`."""
    source = file.read(ProblemLog("", FILE_KINDS), root=root)
    return hashlib.sha256(source.data).hexdigest() if source else ""
