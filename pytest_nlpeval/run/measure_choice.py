"""Chooses the measures to show where all would be too many: those a user asks for, else those that gates judge, else leading ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.gates import Entry
from pytest_nlpeval.measures import Measure, leading_share

if TYPE_CHECKING:  # which needs NumPy
    from pytest_nlpeval.evidence import Evidence


def measures_of(suite: Suite, tables: Iterable[Evidence]) -> tuple[Measure, ...]:
    """Return all measures of a suite for several tables of evidence together."""
    return suite.measures_of(*tables)


def chosen_measures(suite: Suite, measures: Sequence[Measure], wanted: Sequence[str]) -> list[Measure]:
    """Return the `wanted` measures, in the order of `measures`.

    A wanted name may have `*`, as in gates. If none is wanted, these are the measures that have gates; of a suite without gates the
    measures that a new configuration has gates on, or else its first share.
    """
    entries = [Entry(name, 0, 0) for name in wanted]
    chosen = {measure.name for measure in measures if any(entry.matches(measure) for entry in entries)}
    if not wanted:
        chosen = set(_usual(suite, measures))
    return [measure for measure in measures if measure.name in chosen]


def with_groups(chosen: Iterable[Measure], measures: Iterable[Measure]) -> list[Measure]:
    """Return the chosen ones of the measures, and the same ones of each group."""
    names = {measure.name for measure in chosen}
    return [measure for measure in measures if measure.name in names or _of_whole(measure) in names]


def unknown_measures(wanted: Iterable[str], measures: Iterable[Measure]) -> Iterator[str]:
    """Return the wanted names that are no measure's."""
    every = list(measures)
    return (pattern for pattern in wanted if not any(map(Entry(pattern, 0, 0).matches, every)))


def _usual(suite: Suite, measures: Sequence[Measure]) -> Iterable[str]:
    names = [measure.name for measure in measures]
    gated = {gate.measure for gate in suite.gates(measures)[0]}
    starting = {gate.measure for gate in suite.recipe.task.starter.gates} & set(names)
    return gated or starting or [measure.name for measure in leading_share(measures)]


def _of_whole(measure: Measure) -> str:
    """Return what a group's measure is called in the suite as a whole: `accuracy` for `task.IE.accuracy` of the group `task.IE`."""
    return measure.of_group.measure if measure.of_group else measure.name.removeprefix(f"{measure.group}.")
