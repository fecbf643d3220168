"""`no_group_falls`: which groups are tested, at which level, and what is said of those that are not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from pytest_nlpeval.columns import GROUP, Categorical, Sparse
from pytest_nlpeval.conditions import Condition, MaxDrop, NoGroupFalls
from pytest_nlpeval.config.suite import Statistics
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.falls import GroupFalls
from pytest_nlpeval.gates import Entry, Gate, Verdict, groups_mistake, judge, measures_with_groups, resolve
from pytest_nlpeval.group_measures import of_group, of_groups
from pytest_nlpeval.measures import Measure, OfGroup, Sample, Values
from pytest_nlpeval.metrics.prf import ratio
from pytest_nlpeval.run.against_baseline import compare
from pytest_nlpeval.run.chance import Chance
from pytest_nlpeval.run.group_falls import gates_of_groups, groups_of
from pytest_nlpeval.runs import Run

FAST = Statistics(resamples=400)


def mean(column: str, sample: Sample) -> Values:
    return ratio(sample.total(column), sample.total(np.ones(len(sample.evidence.units), np.int8)))


def ranked(sample: Sample) -> Values:
    """The mean again, of what is no sum of columns."""
    sample.require_rows()
    return mean("right", sample)


RIGHT = Measure("right", "", "", partial(mean, "right"), "there is no unit")
RANKED = Measure("ranked", "", "", ranked, "there is no unit", needs="rows")


def run(*groups: tuple[str | None, int, int]) -> Evidence:
    """A run of groups, each with its number of units and how many of these are wrong."""
    names = [f"{group}{rank}" for group, size, _ in groups for rank in range(size)]
    right = [int(rank >= wrong) for _, size, wrong in groups for rank in range(size)]
    column = Categorical.of([group for group, size, _ in groups for _ in range(size)])
    return Evidence.of(names, {"right": np.array(right, np.int8), GROUP: column}, "dev")


def gate(*conditions: Condition, measure: str = "right", alpha: float | None = None) -> Gate:
    return Gate(measure, 1, {each.name: each for each in conditions}, alpha=alpha)


def judged(now: Evidence, baseline: Evidence, gates: Sequence[Gate], statistics: Statistics = FAST) -> list[Verdict]:
    own = [RIGHT, RANKED]
    measures = [*own, *of_groups(now, lambda _: own)]
    sample = Sample(now)
    scores = {measure.name: measure.score(sample) for measure in measures}
    chance = Chance.of(now, statistics, [*gates, *gates_of_groups(gates, measures)])
    comparison = compare(now, measures, scores, gates, Run("then", evidence=baseline), chance)
    return [verdict for each in gates for verdict in judge(each, comparison.standings[each.measure])]


def falls(verdict: Verdict) -> GroupFalls:
    assert verdict.standing.falls is not None
    return verdict.standing.falls


def test_one_group_that_falls_fails_though_the_whole_does_not() -> None:
    before, now = run(("a", 500, 100), ("b", 60, 5)), run(("a", 500, 80), ("b", 60, 25))
    whole, groups = judged(now, before, [gate(MaxDrop(0.0), NoGroupFalls(0.05, 0.05), alpha=0.05)])
    assert whole.verdict == "passed"
    assert groups.verdict == "failed"
    assert groups.reason.startswith("group b: 0.583, was 0.917: the drop of 0.333 [")


@pytest.mark.parametrize("measure", ["right", "ranked"])
def test_groups_are_adjusted_together(measure: str) -> None:
    """In each of four groups five more units are wrong: p = 2**-5 by itself, 4 * 2**-5 beside the others."""
    before = run(*((name, 40, 0) for name in "abcd"))
    now = run(*((name, 40, 5) for name in "abcd"))
    (together,) = judged(now, before, [gate(NoGroupFalls(0.0, 0.05), measure=measure)])
    assert together.verdict == "passed"
    assert {fall.p for fall in falls(together).groups} == {2**-5}
    assert {fall.p_adjusted for fall in falls(together).groups} == {4 * 2**-5}
    assert "only 5 units differ: no drop could have been more than chance explains" in together.reason
    (alone,) = judged(run(("a", 40, 5)), run(("a", 40, 0)), [gate(NoGroupFalls(0.0, 0.05), measure=measure)])
    assert alone.verdict == "failed"


def test_groups_stand_in_one_family_with_the_other_gates() -> None:
    before, now = run(("a", 40, 0), ("b", 40, 0)), run(("a", 40, 6), ("b", 40, 0))
    (whole, groups) = judged(now, before, [gate(MaxDrop(0.0), NoGroupFalls(0.0, 0.05), alpha=0.05)])
    assert whole.standing.p_adjusted == 3 * 2**-6
    assert {fall.p_adjusted for fall in falls(groups).groups} == {3 * 2**-6, 1.0}
    assert [whole.verdict, groups.verdict] == ["failed", "failed"]


def test_groups_too_small_to_fail_are_left_out_of_the_adjustment_and_told() -> None:
    """Groups of 4 differ in 4 at most, and 2**-4 is above 0.05: the one of 40 is tested as if it were alone."""
    small = [(f"s{rank}", 4) for rank in range(10)]
    before = run(("a", 40, 0), *((name, size, 0) for name, size in small))
    now = run(("a", 40, 5), *((name, size, size) for name, size in small))
    (verdict,) = judged(now, before, [gate(NoGroupFalls(0.0, 0.05))])
    assert verdict.verdict == "failed"
    assert verdict.reason.startswith("group a: ")
    assert {fall.p_adjusted for fall in falls(verdict).groups if fall.group == "a"} == {2**-5}
    assert "too small for any drop to be more than chance explains (alpha 0.05): s0 (4 units), s1 (4 units)" in verdict.reason
    (without_level,) = judged(now, before, [gate(NoGroupFalls(0.0))])
    assert without_level.reason.startswith("group s0: 0.000, was 1.000: the drop of 1.000")


def test_the_smallest_groups_go_first_until_the_rest_can_fail() -> None:
    """2**-5 is below 0.05 by itself, and above it twice: of two groups of 5 one is left."""
    before, now = run(("a", 5, 0), ("b", 5, 0)), run(("a", 5, 5), ("b", 5, 5))
    (verdict,) = judged(now, before, [gate(NoGroupFalls(0.0, 0.05))])
    assert len(falls(verdict).small) == 1
    assert verdict.verdict == "failed"


def test_the_smallest_groups_are_those_of_fewest_units_wherever_they_stand() -> None:
    """Beside a group of 4, which cannot fail, 2**-5 would be 2 * 2**-5, which is above 0.05."""
    before, now = run(("a", 4, 0), ("b", 40, 0)), run(("a", 4, 0), ("b", 40, 5))
    (verdict,) = judged(now, before, [gate(NoGroupFalls(0.0, 0.05))])
    assert (verdict.verdict, falls(verdict).small) == ("failed", (("a", 4),))
    assert {fall.group: fall.p_adjusted for fall in falls(verdict).groups} == {"a": None, "b": 2**-5}


def test_groups_whose_least_p_value_is_the_level_are_tested() -> None:
    """Of two groups of 5 the least adjusted p-value is 2 * 2**-5 = 2**-4, and 2**-4 is more than any level below."""
    before, now = run(("a", 5, 0), ("b", 5, 0)), run(("a", 5, 5), ("b", 5, 5))
    (tested,) = judged(now, before, [gate(NoGroupFalls(0.0, 2**-4))])
    assert (tested.verdict, falls(tested).small) == ("failed", ())
    assert {fall.p_adjusted for fall in falls(tested).groups} == {2**-4}
    (told,) = judged(now, before, [gate(NoGroupFalls(0.0, 2**-6))])
    assert sorted(falls(told).small) == [("a", 5), ("b", 5)]


def test_what_another_gate_tests_of_a_group_is_not_told_of_one_that_is_not_tested() -> None:
    before, now = run(("a", 40, 0), ("b", 40, 0)), run(("a", 40, 3), ("b", 40, 0))
    of_a = gate(MaxDrop(0.0), measure="group.a.right", alpha=0.05)
    groups, other = judged(now, before, [gate(NoGroupFalls(0.5)), of_a])
    assert (other.standing.p, other.standing.limit) == (2**-3, "3 units differ")
    assert {(fall.p, fall.p_adjusted, fall.limit) for fall in falls(groups).groups} == {(None, None, "")}


def test_groups_of_the_option_go_before_those_that_the_task_has() -> None:
    tasks_own, options = by_flags("a"), of_group(RIGHT, "b")
    assert groups_of("right", [RIGHT, tasks_own, options]) == [options]
    assert groups_of("right", [RIGHT, tasks_own]) == [tasks_own]
    assert groups_of("ranked", [RIGHT, RANKED, tasks_own, options]) == []


def test_a_group_on_one_side_is_told_and_falls_in_no_way() -> None:
    before, now = run(("a", 30, 3), ("old", 30, 0)), run(("a", 30, 3), ("new", 30, 30))
    (verdict,) = judged(now, before, [gate(NoGroupFalls(0.0))])
    assert verdict.verdict == "passed"
    assert verdict.reason == "not in the baseline: new; gone since the baseline: old"


def test_groups_that_are_gone_are_told_by_name() -> None:
    before, now = run(("a", 30, 3), *((name, 30, 0) for name in "fedcb")), run(("a", 30, 3))
    (verdict,) = judged(now, before, [gate(NoGroupFalls(0.0))])
    assert verdict.reason == "gone since the baseline: b, c, d, e, f"


def test_units_are_compared_in_the_groups_of_today() -> None:
    """The baseline knew no groups, or other ones: what counts is where the same units stand now."""
    before, now = run((None, 30, 0), (None, 0, 0)), run(("a", 30, 6))
    before = replace(before, units=now.units)
    for baseline in (before, replace(before, columns={"right": before.columns["right"]})):
        (verdict,) = judged(now, baseline, [gate(NoGroupFalls(0.1))])
        assert verdict.verdict == "failed"
        assert verdict.reason == ("group a: 0.800, was 1.000: the drop of 0.200 [0.067, 0.333] is over by 0.100")


def test_a_group_whose_value_is_lost_is_no_pass() -> None:
    def judged_share(sample: Sample) -> Values:
        return ratio(sample.total("right"), sample.total("judged"))

    share = Measure("share", "", "", judged_share, "nothing is judged")
    before = run(("a", 30, 0), ("b", 30, 0), ("c", 30, 0))
    judged_before, judged_now = (np.repeat(np.array(flags, np.int8), 30) for flags in ([1, 1, 0], [1, 0, 0]))
    columns = {**before.columns, "judged": judged_before}
    of_now = {**columns, "judged": judged_now}
    now, before = replace(before, columns=of_now), replace(before, columns=columns)
    measures = [share, *of_groups(now, lambda _: [share])]
    gates = [gate(NoGroupFalls(0.1), measure="share")]
    scores = {measure.name: measure.score(Sample(now)) for measure in measures}
    chance = Chance.of(now, FAST, [*gates, *gates_of_groups(gates, measures)])
    standing = compare(now, measures, scores, gates, Run("then", evidence=before), chance).standings["share"]
    (verdict,) = judge(gates[0], standing)
    assert (falls(verdict).lost, falls(verdict).unvalued) == (("b",), ("c",))
    assert verdict.verdict == "unjudged"
    assert verdict.reason.startswith("no value any more in b")


def with_flags(wrong: int) -> Evidence:
    """A run of the groups a and b, of 40 units each, as flags of the task's own; of a so many units are wrong."""
    rows = {"group.a": range(40), "group.b": range(40, 80)}
    columns = {name: Sparse.of(own, np.ones(40, np.int8), 80) for name, own in rows.items()}
    return Evidence.of([str(unit) for unit in range(80)], {"right": (np.arange(80) >= wrong).astype(np.int8), **columns}, "dev")


def by_flags(group: str) -> Measure:
    column = f"group.{group}"
    return replace(
        of_group(RIGHT, group), values=partial(within_flags, column), of_group=OfGroup(group, "right", column), needs="rows"
    )


def test_groups_of_a_task_of_its_own_are_as_good() -> None:
    """A task that has flags for its groups says which column has them."""
    before, now = with_flags(0), with_flags(6)
    measures = [RIGHT, by_flags("a"), by_flags("b")]
    gates = [gate(NoGroupFalls(0.0, 0.05))]
    scores = {measure.name: measure.score(Sample(now)) for measure in measures}
    chance = Chance.of(now, FAST, [*gates, *gates_of_groups(gates, measures)])
    standing = compare(now, measures, scores, gates, Run("then", evidence=before), chance).standings["right"]
    (verdict,) = judge(gates[0], standing)
    assert verdict.verdict == "failed"
    assert [(fall.group, fall.drop) for fall in falls(verdict).groups] == [("a", pytest.approx(6 / 40)), ("b", 0.0)]


def within_flags(column: str, sample: Sample) -> Values:
    flags = sample.evidence.column(column)
    return ratio(sample.total(sample.evidence.column("right") * flags), sample.total(flags))


def test_false_alarms_are_as_rare_as_alpha_says() -> None:
    """Two runs that are equally good in each of 8 groups: at most about one comparison in twenty fails, whatever the number of groups."""
    chance = np.random.default_rng(11)
    failed, rounds = 0, 60
    for _ in range(rounds):
        sides = []
        for _ in range(2):
            evidence = run(*((name, 40, 0) for name in "abcdefgh"))
            sides.append(replace(evidence, columns={**evidence.columns, "right": (chance.random(320) < 0.7).astype(np.int8)}))
        (verdict,) = judged(sides[0], sides[1], [gate(NoGroupFalls(0.0, 0.05))], Statistics(resamples=400, confidence=None))
        failed += verdict.verdict == "failed"
    assert failed <= 7  # with p = 0.05, 8 of 60 or more have a probability below 2 %


def test_a_measure_without_groups_is_told_how_to_get_some() -> None:
    entry = Entry("right", 3, 5, {"no_group_falls": NoGroupFalls(0.1)})
    assert groups_mistake(entry, [RIGHT], ()).startswith(
        "right has no groups, which no_group_falls needs; give the option `group`"
    )
    assert groups_mistake(entry, [RIGHT], measures_with_groups([RIGHT, of_group(RIGHT, "a")])) == ""
    assert groups_mistake(Entry("right", 3, 5, {"max_drop": MaxDrop(0.1)}), [RIGHT], ()) == ""


def test_a_pattern_asks_it_of_the_measures_that_have_groups_and_not_of_the_groups() -> None:
    measures = [RIGHT, of_group(RIGHT, "a"), of_group(RIGHT, "b")]
    gates, idle = resolve([[Entry("*right", 1, 1, {"no_group_falls": NoGroupFalls(0.1), "max_drop": MaxDrop(0.5)})]], measures)
    assert not idle
    assert {each.measure: set(each.conditions) for each in gates} == {
        "right": {"no_group_falls", "max_drop"},
        "group.a.right": {"max_drop"},
        "group.b.right": {"max_drop"},
    }
