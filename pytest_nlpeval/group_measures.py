"""Measures of groups: those of a task over the rows that are in one group alone, as if these were all there is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from pytest_nlpeval.libraries import np
from pytest_nlpeval.measures import Measure, OfGroup, Sample, Values

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pytest_nlpeval.evidence import Evidence

PREFIX = "group."
"""What the name of a group's measure begins with; the group and the measure's own name follow, with a dot between."""


def of_groups(evidence: Evidence, named: Callable[[Collection[str]], Sequence[Measure]]) -> Iterator[Measure]:
    """Yield the measures of each group of the rows; `named` gives those of the task for evidence with some columns.

    A group has every measure of the whole evidence that it would have alone, and every other one that has a value in the group: a label
    that neither side of a group has brings forth no measure there. Measures of a task's own groups have no groups.
    """
    from pytest_nlpeval.columns import GROUP

    every = [measure for measure in named(evidence.columns) if not measure.of_group]
    sample = Sample(evidence)
    for group in evidence.categories(GROUP):
        within = sample.within(group, GROUP)
        alone = {measure.name for measure in named(_counted(within.evidence))}
        for measure in every:
            if measure.name in alone or not np.isnan(measure.values(within)[0]):
                yield of_group(measure, group)


def _counted(evidence: Evidence) -> list[str]:
    """Return the columns that have anything but 0 or, of categories, anything at all."""
    from pytest_nlpeval.columns import Categorical

    return [
        name
        for name, column in evidence.columns.items()
        if (column.categories if isinstance(column, Categorical) else evidence.column(name).any())
    ]


def of_group(measure: Measure, group: str) -> Measure:
    """Return a measure of the rows of a group alone.

    >>> accuracy = Measure("accuracy", "Share of right rows.", "right / rows", lambda sample: sample.total("right") / sample.total("all"))
    >>> of_group(accuracy, "news").name
    'group.news.accuracy'
    """
    prefix = f"{PREFIX}{group}"
    triple = measure.triple and measure.triple._replace(name=f"{prefix}.{measure.triple.name}".rstrip("."))
    return replace(
        measure,
        name=f"{prefix}.{measure.name}",
        definition=f"{measure.definition} Units of group {group} alone.",
        values=partial(_values, measure, group),
        missing=partial(_missing, measure, group),
        group=f"{prefix}.{measure.group}".rstrip("."),
        triple=triple,
        was=tuple(f"{prefix}.{name}" for name in measure.was),
        of_group=OfGroup(group, measure.name),
    )


def _values(measure: Measure, group: str, sample: Sample) -> Values:
    from pytest_nlpeval.columns import GROUP

    return measure.values(sample.within(group, GROUP))


def _missing(measure: Measure, group: str, evidence: Evidence) -> str:
    from pytest_nlpeval.columns import GROUP

    within = Sample(evidence).within(group, GROUP).evidence
    if not within.units:
        return f"group {group} has no units"
    reason = measure.missing if isinstance(measure.missing, str) else measure.missing(within)
    return f"{reason} in group {group}"


def rows_of(evidence: Evidence, measure: Measure) -> NDArray[np.bool_]:
    """Return which rows a measure is of: those of its group, all if it is of none."""
    from pytest_nlpeval.columns import GROUP

    if measure.of_group is None:
        return np.ones(len(evidence.units), np.bool_)
    group, _, column = measure.of_group
    if column:
        return np.asarray(evidence.column(column) != 0)
    categories = evidence.categories(GROUP)
    return (
        np.asarray(evidence.column(GROUP) == categories.index(group))
        if group in categories
        else np.zeros(len(evidence.units), np.bool_)
    )


def groups_in(evidence: Evidence) -> set[str]:
    """Return the groups of the rows, those of tasks that have columns `group.<name>` of their own included."""
    from pytest_nlpeval.columns import GROUP

    own = (name.removeprefix(PREFIX).partition(".")[0] for name in evidence.columns if name.startswith(PREFIX))
    return {*evidence.categories(GROUP), *own}


def own_rows(measure: Measure, sample: Sample) -> Sample:
    """Return the rows of a sample that a measure is of, if it is of a group of `columns.GROUP`; else the sample."""
    from pytest_nlpeval.columns import GROUP

    if measure.of_group is None or measure.of_group.column:
        return sample
    return sample.within(measure.of_group.group, GROUP)
