"""Outputs side by side: differences, exact p-values, Holm over the pairs, groups, what changed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_nlpeval import Suite, load_suites
from pytest_nlpeval.config.suite import Statistics
from pytest_nlpeval.metrics.shares import wilson_interval
from pytest_nlpeval.run.engine import Engine
from pytest_nlpeval.run.side_by_side import Row, SideBySide, compare_outputs
from pytest_nlpeval.runs import Run
from tests.unit.run.outputs import make_systems

OFF = Statistics(confidence=None)


def explained(suite: Suite) -> Run:
    return replace(Engine(explain=True).run(suite), source=suite.system)


def compared(folder: Path, measures: Collection[str], statistics: Statistics = OFF, **wrong: Collection[int]) -> SideBySide:
    make_systems(folder, **wrong)
    suites = [replace(suite, statistics=statistics) for suite in load_suites(folder / "nlpeval.yaml")]
    chosen = [measure for measure in suites[0].measures(None) if measure.name in measures]
    return compare_outputs(suites[0], list(map(explained, suites)), chosen)


def only_row(comparison: SideBySide) -> Row:
    (row,) = comparison.rows
    return row


def test_a_difference_its_exact_p_and_who_is_best(tmp_path: Path) -> None:
    comparison = compared(tmp_path, ["accuracy"], one={1}, two={2, 3, 4, 5, 6, 7})
    row = only_row(comparison)
    assert [entry.score.value for entry in row.entries] == [15 / 16, 10 / 16]
    assert [entry.is_best for entry in row.entries] == [True, False]
    (difference,) = row.differences
    assert difference.difference == pytest.approx(10 / 16 - 15 / 16)
    assert (
        difference.p == 2 * (1 + 7) / 2**7
    )  # of seven that differ: all six, or seven but one, on one side; and the other way round
    assert difference.p_adjusted == difference.p
    assert difference.interval is None


def test_identical_outputs_differ_with_probability_one(tmp_path: Path) -> None:
    comparison = compared(tmp_path, ["accuracy", "coverage"], one={1, 2}, two={1, 2})
    for row in comparison.rows:
        (difference,) = row.differences
        assert (difference.difference, difference.p, difference.p_adjusted) == (0, 1, 1)
        assert all(entry.is_best and entry.groups == ("a",) for entry in row.entries)
    (pairing,) = comparison.pairings
    assert pairing.units == {"paired": 16, "added": 0, "removed": 0, "differing": 0}
    assert set(pairing.changes.counts.values()) == {0}


def test_groups_overlap_where_the_outer_two_alone_differ(tmp_path: Path) -> None:
    row = only_row(compared(tmp_path, ["accuracy"], middle=range(1, 5), best=(), worst=range(1, 9)))
    assert {d.first + " " + d.second: (d.p, d.p_adjusted) for d in row.differences} == {
        "middle best": (2 / 2**4, 2 * 2 / 2**4),
        "middle worst": (2 / 2**4, 2 * 2 / 2**4),
        "best worst": (2 / 2**8, 3 * 2 / 2**8),
    }
    assert [entry.groups for entry in row.entries] == [("a", "b"), ("a",), ("b",)]


def test_where_less_is_better_the_least_value_is_best(tmp_path: Path) -> None:
    make_systems(tmp_path, one={1}, two={2, 3})
    (suite, _) = load_suites(tmp_path / "nlpeval.yaml")
    lower = [replace(measure, better="lower") for measure in suite.measures(None) if measure.name == "accuracy"]
    outputs = list(map(explained, load_suites(tmp_path / "nlpeval.yaml")))
    row = only_row(compare_outputs(suite, outputs, lower))
    (difference,) = row.differences
    assert [entry.is_best for entry in row.entries] == [False, True]
    assert difference.difference == pytest.approx(14 / 16 - 15 / 16)
    assert difference.interval is not None
    assert difference.difference is not None
    assert difference.interval.low < difference.difference < difference.interval.high


def test_intervals_of_values_and_differences_have_their_sign(tmp_path: Path) -> None:
    row = only_row(compared(tmp_path, ["accuracy"], Statistics(resamples=500), one=(), two=range(1, 9)))
    perfect, half = (entry.interval for entry in row.entries)
    assert perfect is not None
    assert half is not None
    assert [perfect, half] == [wilson_interval(16, 16), wilson_interval(8, 16)]
    (difference,) = row.differences
    assert difference.interval is not None
    assert -1 < difference.interval.low < 8 / 16 - 1 < difference.interval.high < 0


def test_what_has_no_value_is_in_no_group_and_has_no_p(tmp_path: Path) -> None:
    row = only_row(compared(tmp_path, ["FALSE.precision"], none=(), some={1}))
    assert [(entry.score.value, entry.is_best, entry.groups) for entry in row.entries] == [(None, False, ()), (0, True, ("a",))]
    (difference,) = row.differences
    assert (difference.difference, difference.p, difference.p_adjusted) == (None, None, None)


def test_what_changed_is_said_from_the_first_to_the_second(tmp_path: Path) -> None:
    comparison = compared(tmp_path, ["accuracy"], one={1, 2}, two={2, 3, 4})
    (pairing,) = comparison.pairings
    assert pairing.changes.counts == {"newly_wrong": 2, "newly_right": 1, "otherwise_wrong": 0}
    assert [(change.sort, change.explanation.unit) for change in pairing.changes.first] == [
        ("newly_wrong", "3"),
        ("newly_wrong", "4"),
        ("newly_right", "1"),
    ]


def test_very_many_groups_have_letters_of_their_own() -> None:
    from pytest_nlpeval.run.side_by_side import _letters

    heights: list[float | None] = [float(-number) for number in range(28)]
    letters = _letters(heights, [(one, other) for one in range(28) for other in range(one)])
    assert [letters[0], letters[25], letters[26], letters[27]] == [("a",), ("z",), ("a2",), ("b2",)]


def test_what_has_no_evidence_is_not_compared(tmp_path: Path) -> None:
    make_systems(tmp_path, one={1}, two={2})
    (one, two) = load_suites(tmp_path / "nlpeval.yaml")
    with pytest.raises(ValueError, match="two has no evidence: it is gone"):
        compare_outputs(one, [explained(one), Run(two.system, reason="it is gone")], ())
