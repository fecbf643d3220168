"""Gates on drops: what is tested, how often, at which level, and what is said where nothing can be shown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from statistics import NormalDist
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.conditions import Condition, MaxDrop, MaxDropRelative, Min, NonInferior
from pytest_nlpeval.config.suite import Statistics
from pytest_nlpeval.evidence import Column, Evidence
from pytest_nlpeval.gates import Gate, IfNoValue, Verdict, judge
from pytest_nlpeval.measures import Measure, Sample, Values
from pytest_nlpeval.metrics.partners import GoldChange
from pytest_nlpeval.metrics.prf import ratio
from pytest_nlpeval.run.advice import lopsided
from pytest_nlpeval.run.against_baseline import Comparison, compare
from pytest_nlpeval.run.chance import Chance
from pytest_nlpeval.run.hypotheses import Hypotheses
from pytest_nlpeval.runs import Run

FAST = Statistics(resamples=400)


def mean(column: str, sample: Sample) -> Values:
    return ratio(sample.total(column), sample.total(np.ones(len(sample.evidence.units), np.int8)))


def share(column: str) -> Measure:
    return Measure(column, "", "", partial(mean, column))


def run(units: int, wrong: Mapping[str, int], documents: int = 1) -> Evidence:
    """A run with a share per column, of which the first so many units are wrong."""
    parts = []
    for document in range(documents):
        columns: dict[str, Column] = {
            name: (np.arange(units) + document * units >= number).astype(np.int8) for name, number in wrong.items()
        }
        parts.append(Evidence.of([str(unit) for unit in range(units)], columns, f"{document:03}"))
    return Evidence.merge(parts)


def gate(measure: str, *conditions: Condition, alpha: float | None = 0.05, informational: bool = False) -> Gate:
    return Gate(measure, 1, {each.name: each for each in conditions}, informational=informational, alpha=alpha)


def compared(now: Evidence, baseline: Evidence, gates: Sequence[Gate], statistics: Statistics = FAST) -> Comparison:
    measures = [share(name) for name in now.columns]
    sample = Sample(now)
    scores = {measure.name: measure.score(sample) for measure in measures}
    chance = Chance.of(now, statistics, gates)
    return compare(now, measures, scores, gates, Run("then", evidence=baseline), chance)


def verdicts(now: Evidence, baseline: Evidence, gates: Sequence[Gate], statistics: Statistics = FAST) -> list[Verdict]:
    standings = compared(now, baseline, gates, statistics).standings
    return [verdict for each in gates for verdict in judge(each, standings[each.measure])]


def test_hundreds_of_gates_fail_where_all_answers_are_wrong() -> None:
    """600 / 401 is above 0.05: so few resamples could fail no gate, and more are drawn."""
    names = {f"c{rank}": 0 for rank in range(600)}
    gates = [gate(name, MaxDrop(0.0)) for name in names]
    found = verdicts(run(40, dict.fromkeys(names, 40)), run(40, names), gates)
    assert {verdict.verdict for verdict in found} == {"failed"}


def test_a_hundred_resamples_are_made_more_for_three_gates_at_a_low_level() -> None:
    gates = [gate(name, MaxDrop(0.0), alpha=0.01) for name in "abc"]
    found = verdicts(run(50, dict.fromkeys("abc", 50)), run(50, dict.fromkeys("abc", 0)), gates, Statistics(resamples=100))
    assert [verdict.verdict for verdict in found] == ["failed"] * 3


def test_a_level_that_no_resamples_reach_is_told() -> None:
    gates = [gate("a", MaxDrop(0.0), alpha=1e-6), gate("b", MaxDrop(0.0))]
    now, baseline = run(50, {"a": 50, "b": 0}), run(50, {"a": 0, "b": 0})
    assert compared(now, baseline, gates).hopeless == ["a"]
    assert compared(now, baseline, [replace(gates[0], informational=True), gates[1]]).hopeless == []


def test_where_few_units_differ_the_reason_says_that_no_drop_could_be_significant() -> None:
    """4 of 25 documents are entirely wrong: p = 2**-4."""
    (verdict,) = verdicts(run(2, {"a": 8}, documents=25), run(2, {"a": 0}, documents=25), [gate("a", MaxDrop(0.0))])
    assert verdict.verdict == "passed"
    assert verdict.reason == (
        "the drop of 0.160 may be chance (p = 0.062); only 4 documents differ: no drop could have been more than chance explains"
    )


def test_a_tolerance_is_what_the_drop_is_tested_against() -> None:
    """A run that is worse by exactly what is allowed passes, though its drop is far above 0."""
    now, baseline = run(500, {"a": 50}), run(500, {"a": 0})
    allowed, relative, strict = (
        verdicts(now, baseline, [gate("a", condition)])[0] for condition in (MaxDrop(0.099), MaxDropRelative(0.099), MaxDrop(0.0))
    )
    assert [allowed.verdict, relative.verdict, strict.verdict] == ["passed", "passed", "failed"]
    assert allowed.standing.p == relative.standing.p
    assert allowed.standing.p is not None
    assert allowed.standing.p > 0.3
    assert verdicts(now, baseline, [gate("a", MaxDrop(0.02))])[0].verdict == "failed"


def test_a_small_tolerance_makes_nothing_easier_to_show() -> None:
    """4 of 25 documents are entirely wrong: 98.7 % of bootstrap drops are above 0.001, yet no drop of 4 documents is significant."""
    (verdict,) = verdicts(run(2, {"a": 8}, documents=25), run(2, {"a": 0}, documents=25), [gate("a", MaxDrop(0.001))])
    assert (verdict.verdict, verdict.standing.p) == ("passed", 2**-4)
    assert verdict.reason.endswith("only 4 documents differ: no drop could have been more than chance explains")


@given(st.integers(0, 12), st.lists(st.floats(0, 0.3), min_size=2, max_size=2).map(sorted))
@settings(max_examples=25, deadline=None)
def test_a_greater_tolerance_never_fails_where_a_smaller_one_passes(wrong: int, tolerances: list[float]) -> None:
    now, baseline = run(40, {"a": wrong}), run(40, {"a": 0})
    less, more = (
        verdicts(now, baseline, [gate("a", MaxDrop(tolerance))], Statistics(resamples=200))[0] for tolerance in tolerances
    )
    assert more.holds or not less.holds
    assert (less.standing.p or 0) <= (more.standing.p or 0)


def test_each_hypothesis_counts_once_and_informational_gates_do_not() -> None:
    now, baseline = run(50, {"a": 6, "b": 5}), run(50, {"a": 0, "b": 0})
    same = gate("a", MaxDrop(0.0), MaxDropRelative(0.0))
    alone, twice = verdicts(now, baseline, [gate("a", MaxDrop(0.0))]), verdicts(now, baseline, [same])
    assert {verdict.standing.p_adjusted for verdict in (*alone, *twice)} == {2.0**-6}
    beside = verdicts(now, baseline, [same, gate("b", MaxDrop(0.0), informational=True)])
    assert [verdict.standing.p_adjusted for verdict in beside] == [2.0**-6, 2.0**-6, 2.0**-5]
    both = verdicts(now, baseline, [same, gate("b", MaxDrop(0.0))])
    assert [verdict.standing.p_adjusted for verdict in both] == [2 * 2.0**-6, 2 * 2.0**-6, 2.0**-5]


def test_detectable_is_for_the_level_that_is_left() -> None:
    now, baseline = run(500, {"a": 60, "b": 60}), run(500, {"a": 0, "b": 0})
    (alone,) = verdicts(now, baseline, [gate("a", MaxDrop(0.0))])
    beside, _ = verdicts(now, baseline, [gate(name, MaxDrop(0.0)) for name in "ab"])
    assert alone.standing.detectable is not None
    assert beside.standing.detectable is not None
    critical = [_critical_drop(differing=60, units=500, level=level) for level in (0.05, 0.05 / 2)]
    step = 2 / 500  # a unit that is swapped takes one right answer from one run and gives it to the other
    assert beside.standing.detectable - alone.standing.detectable == pytest.approx(critical[1] - critical[0], abs=step)
    assert beside.standing.detectable > alone.standing.detectable


def _critical_drop(*, differing: int, units: int, level: float) -> float:
    """Return the smallest drop whose sign test has at most this p: how many of the units that differ turned wrong is binomial."""
    ways = [math.comb(differing, wrong) for wrong in range(differing + 1)]
    wrong = next(wrong for wrong in range(differing + 1) if sum(ways[wrong:]) / 2**differing <= level)
    return (2 * wrong - differing) / units


def test_detectable_is_for_the_level_of_the_gate() -> None:
    now, baseline = run(500, {"a": 60}), run(500, {"a": 0})
    usual, strict = (verdicts(now, baseline, [gate("a", MaxDrop(0.0), alpha=level)])[0].standing for level in (0.05, 0.01))
    critical = [_critical_drop(differing=60, units=500, level=level) for level in (0.05, 0.01)]
    assert usual.detectable is not None
    assert strict.detectable is not None
    assert strict.detectable > usual.detectable
    assert strict.detectable - usual.detectable == pytest.approx(critical[1] - critical[0], abs=2 / 500)


def test_five_units_never_show_that_nothing_got_worse() -> None:
    (verdict,) = verdicts(run(5, {"a": 0}), run(5, {"a": 1}), [gate("a", NonInferior(0.5))])
    assert verdict.verdict == "failed"
    assert verdict.reason.startswith("too few units")


def test_what_was_not_seen_may_still_be_worse() -> None:
    """Of 100 units one turned right: up to 3 % may turn wrong."""
    now, baseline = run(100, {"a": 0}), run(100, {"a": 1})
    narrow, wide = (verdicts(now, baseline, [gate("a", NonInferior(margin))])[0] for margin in (0.01, 0.04))
    assert [narrow.verdict, wide.verdict] == ["failed", "passed"]


def test_equal_evidence_is_no_proof_of_identical_outputs() -> None:
    """Of 100 units that are as right as before, up to 3 % of what the sample does not show may have turned wrong."""
    narrow, wide = (
        verdicts(run(100, {"a": 1}), run(100, {"a": 1}), [gate("a", NonInferior(margin))])[0] for margin in (0.01, 0.04)
    )
    assert [narrow.verdict, wide.verdict] == ["failed", "passed"]


def test_identical_outputs_without_a_value_prove_nothing() -> None:
    """As of sentences in which neither side has a span: nothing can be said of a measure that no run has a value of."""
    nothing = Measure("a", "", "", lambda sample: ratio(sample.total("a"), sample.total("a")), "neither side has any")
    now, gates = run(3, {"a": 3}), [gate("a", NonInferior(0.5), MaxDrop(0.0))]
    scores = {"a": nothing.score(Sample(now))}
    then = Run("then", evidence=now, unchanged=frozenset(now.documents))
    standings = compare(now, [nothing], scores, gates, then, Chance.of(now, FAST, gates)).standings
    judged = judge(gates[0], standings["a"])
    assert [(verdict.verdict, verdict.reason) for verdict in judged] == [("unjudged", "neither side has any")] * 2


def test_hypotheses_are_of_what_has_a_drop() -> None:
    now, baseline = run(30, {"a": 1}), run(30, {"a": 0})
    standings = compared(now, baseline, []).standings
    gates = [gate("a", MaxDrop(0.0))]
    assert len(Hypotheses.of(gates, standings).judging) == 1
    assert not Hypotheses.of(gates, {"a": replace(standings["a"], drop=None)}).levels


def test_one_document_that_holds_more_than_half_of_the_units_is_told() -> None:
    large = run(50, {"a": 0}).named("long")
    evidence = Evidence.merge([large, run(5, {"a": 0}, documents=9)])
    assert list(lopsided(evidence, "documents")) == [
        "the document long holds 53% of the units: intervals and tests draw documents, and hang on that one"
    ]
    assert not list(lopsided(evidence, "units"))
    assert not list(lopsided(run(5, {"a": 0}, documents=9), "documents"))
    assert not list(lopsided(large, "documents"))


def test_without_a_baseline_or_anything_in_common_a_drop_is_unjudged_and_a_new_suite_passes() -> None:
    now, gates = run(9, {"a": 0}), [gate("a", MaxDrop(0.0))]
    measures, chance = [share("a")], Chance.of(now, FAST, gates)
    scores = {"a": measures[0].score(Sample(now))}

    def judged(then: Run) -> tuple[str, str]:
        (verdict,) = judge(gates[0], compare(now, measures, scores, gates, then, chance).standings["a"])
        return verdict.verdict, verdict.reason

    assert judged(Run("then", reason="no such commit")) == ("unjudged", "no such commit")
    assert judged(Run("then", reason="no such suite", is_new=True))[0] == "passed"
    other = Run("then", evidence=run(9, {"a": 0}).named("other"))
    assert judged(other) == ("unjudged", "then has nothing in common with today's files")


def test_a_drop_is_tested_whatever_else_its_gate_demands() -> None:
    """One of 20 units became wrong: p = 1/2."""
    bound, tested = verdicts(run(20, {"a": 1}), run(20, {"a": 0}), [gate("a", Min(0.5), MaxDrop(0.0))])
    assert (bound.condition.name, bound.verdict) == ("min", "passed")
    assert (tested.verdict, tested.standing.p) == ("passed", 1 / 2)
    (alone,) = verdicts(run(20, {"a": 1}), run(20, {"a": 0}), [gate("a", Min(0.5))])
    assert alone.standing.detectable is None, "no gate asks for a drop"


@pytest.mark.parametrize(
    ("documents", "wrong", "verdict"),
    [
        (["000", "001"], 0, "passed"),
        (["000", "001", "gone"], 0, "passed"),
        (["000"], 0, "failed"),
        ([], 0, "failed"),
        (["000", "001"], 1, "failed"),  # the same files, which count otherwise today
    ],
)
def test_the_same_files_that_count_the_same_are_not_inferior(documents: Sequence[str], wrong: int, verdict: str) -> None:
    now, gates = run(10, {"a": wrong}, documents=2), [gate("a", NonInferior(0.001))]
    measures = [share("a")]
    scores = {"a": measures[0].score(Sample(now))}
    then = Run("then", evidence=run(10, {"a": 0}, documents=2), unchanged=frozenset(documents))
    standing = compare(now, measures, scores, gates, then, Chance.of(now, FAST, gates)).standings["a"]
    assert [each.verdict for each in judge(gates[0], standing)] == [verdict]
    assert standing.is_same == (verdict == "passed")


def test_a_measure_that_the_baseline_does_not_have_is_new_and_passes() -> None:
    now, then = run(9, {"a": 1, "b": 9}), Run("then", evidence=run(9, {"a": 1}))
    measures, gates = [share("a"), replace(share("b"), since="b")], [gate(name, MaxDrop(0.0)) for name in "ab"]
    scores = {measure.name: measure.score(Sample(now)) for measure in measures}
    standings = compare(now, measures, scores, gates, then, Chance.of(now, FAST, gates)).standings
    assert [judge(each, standings[each.measure])[0].verdict for each in gates] == ["passed", "passed"]
    assert standings["b"].is_new
    assert standings["b"].baseline.reason == "the measure is new: then does not have it"
    had = Run("then", evidence=run(9, {"a": 1, "b": 0}))
    standing = compare(now, measures, scores, gates, had, Chance.of(now, FAST, gates)).standings["b"]
    assert (judge(gates[1], standing)[0].verdict, standing.is_new, standing.drop) == ("failed", False, 1.0)


def test_measures_without_gates_have_their_drops_where_only_gated_ones_are_tested() -> None:
    now, gates = run(10, {"a": 0, "b": 2}), [gate("a", MaxDrop(0.0))]
    measures = [share(name) for name in "ab"]
    scores = {measure.name: measure.score(Sample(now)) for measure in measures}
    chance = Chance.of(now, FAST, gates, only_gated=True)
    found = compare(now, measures, scores, gates, Run("then", evidence=run(10, {"a": 0, "b": 0})), chance)
    assert found.of_score("b") == {"baseline": 1.0, "drop": pytest.approx(2 / 10)}
    assert found.of_score("a")["p"] == 1


@pytest.mark.parametrize(("by", "removed"), [("units", 2 + 5), ("documents", 1)])
def test_what_the_gold_asks_no_more_is_removed(by: Literal["units", "documents"], removed: int) -> None:
    """Two of the 5 items of one document, and all 5 of another one, which is left out as a whole."""
    now, then = run(3, {"a": 0}, documents=3), run(3, {"a": 0}, documents=3)
    changes = {"001": GoldChange(before=5, paired=3), "gone": GoldChange(before=5, paired=0)}
    run_ = Run("then", evidence=then, gold_changes=changes)
    measures = [share("a")]
    scores = {"a": measures[0].score(Sample(now))}
    statistics = replace(FAST, resample=by)
    found = compare(now, measures, scores, [], run_, Chance.of(now, statistics, []))
    assert found.units is not None
    assert found.units["removed"] == removed
    assert found.rows == (0, 2 + 5)


def of_one(measure: Measure, now: Evidence, then: Evidence, *conditions: Condition, if_no_value: IfNoValue = "fail") -> Verdict:
    """The verdict of a gate without a level."""
    each = Gate(measure.name, 1, {condition.name: condition for condition in conditions}, if_no_value=if_no_value)
    scores = {measure.name: measure.score(Sample(now))}
    standings = compare(now, [measure], scores, [each], Run("then", evidence=then), Chance.of(now, FAST, [each])).standings
    (verdict,) = judge(each, replace(standings[measure.name], is_counted=True))
    return verdict


def test_the_drop_of_a_rate_of_errors_is_its_rise() -> None:
    rate = replace(share("a"), better="lower")
    rise = of_one(rate, run(10, {"a": 2}), run(10, {"a": 5}), MaxDrop(0.2))  # 8 of 10, and 5 of 10 before
    assert rise.verdict == "failed"
    assert rise.standing.drop == pytest.approx(0.8 - 0.5)
    fall = of_one(rate, run(10, {"a": 5}), run(10, {"a": 2}), MaxDrop(0.2))
    assert fall.verdict == "passed"
    assert fall.standing.drop == pytest.approx(0.5 - 0.8)


def test_a_baseline_without_a_value_is_told_and_judges_nothing() -> None:
    """Precision of a run that says nothing: it follows from counts, so that a gate may pass without it."""
    precision = Measure("p", "", "", lambda sample: ratio(sample.total("a"), sample.total("said")))
    silent, speaking = run(4, {"a": 4, "said": 4}), run(4, {"a": 0, "said": 0})
    unjudged = of_one(precision, speaking, silent, MaxDrop(0.2))
    assert unjudged.verdict == "unjudged"
    assert unjudged.reason.startswith("the baseline has no value: ")
    assert unjudged.standing.drop is None
    assert of_one(precision, speaking, silent, MaxDrop(0.2), if_no_value="pass").verdict == "passed"
    assert of_one(precision, silent, speaking, MaxDrop(0.2)).standing.drop is None


@pytest.mark.parametrize(
    ("differing", "alpha", "limit"),
    [
        (4, 2**-4, ""),
        (3, 2**-4, "3 units differ"),
        (1, 2**-4, "1 unit differs"),
        (60, 0.05, ""),
        (5, 0.05, ""),
        (4, 0.05, "4 units differ"),
    ],
)
def test_so_few_units_differ_that_no_drop_could_be_significant(differing: int, alpha: float, limit: str) -> None:
    """No p-value is below 2**-differing."""
    standings = compared(run(90, {"a": differing}), run(90, {"a": 0}), [gate("a", MaxDrop(0.0), alpha=alpha)]).standings
    assert standings["a"].tested["max_drop"].limit == limit


def test_where_nothing_differs_the_score_alone_says_which_drop_could_be_shown() -> None:
    """Two shares of 0.8 of 500 units each that have nothing to do with each other; the error of 400 resamples is one of about 4 %."""
    same, other = (compared(run(500, {"a": 100}), run(500, {"a": wrong}), [gate("a", MaxDrop(0.0))]) for wrong in (100, 160))
    error = math.sqrt(2 * 0.8 * 0.2 / 500)
    normal = NormalDist()
    assert same.standings["a"].detectable == pytest.approx((normal.inv_cdf(0.95) + normal.inv_cdf(0.8)) * error, rel=0.16)
    assert [found.standings["a"].is_estimate for found in (same, other)] == [True, False]
