"""How many resamples each measure has, and which measures are worked out together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from pytest_nlpeval.columns import CLUSTER, Categorical
from pytest_nlpeval.conditions import DEFAULT_ALPHA, MaxDrop, Min, NonInferior
from pytest_nlpeval.config.suite import Statistics
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.measures import Measure, OfGroup, Sample, Values
from pytest_nlpeval.metrics.draws import Draws
from pytest_nlpeval.metrics.pairing import Pairs
from pytest_nlpeval.metrics.resampling import Distribution
from pytest_nlpeval.metrics.shares import greatest_drop
from pytest_nlpeval.run import chance
from pytest_nlpeval.run.advice import lopsided
from pytest_nlpeval.run.chance import Chance, number_or_none, units_of
from tests.unit.run.test_against_baseline import gate, mean, run, share

UNITS = 10
NOW, THEN = run(UNITS, {"a": 1, "b": 2, "c": 3}), run(UNITS, dict.fromkeys("abc", 0))
ADDITIVE = [share(name) for name in "abc"]

Drawn = list[tuple[tuple[str, ...], int]]
"""The measures of each round, and how often it draws."""


def ranking(name: str) -> Measure:
    """The mean of a column again, of what is no sum of columns."""

    def values(sample: Sample) -> Values:
        sample.require_rows()
        return mean("a", sample)

    return Measure(name, "", "", values, needs="rows")


def of_group(measure: Measure) -> Measure:
    return replace(measure, name=f"x.{measure.name}", of_group=OfGroup(measure.name, "x", "a"))


def judging(*gated: str, resamples: int = 1_000) -> Chance:
    return Chance.of(NOW, Statistics(resamples=resamples), [gate(name, Min(0.5)) for name in gated])


def compared(how: Chance, measures: Sequence[Measure]) -> dict[str, int]:
    return how.resamples(how.pairs(NOW, THEN), measures)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Drawn:
    """What is drawn meanwhile, in place of which nothing is."""
    rounds: Drawn = []

    def noting(place: int) -> Callable[..., dict[str, Distribution]]:
        def note(_: object, measures: Sequence[Measure], *rest: object) -> dict[str, Distribution]:
            draws = rest[place]
            assert isinstance(draws, Draws)
            rounds.append((tuple(measure.name for measure in measures), draws.resamples))
            return {}

        return note

    for name in ("bootstrap", "bootstrap_drops", "randomise"):
        monkeypatch.setattr(chance, name, noting(0))
    return rounds


@pytest.mark.parametrize(("resamples", "share_of_them"), [(1_000, 125), (808, 101), (800, 100), (400, 100), (100, 100), (80, 80)])
def test_a_comparison_has_an_eighth_for_what_is_not_additive_and_a_hundred_at_least(resamples: int, share_of_them: int) -> None:
    """An eighth of them or 100, if so many are wanted, whoever judges it."""
    for gated in ((), ("a",), ("r",)):
        how = judging(*gated, resamples=resamples)
        assert compared(how, [ADDITIVE[0], ranking("r")]) == {"a": resamples, "r": share_of_them}


def test_more_units_are_drawn_where_a_gate_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of ten units 3,000 draws are 300 resamples, and 200 are the least."""
    monkeypatch.setattr(chance, "MOST_DRAWN", 300 * UNITS)
    monkeypatch.setattr(chance, "MOST_DRAWN_UNJUDGED", 250 * UNITS)
    assert [compared(judging(name), ADDITIVE)["a"] for name in "az"] == [300, 250]
    everything = Chance.of(NOW, Statistics(resamples=1_000))
    assert compared(everything, ADDITIVE)["a"] == 300, "a user asked for each"
    monkeypatch.setattr(chance, "MOST_DRAWN", 199 * UNITS)
    assert compared(judging("a"), ADDITIVE)["a"] == 200
    assert compared(judging("a", resamples=150), ADDITIVE)["a"] == 150


def test_what_is_neither_additive_nor_judged_has_what_is_left_or_nothing(monkeypatch: pytest.MonkeyPatch, drawn: Drawn) -> None:
    measures = [ADDITIVE[0], ranking("r"), of_group(ADDITIVE[1]), ranking("judged")]
    for most, names in ((200, {"a", "judged", "r", "x.b"}), (199, {"a", "judged"})):
        monkeypatch.setattr(chance, "MOST_DRAWN_BESIDE", most * 2 * UNITS)  # the pairs have the rows of both runs
        assert set(compared(judging("judged", resamples=300), measures)) == names
    monkeypatch.setattr(chance, "MOST_DRAWN_BESIDE", 250 * 2 * UNITS)
    how = judging("judged", resamples=300)
    how.scores(NOW, how.pairs(NOW, THEN), measures)
    assert drawn == [(("a",), 300), (("judged",), 100), (("r", "x.b"), 100)]
    monkeypatch.setattr(chance, "MOST_OF_GROUPS", 0)
    assert set(compared(how, measures)) == {"a", "judged", "r"}
    monkeypatch.setattr(chance, "MOST_OF_GROUPS", 1)
    assert set(compared(how, measures)) == {"a", "judged", "r", "x.b"}
    monkeypatch.setattr(chance, "MOST_DRAWN_BESIDE", 0)
    assert set(compared(Chance.of(NOW, Statistics(resamples=300)), measures)) == {"a", "judged", "r", "x.b"}, (
        "a user asked for each"
    )


def test_what_needs_more_has_it_and_all_others_have_it_once(drawn: Drawn) -> None:
    """The test and the drop of a measure in a round of its own; each other measure is drawn as ever."""
    how, measures = judging(*"abr"), [*ADDITIVE, ranking("r"), ranking("s")]
    pairs, needed = how.pairs(NOW, THEN), {"a": 5_000, "r": 3_000, "c": 3_000}
    rounds = [(("c", "r"), 3_000), (("a",), 5_000), (("b",), 1_000), (("s",), 125)]
    assert how.tests(pairs, measures, needed) == {}
    assert drawn == rounds
    drawn.clear()
    list(how.drops(pairs, measures, needed))
    list(how.drops(pairs, measures))
    as_ever = [(("a", "b", "c"), 1_000), (("r",), 125), (("s",), 125)]
    assert drawn == [*rounds, *as_ever]
    drawn.clear()
    how.tests(pairs, measures)
    how.tests(pairs, measures, {"elsewhere": 7_000})
    assert drawn == [*as_ever, *as_ever], "nothing is drawn for a measure that is not asked for"


def test_how_much_is_drawn_bounds_no_number_that_is_needed(monkeypatch: pytest.MonkeyPatch, drawn: Drawn) -> None:
    monkeypatch.setattr(chance, "MOST_DRAWN", 500 * UNITS)
    how = judging(*"ab")
    list(how.drops(how.pairs(NOW, THEN), ADDITIVE[:2], {"a": 5_000}))
    assert drawn == [(("a",), 5_000), (("b",), 500)]


def test_values_of_many_measures_are_held_in_parts(monkeypatch: pytest.MonkeyPatch, drawn: Drawn) -> None:
    """2,000 values at once are those of two measures in 1,000 resamples; of what is not additive, a round has at least one, too."""
    monkeypatch.setattr(chance, "MOST_VALUES", 2_000)
    how = judging()
    pairs = how.pairs(NOW, THEN)
    how.scores(NOW, pairs, [*ADDITIVE, *(ranking(name) for name in "rst")])
    parts = [(("a", "b"), 1_000), (("c",), 1_000), (("r", "s"), 125), (("t",), 125)]
    assert drawn == parts
    drawn.clear()
    monkeypatch.setattr(chance, "MOST_VALUES", 1)
    how.scores(NOW, pairs, [*ADDITIVE[:2], ranking("r"), ranking("s")])
    assert drawn == [(("a",), 1_000), (("b",), 1_000), (("r",), 125), (("s",), 125)], "one at least"


def test_of_no_unit_nothing_is_divided_by() -> None:
    nothing = run(0, dict.fromkeys("abc", 0))
    how = judging("a")
    assert how.resamples(how.pairs(nothing, nothing), [ADDITIVE[0], ranking("r")]) == {"a": 1_000, "r": 125}


def test_the_upper_end_of_a_drop_is_at_the_level_of_its_condition() -> None:
    """Of 40 units two are newly wrong; a gate without the condition has no end, nor has a measure without a drop."""
    now, then = run(40, dict.fromkeys("abcd", 2)), run(40, dict.fromkeys("abcd", 0))
    measures = [share(name) for name in "abcd"]
    gates = [gate("a", NonInferior(0.1, 0.2), alpha=None), gate("b", NonInferior(0.1), alpha=None), gate("c", MaxDrop(0.1))]
    gates.append(gate("d", NonInferior(0.1)))
    how = Chance.of(now, Statistics(resamples=100), gates)
    pairs = how.pairs(now, then)
    drops: Mapping[str, Distribution] = {
        name: each for part in how.drops(pairs, measures) for name, each in part.items() if name != "d"
    }
    ends = how.upper_ends(pairs, measures, drops, {each.measure: each for each in gates})
    assert ends == {"a": greatest_drop(2, 0, 40, 0.2), "b": greatest_drop(2, 0, 40, DEFAULT_ALPHA)}


def test_nobody_who_wants_no_interval_gets_one_of_a_drop() -> None:
    how = Chance.of(NOW, Statistics(confidence=None, resamples=100))
    pairs = how.pairs(NOW, THEN)
    assert [how.ends(part) for part in how.drops(pairs, ADDITIVE)] == [{}]
    assert how.drop_intervals(pairs, ADDITIVE) == {}


def test_a_cluster_that_holds_more_than_half_of_the_units_is_told_by_its_first() -> None:
    def clustered(*names: str) -> Evidence:
        column = Categorical.of(list(names))
        return Evidence.of([f"u{rank}" for rank in range(len(names))], {"a": np.ones(len(names), np.int8), CLUSTER: column}, "d")

    assert list(lopsided(clustered("x", "y", "y", "y", "z"), "clusters")) == [
        "the cluster of u1 holds 60% of the units: intervals and tests draw clusters, and hang on that one"
    ]
    assert list(lopsided(clustered("x", "y", "y"), "clusters"))
    assert not list(lopsided(clustered("x", "x", "y", "z"), "clusters")), "half is not more than half"
    assert not list(lopsided(clustered("x", "x"), "clusters")), "there is no other one"
    assert not list(lopsided(run(0, {"a": 0}), "documents"))


def test_numbers_that_reports_have() -> None:
    assert [number_or_none(number) for number in (None, float("nan"), 0.0, -1.5)] == [None, None, 0.0, -1.5]
    now, then = Evidence.merge([NOW, run(3, {"a": 0}).named("new")]), Evidence.merge([THEN, run(2, {"a": 0}).named("old")])
    pairs: Pairs = judging().pairs(now, then)
    assert units_of(pairs) == {"paired": UNITS, "added": 3, "removed": 2, "differing": 3}
