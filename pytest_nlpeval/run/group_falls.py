"""The condition `no_group_falls`: which groups of a measure are tested, and what became of all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pytest_nlpeval.conditions import NoGroupFalls, Standing
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.falls import GroupFall, GroupFalls
from pytest_nlpeval.gates import Gate
from pytest_nlpeval.group_measures import groups_in, rows_of
from pytest_nlpeval.measures import Measure
from pytest_nlpeval.metrics.intervals import Interval
from pytest_nlpeval.metrics.pairing import Pairs

NAME = NoGroupFalls.name


def condition_of(gate: Gate) -> NoGroupFalls | None:
    """Return the condition of a gate that no group falls, if it has one."""
    return next((condition for condition in gate.judged_conditions() if isinstance(condition, NoGroupFalls)), None)


def without_groups(gate: Gate) -> Gate:
    """Return a gate without the condition that no group falls: it is about other measures than the gate's."""
    return replace(gate, conditions={name: condition for name, condition in gate.conditions.items() if name != NAME})


def groups_of(name: str, measures: Sequence[Measure]) -> list[Measure]:
    """Return the measures of the groups of a measure: those of the option `group`, or else those of groups that the task always has."""
    own = [measure for measure in measures if measure.of_group and measure.of_group.measure == name]
    chosen = [measure for measure in own if measure.of_group and not measure.of_group.column]
    return chosen or own


def gates_of_groups(gates: Iterable[Gate], measures: Sequence[Measure]) -> Iterator[Gate]:
    """Yield a gate for each group that the condition of a gate is about."""
    for gate in gates:
        if condition := condition_of(gate):
            for measure in groups_of(gate.measure, measures):
                yield Gate(measure.name, gate.line, {NAME: condition}, informational=gate.informational)


class GroupTests(NamedTuple):
    """The groups that conditions are about: a gate for each that is tested, and the number of units of those that are too `small`.

    A group of n units differs in n at most, and no p-value of a randomisation is below 2**-n. So the smallest groups, whose drops could
    never be significant beside those of the others, are left out, and the others are adjusted for fewer. Sizes alone decide.
    """

    tested: tuple[Gate, ...]
    small: Mapping[str, int]

    @classmethod
    def of(cls, gates: Iterable[Gate], measures: Sequence[Measure], pairs: Pairs) -> GroupTests:
        """Return the groups of the conditions of some gates, in two runs."""
        tested: list[Gate] = []
        small: dict[str, int] = {}
        by_name = {measure.name: measure for measure in measures}
        for gate in gates:
            own = list(gates_of_groups([gate], measures))
            condition = condition_of(gate)
            if condition and condition.alpha is not None:
                sizes = {of.measure: _size(pairs, by_name[of.measure]) for of in own}
                own.sort(key=lambda of: -sizes[of.measure])
                while own and 2.0 ** -sizes[own[-1].measure] * len(own) > condition.alpha:
                    name = own.pop().measure
                    small[name] = sizes[name]
            tested += own
        return cls(tuple(tested), small)


def _size(pairs: Pairs, measure: Measure) -> int:
    """Return how many units have rows in the group of a measure."""
    return len(np.unique(pairs.ranks[rows_of(pairs.evidence, measure)]))


def falls_of(
    gate: Gate,
    measures: Sequence[Measure],
    standings: Mapping[str, Standing],
    ends: Mapping[str, Interval],
    tests: GroupTests,
    runs: tuple[Evidence, Evidence, Pairs],
) -> GroupFalls:
    """Return what became of the groups of a gate's measure; `runs` are today's and the baseline whole, and both as pairs."""
    now, before, pairs = runs
    own = groups_of(gate.measure, measures)
    groups: list[GroupFall] = []
    lost, unvalued, added = [], [], []
    for measure in own:
        standing, name = standings[measure.name], _name(measure)
        if not rows_of(pairs.now, measure).any():
            added.append(name)
        elif standing.drop is not None:
            groups.append(_fall(name, standing.of(NAME), ends.get(measure.name)))
        elif standing.baseline.value is not None:
            lost.append(name)
        else:
            unvalued.append(name)
    small = ((_name(measure), tests.small[measure.name]) for measure in own if measure.name in tests.small)
    gone = sorted(groups_in(before) - groups_in(now))
    return GroupFalls(tuple(groups), tuple(lost), tuple(unvalued), tuple(small), tuple(added), tuple(gone))


def _name(measure: Measure) -> str:
    return measure.of_group.group if measure.of_group else ""


def _fall(name: str, standing: Standing, interval: Interval | None) -> GroupFall:
    now, before, drop = standing.compared, standing.baseline.value, standing.drop
    if now is None or before is None or drop is None:
        raise ValueError(f"group {name} has no drop")
    low, high = (interval.low, interval.high) if interval else (None, None)
    is_tested = NAME in standing.tested
    p, p_adjusted = (standing.p, standing.p_adjusted) if is_tested else (None, None)
    return GroupFall(name, now, before, drop, low, high, p, p_adjusted, standing.limit if is_tested else "")
